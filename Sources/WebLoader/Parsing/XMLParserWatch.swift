import CLibXML2

/// Looks on while libxml2's XML parser builds a tree: counts nodes and memory, asks now and then whether to go on, and
/// notes errors.
final class XMLParserWatch {
    private let settings: ParsingSettings
    private var nodes = 0
    private var memory = 0
    private var elements = 0

    /// The limit that stopped the parser, nil if none did.
    private(set) var reachedLimit: ReachedLimit?

    /// Whether the parse was cancelled.
    private(set) var isCancelled = false

    /// The errors, where they are asked for.
    private(set) var errors = ParseErrors()

    /// Elements between two questions whether to go on.
    private static let interval = 256

    init(_ settings: ParsingSettings) {
        self.settings = settings
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
        unsafe watch.count(memory: Int(attributeCount) *| HTMLTreeBuilder.attributeSize, parser)
        watch.elements += 1
        if watch.elements % interval == 0 { unsafe watch.ask(parser) }
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
        } else if memory > settings.limits.maximumTreeMemory {
            unsafe stop(
                parser,
                ReachedLimit(code: .memory, limit: settings.limits.maximumTreeMemory, count: nil)
            )
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
