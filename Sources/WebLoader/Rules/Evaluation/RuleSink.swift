/// Where results go as they are finished, so that a run that is ended leaves what it had.
protocol RuleSink: AnyObject {
    /// A rule is taken up; `index` is its place in ``Recipe/rules``. Called often: once a match inside an `each`.
    ///
    /// - Throws: ``RuleFailure`` if the run has to end here.
    func begin(rule index: Int) throws(RuleFailure)

    /// A field of the recipe itself has its value. Fields come in the recipe's order.
    ///
    /// - Throws: ``RuleFailure`` if the run has to end here.
    func finish(
        field: String,
        value: JSONValue,
        provenance: [Provenance]
    ) throws(RuleFailure)

    /// A rule failed, or the page drifted.
    func report(_ error: RuleError)

    /// A script said something.
    func log(_ text: String)
}
