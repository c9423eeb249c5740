/// Settings of the caller that override those of the server or the page.
public struct ContentOverrides: Hashable, Sendable {
    /// The MIME type, in place of the Content-Type field and of sniffing; nil for no override.
    public var mimeType: String?

    /// A label of the Encoding standard, as "shift_jis", in place of the Content-Type field's charset.
    ///
    /// A byte order mark still wins.
    public var textEncodingName: String?

    /// The URL used in place of the page's own to resolve its references.
    public var baseURL: WebURL?

    /// Creates overrides; nil overrides nothing.
    public init(mimeType: String? = nil, textEncodingName: String? = nil, baseURL: WebURL? = nil) {
        self.mimeType = mimeType
        self.textEncodingName = textEncodingName
        self.baseURL = baseURL
    }

    /// Returns the overrides that apply to a response: a page made by scripts is HTML in UTF-8, whatever it was served
    /// as.
    package func applied(to response: WebResponse) -> ContentOverrides {
        guard response.source == .rendered else { return self }
        return ContentOverrides(mimeType: "text/html", textEncodingName: "utf-8", baseURL: baseURL)
    }
}
