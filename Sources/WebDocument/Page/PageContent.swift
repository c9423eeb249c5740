import HTTPTypes

/// The content of a response: its type, its encoding, and a text or a document.
package struct PageContent: Sendable {
    let mediaType: MediaType
    let kind: PageKind

    /// Nil if it is not text.
    let detection: EncodingDetection?

    /// Nil if it is not parsed.
    let document: Document?

    /// Descriptions of the corrections that were made.
    let warnings: [String]

    /// The limits that were reached.
    let limits: [ReachedLimit]

    /// The parse errors, if requested.
    let errors: ParseErrors

    /// The settings to create a page.
    package struct Settings: Sendable {
        package var overrides: ContentOverrides
        package var parsing: ParsingSettings
        package var htmlParser: HTMLParserKind
        package var fallbackEncoding: TextEncoding
        /// An encoding that is already known: of text that came as a string, or from an earlier parse.
        package var detection: EncodingDetection?
        /// Whether a response to the request has content at all: false for HEAD.
        package var expectsContent: Bool
        /// Whether the bytes come from this machine, but not from a file: from standard input.
        package var isLocal = false

        package init(
            overrides: ContentOverrides = ContentOverrides(),
            parsing: ParsingSettings = ParsingSettings(),
            htmlParser: HTMLParserKind = .html5,
            fallbackEncoding: TextEncoding = .windows1252,
            detection: EncodingDetection? = nil,
            expectsContent: Bool = true
        ) {
            self.overrides = overrides
            self.parsing = parsing
            self.htmlParser = htmlParser
            self.fallbackEncoding = fallbackEncoding
            self.detection = detection
            self.expectsContent = expectsContent
        }
    }

    /// Determines the type of the response's body, decodes and parses it, or uses the result of parsing as it
    /// arrived.
    init(
        _ response: WebResponse,
        _ settings: Settings,
        _ arrived: ArrivedHTML? = nil
    ) throws(ParsingError) {
        mediaType = try Self.mediaType(of: response, settings.overrides)
        kind = PageKind(mediaType)
        let label = try Self.transportLabel(mediaType, settings.overrides)
        var replacements = 0
        var parsed: ParserResult?
        switch kind {
        case .other: detection = nil
        case .text:
            let text = DecodedText(
                response.body,
                settings.detection ?? Self.textDetection(response.body, label, settings)
            )
            detection = text.detection
            replacements = text.replacementCount
        case .xhtml, .feed, .xml:
            let found = settings.detection ?? .xml(response.body.span, transportLabel: label)
            let text = DecodedText(response.body, found)
            detection = found
            replacements = text.replacementCount
            // An empty document is not XML, but a response without content is not an error.
            guard Self.hasContent(response, settings) else { break }
            parsed = try unsafe text.withUTF8 { (utf8) throws(ParsingError) in
                try unsafe LibXML2Parser(kind: .xml, settings: settings.parsing).parse(utf8)
            }
        case .html:
            let found =
                settings.detection
                ?? Self.local(
                    .html(response.body.span, transportLabel: label, fallback: settings.fallbackEncoding),
                    response,
                    settings
                )
            var made = arrived.flatMap { $0.detection == found ? $0 : nil }
            if made == nil { made = try Self.parse(response.body, found, settings) }
            if let changed = Self.change(found, made?.page.encodingDeclarations ?? []) {
                made = try Self.parse(response.body, changed, settings)
            }
            detection = made?.detection
            replacements = made?.replacementCount ?? 0
            parsed = made?.page
        }
        document = parsed?.document
        document?.context = Document.Context(
            fragment: Self.fragment(of: response.url),
            contentLanguage: response.headerFields[.contentLanguage],
            size: response.body.count
        )
        limits = parsed?.limits ?? []
        errors = parsed?.errors ?? ParseErrors()
        warnings = Self.warnings(replacements, detection) + (parsed?.warnings ?? [])
    }

    /// Whether a response may contain a document, even an empty one.
    ///
    /// [RFC 9110, section 6.4.1](https://www.rfc-editor.org/rfc/rfc9110#section-6.4.1)
    private static func hasContent(_ response: WebResponse, _ settings: Settings) -> Bool {
        guard response.body.isEmpty, let status = response.status else { return true }
        return settings.expectsContent && status != 204 && status != 205 && status != 304
    }

    private static func parse(
        _ body: [UInt8],
        _ detection: EncodingDetection,
        _ settings: Settings
    ) throws(ParsingError) -> ArrivedHTML {
        let text = DecodedText(body, detection)
        let page = try unsafe text.withUTF8 { (utf8) throws(ParsingError) in
            switch settings.htmlParser {
            case .html5: try unsafe StandardHTMLParser(settings: settings.parsing).parse(utf8)
            case .libxml2: try unsafe LibXML2Parser(kind: .html, settings: settings.parsing).parse(utf8)
            }
        }
        return ArrivedHTML(detection: detection, page: page, replacementCount: text.replacementCount)
    }

    /// The fragment that a URL ends with, percent-decoded; nil without one.
    private static func fragment(of url: WebURL) -> String? {
        let fragment = Array(url.hash.utf8.dropFirst())
        guard !fragment.isEmpty else { return nil }
        return String(decoding: PercentDecoding.decode(fragment.span), as: UTF8.self)
    }

    // MARK: - The type

    /// The computed MIME type.
    package static func mediaType(
        of response: WebResponse,
        _ overrides: ContentOverrides
    ) throws(ParsingError) -> MediaType {
        if let name = overrides.mimeType {
            guard let type = MediaType(name) else {
                throw ParsingError(.unsupportedType, "\"\(name)\" is not a MIME type")
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

    /// The encoding label from the Content-Type, or the caller's override.
    static func transportLabel(
        _ type: MediaType,
        _ overrides: ContentOverrides
    ) throws(ParsingError) -> String? {
        guard let name = overrides.textEncodingName else { return type[parameter: "charset"] }
        guard TextEncoding(label: name) != nil else {
            throw ParsingError(.unknownEncoding, "\"\(name)\" is not an encoding of the Encoding standard")
        }
        return name
    }

    /// The encoding of a local page that does not declare one: UTF-8 if it is valid UTF-8 and not just ASCII.
    ///
    /// Browsers do this for files. On the web, it would discourage servers from declaring the encoding.
    static func local(
        _ detection: EncodingDetection,
        _ response: WebResponse,
        _ settings: Settings
    ) -> EncodingDetection {
        guard detection.source == .fallback, settings.isLocal || response.source == .file,
            response.body.contains(where: { $0 >= 0x80 }), TextDecoder.isValidUTF8(response.body.span)
        else { return detection }
        return EncodingDetection(encoding: .utf8, source: .fallback, confidence: detection.confidence)
    }

    /// The encoding of plain text: from a byte order mark or the transport, else UTF-8 if valid.
    private static func textDetection(
        _ body: [UInt8],
        _ label: String?,
        _ settings: Settings
    ) -> EncodingDetection {
        let fallback = TextDecoder.isValidUTF8(body.span) ? .utf8 : settings.fallbackEncoding
        // The first three bytes can contain a byte order mark, but no declaration.
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

    private static func warnings(_ replacements: Int, _ detection: EncodingDetection?) -> [String] {
        guard replacements > 0, let detection else { return [] }
        return ["\(replacements) malformed sequences of \(detection.encoding.name) were replaced by U+FFFD"]
    }
}

extension HTMLEncodingDeclaration {
    /// The encoding that it names, nil if it is unknown.
    fileprivate var encoding: TextEncoding? {
        switch self {
        case .charset(let label): TextEncoding(label: label)
        case .contentType(let content): TextEncoding(metaContent: content)
        }
    }
}
