import HTTPTypes

/// The data from which a worker creates the same page: the response's bytes, and the settings.
package struct PageTransfer {
    package var url: WebURL
    var body: [UInt8]
    var contentLanguage: String?
    package var settings: PageContent.Settings

    /// Creates the transfer of a response.
    package init(_ response: WebResponse, _ settings: PageContent.Settings) throws(ParsingError) {
        url = response.url
        body = response.body
        contentLanguage = response.values(.contentLanguage).last
        self.settings = settings
        self.settings.isLocal = settings.isLocal || response.source == .file
        // The header fields are not transferred, so the type is passed as an override.
        self.settings.overrides.mimeType = try PageContent.mediaType(of: response, settings.overrides)
            .description
    }

    /// Parses the page.
    func parsed() throws(ParsingError) -> ParsedPage {
        var response = WebResponse(url: url, status: nil, body: body, source: .memory)
        if let contentLanguage { response.headerFields[.contentLanguage] = contentLanguage }
        var settings = settings
        settings.parsing.startClock()
        return try ParsedPage(response, settings)
    }
}

// MARK: - As bytes

extension PageTransfer {
    package var page: WorkerRequest.Page { WorkerRequest.Page(description: description, body: body) }

    private var description: [UInt8] {
        var record = RecordWriter()
        record.write(url.href)
        record.write(contentLanguage)
        record.write(settings.overrides.mimeType)
        record.write(settings.overrides.textEncodingName)
        record.write(settings.overrides.baseURL?.href)
        record.write(settings.htmlParser.rawValue)
        record.write(settings.fallbackEncoding.name)
        record.write(settings.isLocal)
        record.write(settings.detection != nil)
        if let detection = settings.detection {
            record.write(detection.encoding.name)
            record.write(detection.source.rawValue)
            record.write(detection.confidence.rawValue)
            record.write(detection.byteOrderMarkLength)
        }
        let limits = settings.parsing.limits
        record.write(limits.maximumSeconds != nil)
        record.write(limits.maximumSeconds ?? 0)
        for limit in [
            limits.maximumDepth, limits.maximumNodes, limits.maximumAttributes, limits.maximumTextLength,
        ] {
            record.write(limit)
        }
        record.write(limits.maximumTreeMemory != nil)
        record.write(limits.maximumTreeMemory ?? 0)
        return record.bytes
    }

    init(_ page: WorkerRequest.Page) throws(RecordReader.Malformed) {
        var record = RecordReader(page.description)
        url = try record.url()
        body = page.body
        contentLanguage = try record.optionalText()
        settings = PageContent.Settings()
        settings.overrides.mimeType = try record.optionalText()
        settings.overrides.textEncodingName = try record.optionalText()
        if try record.flag() { settings.overrides.baseURL = try record.url() }
        guard let parser = HTMLParserKind(rawValue: try record.text()) else {
            throw RecordReader.Malformed()
        }
        settings.htmlParser = parser
        settings.fallbackEncoding = try record.encoding()
        settings.isLocal = try record.flag()
        if try record.flag() { settings.detection = try record.detection() }
        var limits = LoadLimits()
        let hasTime = try record.flag()
        let time = try record.number()
        limits.maximumSeconds = hasTime ? time : nil
        limits.maximumDepth = try record.integer()
        limits.maximumNodes = try record.integer()
        limits.maximumAttributes = try record.integer()
        limits.maximumTextLength = try record.integer()
        let hasTreeMemory = try record.flag()
        let treeMemory: Int = try record.integer()
        limits.maximumTreeMemory = hasTreeMemory ? treeMemory : nil
        settings.parsing.limits = limits
    }
}

extension RecordReader {
    fileprivate mutating func url() throws(Malformed) -> WebURL {
        let text = try text()
        do throws(WebURLError) {
            return try WebURL(text)
        } catch {
            throw Malformed()
        }
    }

    fileprivate mutating func encoding() throws(Malformed) -> TextEncoding {
        guard let encoding = TextEncoding(label: try text()) else { throw Malformed() }
        return encoding
    }

    fileprivate mutating func detection() throws(Malformed) -> EncodingDetection {
        let encoding = try encoding()
        guard let source = EncodingDetection.Source(rawValue: try text()),
            let confidence = EncodingDetection.Confidence(rawValue: try text())
        else { throw Malformed() }
        return EncodingDetection(
            encoding: encoding,
            source: source,
            confidence: confidence,
            byteOrderMarkLength: try integer()
        )
    }
}
