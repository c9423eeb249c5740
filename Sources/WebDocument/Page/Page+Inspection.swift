import HTTPTypes

extension Page {
    /// Every reference that the page makes, absolute, in document order; those of header fields first; only
    /// these for a page that is not parsed.
    ///
    /// Collected again on each call, O(n) in the page's size. The links of a page that was made to exhaust
    /// memory, by a million references to a base URL of a megabyte, are incomplete (``inspectionLimits``).
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var links: [Link] {
        get throws(ParsingError) {
            let document = try document
            return try inspecting { budget in
                var collector = LinkCollector(
                    documentURL: fallbackBaseURL,
                    base: baseURL,
                    encoding: encoding?.encoding ?? .utf8,
                    budget,
                    limits: settings.parsing.limits
                )
                if let link = HTTPField.Name("Link"), let refresh = HTTPField.Name("Refresh") {
                    collector.collect(
                        linkFields: response.values(link),
                        refreshFields: response.values(refresh),
                        responseURL: response.url
                    )
                }
                if let document { collector.collect(document) }
                return collector.links
            }
        }
    }
}
