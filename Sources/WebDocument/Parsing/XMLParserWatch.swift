import CLibXML2

/// Observes libxml2's XML parser while it builds a tree: counts nodes and memory, asks at intervals whether
/// to continue, and records errors.
final class XMLParserWatch {
    private let settings: ParsingSettings
    private var nodes = 0
    /// Approximately the number of bytes that the tree takes, and that it may take.
    private(set) var memory = 0
    private let maximumMemory: Int

    /// The position of the "[" of the document type whose declarations have been scanned.
    private let subset: Int?

    /// Elements and attributes since the last time it asked whether to continue.
    private var work = 0

    /// The limit that stopped the parser, nil if none did.
    private(set) var reachedLimit: ReachedLimit?

    /// Whether the parse was cancelled.
    private(set) var isCancelled = false

    /// The errors, if they were requested.
    private(set) var errors = ParseErrors()

    /// How many elements and attributes are parsed between two checks whether to continue.
    private static let interval = 256

    /// The memory that a default attribute is counted as, because of the time that it takes.
    private static let defaultSize = 64

    /// - Parameters:
    ///   - settings: The limits, and the interruption to ask.
    ///   - size: How many bytes the document has: the memory of its tree is limited to a multiple of it,
    ///     since attributes that its type declares cost the document no bytes.
    ///   - subset: The position of the "[" of its type, in bytes; nil if it has no declarations.
    init(_ settings: ParsingSettings, size: Int, subset: Int?) {
        self.settings = settings
        self.subset = subset
        maximumMemory = settings.limits.treeMemory(inputSize: size)
    }

    /// Calls `body`, which parses with `context`, and observes it.
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
        // Attributes that the document's type declares are compared with each other, and do not get into the
        // tree.
        var memory = Int(defaultedCount) *| defaultSize
        let own = Int(attributeCount) - Int(defaultedCount)
        memory += own *| HTMLTreeBuilder.attributeSize
        // Each attribute has a name, a prefix, a namespace, and the start and the end of its value.
        for index in 0..<own {
            guard let start = unsafe attributes?[5 * index + 3], let end = unsafe attributes?[5 * index + 4]
            else { continue }
            memory += unsafe end - start
        }
        unsafe watch.count(memory: memory, parser)
        watch.work += 1 + Int(attributeCount)
        if watch.work >= interval {
            watch.work = 0
            unsafe watch.checkInterruption(parser)
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

    /// Stops the parser if libxml2 finds declarations that have not been scanned.
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

    private func checkInterruption(_ parser: xmlParserCtxtPtr) {
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
