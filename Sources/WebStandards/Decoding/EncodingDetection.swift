/// The encoding of a document's bytes, where it was declared, and how certain it is.
///
/// The order is that of browsers: a byte order mark first, then the transport (`charset` of Content-Type),
/// then a declaration in the document's head, then a fallback. A pure function of its input.
///
/// <https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding>
public struct EncodingDetection: Equatable, Hashable, Sendable {
    /// Where the encoding was declared.
    public enum Source: String, Codable, Sendable, CaseIterable {
        /// The byte order mark the document starts with.
        case byteOrderMark = "byte-order-mark"
        /// The transport: the `charset` parameter of Content-Type, or the caller in its place.
        case transport
        /// A `meta` element.
        case meta
        /// An XML declaration, or text that looks like one at the start of an HTML document.
        case xmlDeclaration = "xml-declaration"
        /// Nowhere: the fallback of HTML, or UTF-8 for XML.
        case fallback
        /// Nowhere, since the document was given as text.
        case text
    }

    /// How certain the encoding is, which decides whether a `meta` element found while parsing can still
    /// change it.
    public enum Confidence: String, Codable, Sendable {
        /// A guess, or a declaration that the parser may find to be wrong.
        case tentative
        /// Final.
        case certain
        /// Not applicable, since the document was given as text.
        case irrelevant
    }

    /// The parser's response to a `meta` element that names an encoding.
    package enum Change: Equatable, Sendable {
        /// The parser continues, and the encoding is certain from now on.
        case keep
        /// The parser starts again at the first byte, with this encoding.
        case reparse(EncodingDetection)
    }

    /// The encoding.
    public let encoding: TextEncoding

    /// Where it was declared.
    public let source: Source

    /// How certain it is.
    public let confidence: Confidence

    /// The number of bytes of the byte order mark, which are not part of the text: 0, 2 or 3.
    ///
    /// The decoder does not look for a byte order mark: its caller skips these bytes.
    public let byteOrderMarkLength: Int

    /// The detection of a document that was given as text, not as bytes.
    public static let text = EncodingDetection(encoding: .utf8, source: .text, confidence: .irrelevant)

    /// Detects the encoding of an HTML document.
    ///
    /// - Parameters:
    ///   - bytes: The document, or as much of it as is available: the answer depends on its first 1024 bytes,
    ///     and on its head.
    ///   - transportLabel: The encoding label that came with the document. If it is `nil` or not a label of the
    ///     Encoding standard, the document itself decides.
    ///   - fallback: The encoding of a document that declares none.
    /// - Returns: The encoding, tentative unless a byte order mark or the transport named it.
    /// - Complexity: O(n) in the length of the head, or of the first 1024 bytes.
    ///
    /// <https://html.spec.whatwg.org/multipage/parsing.html#encoding-sniffing-algorithm>
    public static func html(
        _ bytes: Span<UInt8>,
        transportLabel: String? = nil,
        fallback: TextEncoding = .windows1252
    ) -> EncodingDetection {
        if let outer = byteOrderMark(bytes) ?? transport(transportLabel) { return outer }
        return unsafe bytes.withUnsafeBytes { bytes in
            let prescan = unsafe EncodingPrescan(bytes)
            if let encoding = prescan.utf16XMLDeclaration() {
                return EncodingDetection(encoding: encoding, source: .xmlDeclaration, confidence: .tentative)
            }
            if let encoding = prescan.metaEncoding() {
                return EncodingDetection(encoding: encoding, source: .meta, confidence: .tentative)
            }
            if let encoding = prescan.xmlEncoding() {
                return EncodingDetection(encoding: encoding, source: .xmlDeclaration, confidence: .tentative)
            }
            return EncodingDetection(encoding: fallback, source: .fallback, confidence: .tentative)
        }
    }

    /// Detects the encoding of an HTML document of which only the start is available; nil where more of it
    /// could change the answer.
    ///
    /// - Complexity: O(n) in the length of the head, or of the first 1024 bytes.
    package static func html(
        prefix bytes: Span<UInt8>,
        transportLabel: String?,
        fallback: TextEncoding
    ) -> EncodingDetection? {
        // A byte order mark of UTF-8 has three bytes.
        guard bytes.count >= 3 else { return nil }
        if byteOrderMark(bytes) == nil, transport(transportLabel) == nil {
            let needsMore = unsafe bytes.withUnsafeBytes { bytes in unsafe EncodingPrescan(bytes).needsMore }
            if needsMore { return nil }
        }
        return html(bytes, transportLabel: transportLabel, fallback: fallback)
    }

