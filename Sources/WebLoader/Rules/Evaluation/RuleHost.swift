/// Gets the pages that rules follow.
protocol RuleHost {
    /// Loads a page, under the cache policy and the limits of the page that leads to it.
    ///
    /// The time that it takes is outside the budget.
    ///
    /// - Parameters:
    ///   - url: Absolute; `http`, `https` or whatever scheme the page has that leads there.
    ///   - origin: That page.
    /// - Returns: The page.
    /// - Throws: ``RuleFailure/rule(_:)`` with ``RuleError/Code/failed`` if it cannot be had.
    func page(at url: WebURL, from origin: RulePage) throws(RuleFailure) -> RulePage
}

/// A page that rules are evaluated on.
struct RulePage: Sendable {
    let document: Document

    /// Against what references are resolved.
    let baseURL: WebURL

    /// Where it came from.
    let source: WebURL

    /// Its place among the pages of the run, which whoever gets it says; 0 for the first.
    var number = 0
}
