import HTTPTypes

/// What is made of a response's bytes: a type, an encoding, and a text or a document.
struct PageContent: Sendable {
    let mediaType: MediaType
    let kind: PageKind

    /// Nil for what is no text.
    let detection: EncodingDetection?

    /// Nil for what is not parsed.
    let document: Document?

    /// What was left out or put right, in words.
    let warnings: [String]

    /// What a page is made with.
    struct Settings: Sendable {
        var overrides = ContentOverrides()
        var limits = LoadLimits()
        var htmlParser = HTMLParserChoice.html5
        var fallbackEncoding = TextEncoding.windows1252
        /// A detection that stands already: of text that came as a string, or of an earlier parse.
        var detection: EncodingDetection?
    }

    /// Judges, decodes and parses the response's body.
    init(_ response: WebResponse, _ settings: Settings) throws(ParsingError) {
        mediaType = try Self.mediaType(of: response, settings.overrides)
        kind = PageKind(mediaType)
        let label = try Self.transportLabel(mediaType, settings.overrides)
        switch kind {
        case .other:
            detection = nil
            document = nil
            warnings = []
        case .text:
            let text = DecodedText(
                response.body,
                settings.detection ?? Self.textDetection(response.body, label, settings)
            )
            detection = text.detection
            document = nil
            warnings = Self.warnings(text)
        case .xhtml, .feed, .xml:
            let found = settings.detection ?? .xml(response.body.span, transportLabel: label)
            let text = DecodedText(response.body, found)
            let parsed = try unsafe text.withUTF8 { (utf8) throws(ParsingError) in
                try unsafe LibXML2Parser(kind: .xml).parse(utf8)
            }
            detection = found
            document = parsed.document
            warnings = Self.warnings(text) + parsed.warnings
        case .html:
            let found =
                settings.detection
                ?? .html(response.body.span, transportLabel: label, fallback: settings.fallbackEncoding)
            var text = DecodedText(response.body, found)
            var parsed = try Self.parse(text, settings)
            if let changed = Self.change(found, parsed.encodingDeclarations) {
                text = DecodedText(response.body, changed)
                parsed = try Self.parse(text, settings)
            }
            detection = text.detection
            document = parsed.document
            warnings = Self.warnings(text) + parsed.warnings
        }
    }

    private static func parse(_ text: DecodedText, _ settings: Settings) throws(ParsingError) -> ParsedPage {
        try unsafe text.withUTF8 { (utf8) throws(ParsingError) in
            switch settings.htmlParser {
            case .html5: try unsafe StandardHTMLParser(limits: settings.limits).parse(utf8)
            case .libxml2: try unsafe LibXML2Parser(kind: .html).parse(utf8)
            }
        }
    }

    // MARK: - The type

    /// The computed MIME type.
    private static func mediaType(
        of response: WebResponse,
        _ overrides: ContentOverrides
    ) throws(ParsingError) -> MediaType {
        if let name = overrides.mimeType {
            guard let type = MediaType(name) else {
                throw ParsingError(.unsupportedType, "\"\(name)\" is no MIME type")
            }
            return type
        }
        return MIMESniffing.computedType(
            supplied: response.contentType,
            isApacheBug: response.values(.contentType).last.map {
                MIMESniffing.isApacheBug(contentTypeField: $0)
            } ?? false,
            noSniff: MIMESniffing.isNoSniff(contentTypeOptionsFields: response.values(.xContentTypeOptions)),
            header: response.body.span.extracting(first: MIMESniffing.resourceHeaderLength)
        )
    }

    // MARK: - The encoding

    /// The label that came with the bytes, or that the caller named.
    private static func transportLabel(
        _ type: MediaType,
        _ overrides: ContentOverrides
    ) throws(ParsingError) -> String? {
        guard let name = overrides.textEncodingName else { return type[parameter: "charset"] }
        guard TextEncoding(label: name) != nil else {
            throw ParsingError(.unknownEncoding, "\"\(name)\" is no encoding of the Encoding standard")
        }
        return name
    }

    /// The encoding of plain text: what the bytes or the transport say, else UTF-8 where it fits.
    private static func textDetection(
        _ body: [UInt8],
        _ label: String?,
        _ settings: Settings
    ) -> EncodingDetection {
        let fallback = TextDecoder.isValidUTF8(body.span) ? .utf8 : settings.fallbackEncoding
        // Three bytes hold a byte order mark and no declaration.
        return .html(body.span.extracting(first: 3), transportLabel: label, fallback: fallback)
    }

    /// The encoding that a `meta` element met while parsing changes the tentative one to; nil if none does.
    private static func change(
        _ detection: EncodingDetection,
        _ declarations: [HTMLEncodingDeclaration]
    ) -> EncodingDetection? {
        for declaration in declarations {
            guard let encoding = declaration.encoding else { continue }
            guard case .reparse(let changed) = detection.change(to: encoding) else { return nil }
            return changed
        }
        return nil
    }

    private static func warnings(_ text: DecodedText) -> [String] {
        guard text.replacementCount > 0 else { return [] }
        return [
            "\(text.replacementCount) malformed sequences of \(text.detection.encoding.name) were replaced by U+FFFD"
        ]
    }
}

extension HTMLEncodingDeclaration {
    /// The encoding it names, nil if it is none.
    fileprivate var encoding: TextEncoding? {
        switch self {
        case .charset(let label): TextEncoding(label: label)
        case .contentType(let content): TextEncoding(metaContent: content)
        }
    }
}
