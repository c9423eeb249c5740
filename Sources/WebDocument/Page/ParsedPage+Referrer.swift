import WebStandards

extension ParsedPage {
    /// The policy for sending the page's URL to the servers that its links lead to: that of its response, unless a
    /// `meta` element states another.
    ///
    /// Complexity: O(n) in the size of the page.
    ///
    /// [Referrer policy delivery](https://w3c.github.io/webappsec-referrer-policy/#referrer-policy-delivery)
    package var referrerPolicy: ReferrerPolicy {
        var policy = ReferrerPolicy(response.headerFields) ?? .strictOriginWhenCrossOrigin
        // The selector is valid, and where the page is too large for it, the policy of the response holds.
        let nodes = (try? document?.querySelectorAll("meta[name=referrer i][content]")) ?? nil
        for node in nodes ?? [] {
            if let stated = node.attribute("content").flatMap({ ReferrerPolicy(metaContent: $0) }) {
                policy = stated
            }
        }
        return policy
    }
}
