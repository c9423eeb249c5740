/// What the caller knows better than the server or the page.
public struct ContentOverrides: Hashable, Sendable {
    /// The MIME type, in place of the Content-Type field and of sniffing; nil leaves it to them.
    public var mimeType: String?

    /// A label of the Encoding standard, as "shift_jis", in place of the Content-Type field's charset.
    ///
    /// A byte order mark still wins.
    public var textEncodingName: String?

    /// The URL that stands in for the page's own when its references are resolved.
    public var baseURL: WebURL?

    /// Creates overrides; nil leaves a thing as it is.
    public init(mimeType: String? = nil, textEncodingName: String? = nil, baseURL: WebURL? = nil) {
        self.mimeType = mimeType
        self.textEncodingName = textEncodingName
        self.baseURL = baseURL
    }
}
