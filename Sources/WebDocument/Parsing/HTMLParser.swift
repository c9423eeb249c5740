import CLibXML2
import Glibc

/// The HTML parser: builds a libxml2 tree from UTF-8, as the standard describes.
///
/// ``parse(utf8:options:)`` takes a complete page; a value of this type takes one in pieces. Both make one
/// pass over the bytes and neither recurses. The time is linear in the input except where the standard itself
/// requires quadratic time, which `Options.maximumNodes` bounds.
///
/// [Parsing HTML documents](https://html.spec.whatwg.org/multipage/parsing.html)
@safe package struct HTMLParser: ~Copyable {
    /// The options and limits of a parse.
    package struct Options: Sendable {
        /// Whether `noscript` contains text, as it does where scripts run.
        var scripting = false

        /// How many elements may be open before further ones are put beside their parent instead of in it, as Blink
        /// does.
        var maximumDepth = 512

        /// How many nodes are created before parsing stops; attributes do not count.
        var maximumNodes = 5_000_000

        /// How many attributes an element may have; further ones are left out.
        var maximumAttributes = 4096

        /// How many bytes the tree may take, approximately, before parsing stops; nil for
        /// ``/WebStandards/LoadLimits/treeMemory(inputSize:)`` of the input so far.
        var maximumMemory: Int?

        /// How many bytes a text, a comment or an attribute value may have; the rest is left out.
        var maximumTextLength = 1 << 28

        /// Whether to keep the parse errors.
        ///
        /// Costs nothing when off.
        var reportsErrors = false

        /// Whether to record the elements as they are created, for ``HTMLParser/takeNotedElements()``.
        var notesElements = false

        /// The context element, whose content is parsed; nil for a document.
        var fragmentContext: HTMLFragmentContext?

        /// Called at intervals; a value that it returns stops the parse, which keeps the tree so far.
        var interruption: (@Sendable () -> ParsingSettings.Interruption?)?

        init() {}
    }

    private var tokenizer: HTMLTokenizer<HTMLTreeBuilder>

    /// The bytes of the pieces so far, from the first one that is still needed; nil for a complete page.
    private var buffer: UnsafeMutablePointer<UInt8>?
    private var capacity = 0
    private var filled = 0

    /// How many unread bytes there have to be before an incomplete token is read again.
    private var awaited = 0

    private let interruption: (@Sendable () -> ParsingSettings.Interruption?)?
    private let reportsErrors: Bool
    private var total = 0

    /// Creates a parser for input that comes in pieces.
    package init(options: Options = Options()) throws(HTMLParserError) {
        try unsafe self.init(input: HTMLBytes(Self.nothing, count: 0), options: options)
    }

    /// The address that is used for the bytes of an empty input.
    static var nothing: UnsafePointer<UInt8> {
        unsafe webl_text_name()
    }

    private init(input: HTMLBytes, options: Options) throws(HTMLParserError) {
        let builder = try HTMLTreeBuilder.make(options: options)
        let state = builder.initialTokenizerState
        tokenizer = HTMLTokenizer(
            sink: builder,
            input: input,
            maximumAttributes: options.maximumAttributes,
            reportsErrors: options.reportsErrors
        )
        tokenizer.state = state
        interruption = options.interruption
        reportsErrors = options.reportsErrors
    }

    deinit {
        unsafe free(buffer)
    }

    /// Parses a complete page.
    ///
    /// - Parameters:
    ///   - utf8: the page, decoded, without a byte order mark; it must be valid UTF-8.
    ///   - options: the options of the parse.
    /// - Returns: the tree, which the caller owns.
    /// - Throws: ``HTMLParserError`` if there is no memory or the input is too large.
    static func parse(
        utf8: UnsafeBufferPointer<UInt8>,
        options: Options = Options()
    ) throws(HTMLParserError) -> ParsedHTML {
        guard utf8.count < Int(Int32.max) else { throw HTMLParserError(code: .inputTooLarge) }
        let input = unsafe HTMLBytes(utf8.baseAddress ?? nothing, count: utf8.count)
        var parser = try HTMLParser(input: input, options: options)
        parser.tokenizer.sink.allowMemory(inputSize: utf8.count)
        if let interruption = options.interruption {
            try parser.tokenizer.runInSteps(input) { builder in
                if let reason = interruption() { builder.stop(reason) }
            }
        } else {
            parser.tokenizer.isFinal = true
            try parser.tokenizer.run()
        }
        if options.reportsErrors { unsafe parser.reportCharacters(utf8) }
        return try parser.takeResult()
    }

    /// Parses the next piece of the page, which must be valid UTF-8.
    ///
    /// The piece is copied; when this returns, the part that could be parsed is in ``document``.
    mutating func push(_ piece: UnsafeBufferPointer<UInt8>) throws(HTMLParserError) {
        guard !tokenizer.isFinal else { throw HTMLParserError(code: .finished) }
        guard let bytes = piece.baseAddress, piece.count > 0, !tokenizer.sink.isStopped else { return }
        guard total < Int(Int32.max) - piece.count else { throw HTMLParserError(code: .inputTooLarge) }
        if reportsErrors { unsafe reportCharacters(piece) }
        try makeRoom(for: piece.count)
        guard let buffer = unsafe buffer else { return }
        unsafe memcpy(buffer + filled, bytes, piece.count)
        filled += piece.count
        total += piece.count
        tokenizer.sink.allowMemory(inputSize: total)
        tokenizer.input = unsafe HTMLBytes(buffer, count: filled)
        guard filled - tokenizer.position >= awaited else { return }
        stopIfInterrupted()
        try tokenizer.run()
        // The rest is the start of a token. It is read again only when there is twice as much of it, so that
        // a token of n bytes costs at most 2n, however small the pieces are.
        let left = filled - tokenizer.position
        awaited = left > 256 ? left * 2 : 0
    }

    /// Ends the page.
    ///
    /// - Returns: the tree, which the caller owns.
    package mutating func finish() throws(HTMLParserError) -> ParsedHTML {
        guard !tokenizer.isFinal else { throw HTMLParserError(code: .finished) }
        tokenizer.isFinal = true
        try tokenizer.run()
        return try takeResult()
    }

    /// The elements created since the last call, in the order of their tags; empty unless the options request
    /// them.
    ///
    /// They live as long as the tree.
    mutating func takeNotedElements() -> [TreeNode] {
        defer { tokenizer.sink.notedElements.removeAll(keepingCapacity: true) }
        return tokenizer.sink.notedElements
    }

    /// The tree so far, to be read between two pieces; nil once it has been handed over.
    var document: UnsafeMutablePointer<xmlDoc>? {
        unsafe tokenizer.sink.document
    }

    private mutating func stopIfInterrupted() {
        if let interruption = interruption?() { tokenizer.sink.stop(interruption) }
    }

    private mutating func makeRoom(for number: Int) throws(HTMLParserError) {
        guard filled + number > capacity else { return }
        let used = tokenizer.position
        let kept = filled - used
        if let buffer = unsafe buffer, used > kept, kept + number <= capacity {
            unsafe tokenizer.rebase(onto: HTMLBytes(buffer, count: filled), discarding: used)
            unsafe memmove(buffer, buffer + used, kept)
        } else {
            let wanted = max(1 << 14, (kept + number) * 2)
            guard let new = unsafe malloc(wanted)?.bindMemory(to: UInt8.self, capacity: wanted) else {
                throw HTMLParserError(code: .outOfMemory)
            }
            if let buffer = unsafe buffer {
                unsafe memcpy(new, buffer + used, kept)
            }
            unsafe tokenizer.rebase(onto: HTMLBytes(new, count: kept), discarding: used)
            unsafe free(buffer)
            unsafe buffer = new
            capacity = wanted
        }
        filled = kept
    }

    private mutating func takeResult() throws(HTMLParserError) -> ParsedHTML {
        tokenizer.sink.limits.droppedAttributes += tokenizer.attributes.dropped
        var parsed = try tokenizer.sink.takeResult()
        if reportsErrors { parsed.errors = ParseErrors(tokenizer.reports, characterErrors) }
        return parsed
    }

    // MARK: - Errors of the input stream

    private var characterErrors = HTMLInputStreamErrors()

    /// [Preprocessing the input stream](https://html.spec.whatwg.org/multipage/parsing.html#preprocessing-the-input-stream).
    private mutating func reportCharacters(_ bytes: UnsafeBufferPointer<UInt8>) {
        for index in bytes.indices { characterErrors.take(unsafe bytes[index]) }
    }
}

extension HTMLTokenizer where Sink: ~Copyable {
    /// Runs over a whole input in steps, before each of which the sink may be stopped.
    mutating func runInSteps(_ whole: HTMLBytes, _ willRun: (inout Sink) -> Void) throws(HTMLParserError) {
        var end = 0
        var step = 1 << 16
        while end < whole.count, !sink.isStopped {
            willRun(&sink)
            end += min(step, whole.count - end)
            input = whole.slice(0, end)
            isFinal = end == whole.count
            try run()
            step = max(1 << 16, end - position)
        }
        isFinal = true
        try run()
    }
}
