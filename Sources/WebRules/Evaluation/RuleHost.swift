/// Loads the pages that rules follow.
package protocol RuleHost {
    /// Loads a page, under the cache policy and the limits of the page that leads to it.
    ///
    /// Loading time does not count against the budget.
    ///
    /// - Parameters:
    ///   - url: An absolute URL; its scheme is `http`, `https` or that of the page that links to it.
    ///   - origin: The page that links to it.
    /// - Returns: The page.
    /// - Throws: ``RuleFailure/rule(_:)`` with ``RuleError/Code/failed`` if the page cannot be loaded.
    func page(at url: WebURL, from origin: RulePage) throws(RuleFailure) -> RulePage
}

/// A page that rules are evaluated on.
package struct RulePage: Sendable {
    let document: Document

    /// The URL against which references are resolved.
    let baseURL: WebURL

    /// The URL that the page came from.
    let source: WebURL

    /// Its index among the pages of the run, set by the host that loads it; 0 for the first.
    var number = 0
}