    /// Detects the encoding of an XML document.
    ///
    /// A declaration that names UTF-16 in bytes that are not UTF-16 means UTF-8, as everywhere in browsers.
    ///
    /// - Parameters:
    ///   - bytes: The document, or its first 1024 bytes at least.
    ///   - transportLabel: The encoding label that came with the document, as in
    ///     ``html(_:transportLabel:fallback:)``.
    /// - Returns: The encoding, always certain: nothing that is parsed later changes it.
    /// - Complexity: O(1): no more than the first 1024 bytes are read.
    ///
    /// <https://www.w3.org/TR/xml/#sec-guessing>
    public static func xml(_ bytes: Span<UInt8>, transportLabel: String? = nil) -> EncodingDetection {
        if let outer = byteOrderMark(bytes) ?? transport(transportLabel) { return outer }
        return unsafe bytes.withUnsafeBytes { bytes in
            let prescan = unsafe EncodingPrescan(bytes)
            if let encoding = prescan.utf16XMLDeclaration() ?? prescan.xmlEncoding() {
                return EncodingDetection(encoding: encoding, source: .xmlDeclaration, confidence: .certain)
            }
            return EncodingDetection(encoding: .utf8, source: .fallback, confidence: .certain)
        }
    }

    /// Decides what the parser does about a `meta` element that names an encoding.
    ///
    /// For the tree builder, in its "in head" insertion mode: the encoding is that of the `charset`
    /// attribute, or of `content` beside an `http-equiv` of `content-type`. It need not ask first whether the
    /// encoding is tentative.
    ///
    /// Chromium and WebKit never change the encoding: they ignore a declaration that their search through the
    /// head did not find. A parser that is to match them must not call this.
    ///
    /// <https://html.spec.whatwg.org/multipage/parsing.html#changing-the-encoding-while-parsing>
    package func change(to declared: TextEncoding) -> Change {
        guard confidence == .tentative else { return .keep }
        // Step 1: a declaration that was read as UTF-16 confirms UTF-16.
        if encoding.isUTF16 { return .keep }
        // Steps 2 and 3.
        let new = declared.asDeclaredByMeta
        // Step 4.
        if new == encoding { return .keep }
        // Step 6. (Step 5, which changes the converter on the fly, is optional and not implemented.)
        return .reparse(EncodingDetection(encoding: new, source: .meta, confidence: .certain))
    }

    /// The byte order mark's encoding.
    ///
    /// <https://encoding.spec.whatwg.org/#bom-sniff>
    private static func byteOrderMark(_ bytes: Span<UInt8>) -> EncodingDetection? {
        guard bytes.count >= 2 else { return nil }
        switch (bytes[0], bytes[1]) {
        case (0xFE, 0xFF):
            return EncodingDetection(.utf16BE, byteOrderMarkLength: 2)
        case (0xFF, 0xFE):
            return EncodingDetection(.utf16LE, byteOrderMarkLength: 2)
        case (0xEF, 0xBB) where bytes.count >= 3 && bytes[2] == 0xBF:
            return EncodingDetection(.utf8, byteOrderMarkLength: 3)
        default:
            return nil
        }
    }

    private static func transport(_ label: String?) -> EncodingDetection? {
        guard let label, let encoding = TextEncoding(label: label) ?? unquoted(label) else { return nil }
        return EncodingDetection(encoding: encoding, source: .transport, confidence: .certain)
    }

    /// The encoding of a label in single quotes, which are not quotes in a media type, but which browsers
    /// remove.
    private static func unquoted(_ label: String) -> TextEncoding? {
        let quote: Character = "'"
        guard label.count > 2, label.first == quote, label.last == quote else { return nil }
        return TextEncoding(label: String(label.dropFirst().dropLast()))
    }

    private init(_ encoding: TextEncoding, byteOrderMarkLength: Int) {
        self.encoding = encoding
        self.source = .byteOrderMark
        self.confidence = .certain
        self.byteOrderMarkLength = byteOrderMarkLength
    }

    /// Creates a detection that is known already, or that has any source but a byte order mark.
    package init(
        encoding: TextEncoding,
        source: Source,
        confidence: Confidence,
        byteOrderMarkLength: Int = 0
    ) {
        self.encoding = encoding
        self.source = source
        self.confidence = confidence
        self.byteOrderMarkLength = byteOrderMarkLength
    }
}
