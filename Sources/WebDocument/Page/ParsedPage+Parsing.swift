extension ParsedPage {
    /// Parses a string of HTML.
    ///
    ///     let page = try ParsedPage(html: "<title>Tea</title><a href=green>Green</a>", baseURL: WebURL("https://example.com/"))
    ///
    /// It blocks the calling thread while it parses, O(n) in the string's length.
    ///
    /// - Parameters:
    ///   - html: The HTML. Its declarations of an encoding are ignored.
    ///   - baseURL: The URL against which its references are resolved; nil for `about:blank`.
    ///   - limits: The limits for the tree and for what is gathered from it.
    /// - Throws: ``ParsingError``, if there is not enough memory.
    public convenience init(
        html: String,
        baseURL: WebURL? = nil,
        limits: LoadLimits = LoadLimits()
    ) throws(ParsingError) {
        let overrides = ContentOverrides(mimeType: "text/html", baseURL: baseURL)
        try self.init(Array(html.utf8), overrides, detection: .text, limits)
    }

    /// Parses bytes.
    ///
    /// It blocks the calling thread while it parses, O(n) in the number of bytes.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - mimeType: Their type; nil to detect it from the bytes.
    ///   - textEncodingName: A label of the Encoding standard; nil to detect the encoding from the bytes.
    ///   - baseURL: The URL against which references are resolved; nil for `about:blank`.
    ///   - limits: The limits for the tree and for what is gathered from it.
    /// - Throws: ``ParsingError``, if there is not enough memory or a name is unknown.
    public convenience init(
        data: [UInt8],
        mimeType: String? = nil,
        textEncodingName: String? = nil,
        baseURL: WebURL? = nil,
        limits: LoadLimits = LoadLimits()
    ) throws(ParsingError) {
        let overrides = ContentOverrides(
            mimeType: mimeType,
            textEncodingName: textEncodingName,
            baseURL: baseURL
        )
        try self.init(data, overrides, detection: nil, limits)
    }

    private convenience init(
        _ body: [UInt8],
        _ overrides: ContentOverrides,
        detection: EncodingDetection?,
        _ limits: LoadLimits
    ) throws(ParsingError) {
        var settings = PageContent.Settings(
            overrides: overrides,
            parsing: ParsingSettings(limits: limits),
            detection: detection
        )
        settings.parsing.startClock()
        let url = overrides.baseURL ?? .aboutBlank
        try self.init(WebResponse(url: url, status: nil, body: body, source: .memory), settings)
    }
}
