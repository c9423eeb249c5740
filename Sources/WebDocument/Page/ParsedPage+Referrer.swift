import WebStandards

extension ParsedPage {
    /// What of the page's URL is told to the servers that its links lead to: what its response says, unless a `meta` element says
    /// otherwise.
    ///
    /// Complexity: O(n) in the size of the page.
    ///
    /// [Referrer policy delivery](https://w3c.github.io/webappsec-referrer-policy/#referrer-policy-delivery)
    package var referrerPolicy: ReferrerPolicy {
        var policy = ReferrerPolicy(response.headerFields) ?? .strictOriginWhenCrossOrigin
        // The selector is valid, and where the page is too large for it, what the response says holds.
        let nodes = (try? document?.querySelectorAll("meta[name=referrer i][content]")) ?? nil
        for node in nodes ?? [] {
            if let stated = node.attribute("content").flatMap({ ReferrerPolicy(metaContent: $0) }) {
                policy = stated
            }
        }
        return policy
    }
}
