/// Receives results as they are finished, so that a run that is ended early keeps its results so far.
protocol RuleSink: AnyObject {
    /// The evaluation of a rule begins or continues; `index` is its index in ``Recipe/rules``.
    ///
    /// Called often: at least once per match inside an `each`.
    ///
    /// - Throws: ``RuleFailure`` if the run has to end here.
    func begin(rule index: Int) throws(RuleFailure)

    /// A top-level field of the recipe has its value; fields come in the recipe's order.
    ///
    /// - Throws: ``RuleFailure`` if the run has to end here.
    func finish(
        field: String,
        value: JSONValue,
        provenance: [Provenance]
    ) throws(RuleFailure)

    /// A rule failed, or the page drifted.
    func report(_ error: RuleError)

    /// A script logged a text.
    func log(_ text: String)
}
