import WebStandards

/// The unpacked bytes of a sitemap: detects their encoding and whether they are XML, and passes them to the parser.
struct SitemapContent {
    var builder: SitemapBuilder

    private enum Form {
        /// There are too few bytes to detect the format.
        case unknown
        case xml(SitemapTokenizer)
        case lines(SitemapLines)
    }

    private var form = Form.unknown
    /// The first bytes, until there are enough for the detection.
    private var head: [UInt8] = []
    /// The decoder of the text; `nil` for UTF-8.
    private var decoder: TextDecoder?

    /// The maximum number of bytes of an XML declaration with an encoding in practice.
    private static let headLength = 512

    init(_ builder: SitemapBuilder) {
        self.builder = builder
    }

    mutating func read(_ bytes: [UInt8]) {
        guard case .unknown = form else {
            readText(bytes, isLast: false)
            return
        }
        head += bytes
        // White space of any length may precede the text.
        guard head.count >= Self.headLength else { return }
        begin(isLast: false)
    }

    mutating func finish() {
        if case .unknown = form {
            begin(isLast: true)
        } else {
            readText([], isLast: true)
        }
        switch form {
        case .xml(var tokenizer):
            tokenizer.finish(&builder)
            form = .xml(tokenizer)
        case .lines(var lines):
            lines.finish(&builder)
            form = .lines(lines)
        case .unknown: builder.faults.add(.kind, line: 1, "the file is empty")
        }
    }

    mutating func addFault(_ code: SitemapFault.Code, _ message: String) {
        builder.faults.add(code, line: line, message)
    }

    /// Stops reading because of a fault.
    mutating func stop(_ code: SitemapFault.Code, _ message: String) {
        builder.stop(code, line: line, message)
    }

    private var line: Int {
        switch form {
        case .xml(let tokenizer): tokenizer.line
        case .lines(let lines): lines.line
        case .unknown: 1
        }
    }

    private mutating func begin(isLast: Bool) {
        let detection = EncodingDetection.xml(head.span)
        if detection.encoding != .utf8 { decoder = TextDecoder(detection.encoding) }
        let text = decode(Array(head[min(detection.byteOrderMarkLength, head.count)...]), isLast: isLast)
        head = []
        guard let first = text.first(where: { !$0.isASCIIWhitespace }) else {
            // White space alone is read as XML, in which it is ignored.
            if !isLast { form = .xml(SitemapTokenizer()) }
            return
        }
        form = first == UInt8(ascii: "<") ? .xml(SitemapTokenizer()) : .lines(SitemapLines())
        readDecoded(text)
    }

    private mutating func decode(_ bytes: [UInt8], isLast: Bool) -> [UInt8] {
        guard decoder != nil else { return bytes }
        var text: [UInt8] = []
        unsafe bytes.withUnsafeBytes { unsafe decoder?.decode($0, isLast: isLast, into: &text) }
        return text
    }

    private mutating func readText(_ bytes: [UInt8], isLast: Bool) {
        readDecoded(decode(bytes, isLast: isLast))
    }

    private mutating func readDecoded(_ text: [UInt8]) {
        switch form {
        case .xml(var tokenizer):
            form = .unknown
            tokenizer.read(text.span, &builder)
            form = .xml(tokenizer)
        case .lines(var lines):
            form = .unknown
            lines.read(text.span, &builder)
            form = .lines(lines)
        case .unknown: break
        }
    }
}
