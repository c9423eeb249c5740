import CLibXML2

/// Looks on while libxml2's XML parser builds a tree: counts nodes and memory, asks now and then whether to go on, and
/// notes errors.
final class XMLParserWatch {
    private let settings: ParsingSettings
    private var nodes = 0
    /// Roughly the bytes that the tree takes, and those that it may take.
    private(set) var memory = 0
    private let maximumMemory: Int

    /// Where the "[" of the document type is whose declarations have been looked at.
    private let subset: Int?

    /// Elements and attributes since it was asked whether to go on.
    private var work = 0

    /// The limit that stopped the parser, nil if none did.
    private(set) var reachedLimit: ReachedLimit?

    /// Whether the parse was cancelled.
    private(set) var isCancelled = false

    /// The errors, where they are asked for.
    private(set) var errors = ParseErrors()

    /// Elements and attributes between two questions whether to go on.
    private static let interval = 256

    /// What an attribute by default counts for: the time that it takes.
    private static let defaultSize = 64

    /// - Parameters:
    ///   - settings: The limits, and whom to ask.
    ///   - size: How many bytes the document has: its tree may take so many times as much, since attributes that its
    ///     type declares cost it nothing.
    ///   - subset: Where the "[" of its type is, in bytes; nil where it declares nothing.
    init(_ settings: ParsingSettings, size: Int, subset: Int?) {
        self.settings = settings
        self.subset = subset
        maximumMemory = settings.limits.treeMemory(inputSize: size)
    }

    /// Calls `body`, which parses with `context`, and looks on.
    func watching<Value>(
        _ context: xmlParserCtxtPtr,
        _ body: (xmlParserCtxtPtr) -> Value
    ) -> Value {
        guard let handlers = unsafe context.pointee.sax else { return unsafe body(context) }
        unsafe context.pointee._private = Unmanaged.passUnretained(self).toOpaque()
        unsafe handlers.pointee.startElementNs = Self.startElement
        unsafe handlers.pointee.characters = Self.characters
        unsafe handlers.pointee.comment = Self.comment
        unsafe handlers.pointee.processingInstruction = Self.processingInstruction
        unsafe handlers.pointee.reference = Self.reference
        unsafe handlers.pointee.internalSubset = Self.internalSubset
        if settings.reportsErrors { unsafe handlers.pointee.serror = Self.structuredError }
        defer { unsafe context.pointee._private = nil }
        return withExtendedLifetime(self) { unsafe body(context) }
    }

    private static func watch(_ context: UnsafeMutableRawPointer?) -> (XMLParserWatch, xmlParserCtxtPtr)? {
        guard let parser = unsafe context?.assumingMemoryBound(to: xmlParserCtxt.self),
            let watch = unsafe parser.pointee._private
        else { return nil }
        return unsafe (Unmanaged<XMLParserWatch>.fromOpaque(watch).takeUnretainedValue(), parser)
    }

    private static let startElement: startElementNsSAX2Func = {
        context,
        name,
        prefix,
        uri,
        namespaceCount,
        namespaces,
        attributeCount,
        defaultedCount,
        attributes in
        unsafe xmlSAX2StartElementNs(
            context,
            name,
            prefix,
            uri,
            namespaceCount,
            namespaces,
            attributeCount,
            defaultedCount,
            attributes
        )
        guard let (watch, parser) = unsafe XMLParserWatch.watch(context) else { return }
        // Those that the document's type declares are compared with each other, and do not get into the tree.
        var memory = Int(defaultedCount) *| defaultSize
        let own = Int(attributeCount) - Int(defaultedCount)
        memory += own *| HTMLTreeBuilder.attributeSize
        // Of each a name, a prefix, a namespace, and where its value begins and ends.
        for index in 0..<own {
            guard let start = unsafe attributes?[5 * index + 3], let end = unsafe attributes?[5 * index + 4]
            else { continue }
            memory += unsafe end - start
        }
        unsafe watch.count(memory: memory, parser)
        watch.work += 1 + Int(attributeCount)
        if watch.work >= interval {
            watch.work = 0
            unsafe watch.ask(parser)
        }
    }

    private static let comment: commentSAXFunc = { context, text in
        unsafe xmlSAX2Comment(context, text)
        guard let (watch, parser) = unsafe XMLParserWatch.watch(context) else { return }
        unsafe watch.count(memory: text.map { unsafe TreeNode.length($0) } ?? 0, parser)
    }

    private static let processingInstruction: processingInstructionSAXFunc = { context, target, text in
        unsafe xmlSAX2ProcessingInstruction(context, target, text)
        guard let (watch, parser) = unsafe XMLParserWatch.watch(context) else { return }
        unsafe watch.count(memory: text.map { unsafe TreeNode.length($0) } ?? 0, parser)
    }

    private static let reference: referenceSAXFunc = { context, name in
        unsafe xmlSAX2Reference(context, name)
        guard let (watch, parser) = unsafe XMLParserWatch.watch(context) else { return }
        unsafe watch.count(memory: 0, parser)
    }

    /// Stops where libxml2 comes upon declarations that nobody has looked at.
    private static let internalSubset: internalSubsetSAXFunc = { context, name, externalID, systemID in
        unsafe xmlSAX2InternalSubset(context, name, externalID, systemID)
        guard let (watch, parser) = unsafe XMLParserWatch.watch(context),
            let input = unsafe parser.pointee.input, let current = unsafe input.pointee.cur,
            unsafe current.pointee == UInt8(ascii: "[")
        else { return }
        let position = unsafe current - input.pointee.base +| Int(bounded: input.pointee.consumed)
        if position != watch.subset {
            let limit = ReachedLimit(code: .declarations, limit: InternalSubset.maximumSize, count: nil)
            unsafe watch.stop(parser, limit)
        }
    }

    private static let characters: charactersSAXFunc = { context, text, length in
        unsafe xmlSAX2Characters(context, text, length)
        guard let (watch, parser) = unsafe XMLParserWatch.watch(context) else { return }
        unsafe watch.count(memory: Int(length), parser)
    }

    private static let structuredError: xmlStructuredErrorFunc = { context, error in
        guard let (watch, _) = unsafe XMLParserWatch.watch(context), let error = unsafe error else { return }
        unsafe watch.note(error.pointee)
    }

    private func count(memory length: Int, _ parser: xmlParserCtxtPtr) {
        nodes += 1
        memory += unsafe MemoryLayout<xmlNode>.size + length
        if nodes > settings.limits.maximumNodes {
            unsafe stop(parser, ReachedLimit(code: .nodes, limit: settings.limits.maximumNodes, count: nil))
        } else if memory > maximumMemory {
            unsafe stop(parser, ReachedLimit(code: .memory, limit: maximumMemory, count: nil))
        }
    }

    private func ask(_ parser: xmlParserCtxtPtr) {
        switch settings.interruption?() {
        case .cancelled:
            isCancelled = true
            unsafe xmlStopParser(parser)
        case .time: unsafe stop(parser, settings.limits.reachedTime)
        case nil: break
        }
    }

    private func stop(_ parser: xmlParserCtxtPtr, _ limit: ReachedLimit) {
        if reachedLimit == nil { reachedLimit = limit }
        unsafe xmlStopParser(parser)
    }

    private func note(_ error: xmlError) {
        guard errors.errors.count < ParseErrors.maximumCount else {
            errors.isTruncated = true
            return
        }
        let words = unsafe error.message.map { unsafe String(cString: $0).collapsingASCIIWhitespace }
        errors.errors.append(
            unsafe ParseError(name: words ?? "error \(error.code)", line: Int(error.line), column: nil)
        )
    }
}
