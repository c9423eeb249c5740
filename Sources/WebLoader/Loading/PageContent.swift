import HTTPTypes

/// What is made of a response's bytes: a type, an encoding, and a text or a document.
struct PageContent: Sendable {
    let mediaType: MediaType
    let kind: PageKind

    /// Nil for what is no text.
    let detection: EncodingDetection?

    /// Nil for what is not parsed.
    let document: Document?

    /// What was put right, in words.
    let warnings: [String]

    /// The limits that were met.
    let limits: [ReachedLimit]

    /// The parse errors, where they were asked for.
    let errors: ParseErrors

    /// What a page is made with.
    struct Settings: Sendable {
        var overrides = ContentOverrides()
        var parsing = ParsingSettings()
        var htmlParser = HTMLParserChoice.html5
        var fallbackEncoding = TextEncoding.windows1252
        /// A detection that stands already: of text that came as a string, or of an earlier parse.
        var detection: EncodingDetection?
        /// Whether a response to the request has content at all: not one to HEAD.
        var expectsContent = true
        /// Whether the bytes come from this machine though no file says so: from standard input.
        var isLocal = false
    }

    /// Judges, decodes and parses the response's body, or takes what was made of it as it arrived.
    init(
        _ response: WebResponse,
        _ settings: Settings,
        _ arrived: ArrivedHTML? = nil
    ) throws(ParsingError) {
        mediaType = try Self.mediaType(of: response, settings.overrides)
        kind = PageKind(mediaType)
        let label = try Self.transportLabel(mediaType, settings.overrides)
        var replacements = 0
        var parsed: ParsedPage?
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
            // An empty document is none of XML; what has no document has nothing wrong with it.
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
        document?.surroundings = Document.Surroundings(
            fragment: Self.fragment(of: response.url),
            contentLanguage: response.headerFields[.contentLanguage],
            size: response.body.count
        )
        limits = parsed?.limits ?? []
        errors = parsed?.errors ?? ParseErrors()
        warnings = Self.warnings(replacements, detection) + (parsed?.warnings ?? [])
    }

    /// Whether there may be a document in a response, empty as it may be.
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
    static func mediaType(
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
    static func transportLabel(
        _ type: MediaType,
        _ overrides: ContentOverrides
    ) throws(ParsingError) -> String? {
        guard let name = overrides.textEncodingName else { return type[parameter: "charset"] }
        guard TextEncoding(label: name) != nil else {
            throw ParsingError(.unknownEncoding, "\"\(name)\" is no encoding of the Encoding standard")
        }
        return name
    }

    /// The encoding of a page of this machine that says nothing of it: UTF-8 where it fits more than ASCII.
    ///
    /// Browsers read files so. On the web it would keep servers from saying what they send.
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

    private static func warnings(_ replacements: Int, _ detection: EncodingDetection?) -> [String] {
        guard replacements > 0, let detection else { return [] }
        return ["\(replacements) malformed sequences of \(detection.encoding.name) were replaced by U+FFFD"]
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
