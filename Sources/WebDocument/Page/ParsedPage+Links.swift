import HTTPTypes

extension ParsedPage {
    /// Every reference that the page makes, absolute, in document order; those of header fields first; only
    /// these for a page that is not parsed.
    ///
    /// The links of a page that was made to exhaust memory, by a million references to a base URL of a megabyte, are
    /// incomplete (``inspectionLimits``).
    public var links: [Link] {
        kept(\.links) { budget in
            var collector = LinkCollector(
                documentURL: facts.fallbackBaseURL,
                base: baseURL,
                encoding: encoding?.encoding ?? .utf8,
                budget,
                limits: facts.settings.parsing.limits
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
