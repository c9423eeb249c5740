public import WebLoader

/// Loading pages.
extension PageSession {
    /// Loads a page from an `http`, `https`, `file` or `data` URL.
    ///
    /// - A URL that differs from that in view by its fragment alone selects another part of the page: an entry is
    ///   added, and nothing is loaded.
    /// - The URL in view is loaded again, and its entry replaced; a form that is sent to it gets an entry of its own.
    /// - A response that has nothing to show (204, 205) leaves the history as it was.
    /// - All other pages are added after the one in view, in place of the entries that followed it.
    ///
    /// - Parameter request: The request for the page.
    /// - Returns: The page, with its entry.
    /// - Throws: `LoadError`: the history is as it was. An HTTP error status is not an error, but a page.
    ///
    /// [Navigate](https://html.spec.whatwg.org/multipage/browsing-the-web.html#navigate)
    @discardableResult
    public func load(_ request: WebRequest) async throws(LoadError) -> Navigation {
        try await load(request, by: .load)
    }

    func load(_ request: WebRequest, by kind: Navigation.Kind) async throws(LoadError) -> Navigation {
        let isPlain = request.httpMethod == "GET" && request.httpBody == nil
        let url = request.url.withoutCredentials
        if isPlain, kind != .form, let current = history.current, url.fragment != nil,
            url.withoutFragment == current.url.withoutFragment
        {
            return try await navigate(.fragment(current), request, by: .fragment)
        }
        let isSame = isPlain && url == history.current?.url
        return try await navigate(.load(replacing: isSame), request, by: kind)
    }

    /// Shows a string of HTML, as an entry of the history.
    ///
    /// - Parameters:
    ///   - string: The HTML. Its declarations of an encoding are ignored.
    ///   - baseURL: The URL against which its references are resolved, and which it has in the history; `nil` for
    ///     `about:blank`.
    /// - Returns: The page, with its entry.
    /// - Throws: `LoadError`.
    @discardableResult
    public func loadHTMLString(_ string: String, baseURL: WebURL?) async throws(LoadError) -> Navigation {
        try await loadData(
            Array(string.utf8),
            mimeType: "text/html",
            textEncodingName: "utf-8",
            baseURL: baseURL
        )
    }

    /// Shows bytes, as an entry of the history.
    ///
    /// - Parameters:
    ///   - data: The bytes.
    ///   - mimeType: Their type; nil to detect it from the bytes.
    ///   - textEncodingName: A label of the Encoding standard; nil to detect the encoding from the bytes.
    ///   - baseURL: The URL against which references are resolved, and which it has in the history; `nil` for
    ///     `about:blank`.
    /// - Returns: The page, with its entry.
    /// - Throws: `LoadError`, "url.unsupported" for an invalid type.
    @discardableResult
    public func loadData(
        _ data: [UInt8],
        mimeType: String?,
        textEncodingName: String?,
        baseURL: WebURL?
    ) async throws(LoadError) -> Navigation {
        var response = WebResponse(url: baseURL ?? .aboutBlank, status: nil, body: data, source: .memory)
        if let mimeType {
            response.headerFields[.contentType] =
                mimeType + (textEncodingName.map { "; charset=\($0)" } ?? "")
        }
        return try await loadSimulated(response)
    }

    /// Shows a given response, as if its server had just sent it.
    ///
    /// - Parameter response: The response, with its body and its URL.
    /// - Returns: The page, with its entry.
    /// - Throws: `LoadError`.
    @discardableResult
    public func loadSimulated(_ response: WebResponse) async throws(LoadError) -> Navigation {
        try await navigate(.show(response), plainRequest(for: response.url), by: .load)
    }
}
