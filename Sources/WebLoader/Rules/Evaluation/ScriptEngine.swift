/// Runs the script steps of a recipe; one engine serves one page, followed pages with it.
protocol ScriptEngine: AnyObject {
    /// Compiles a script without running it.
    ///
    /// - Parameters:
    ///   - source: The script.
    ///   - name: The rule, for messages.
    /// - Throws: ``RuleError`` with ``RuleError/Code/invalid``; its line is that of the script, from 1.
    func check(_ source: String, name: String) throws(RuleError)

    /// Runs a script.
    ///
    /// - Parameters:
    ///   - source: The script; engines keep what they compiled of it.
    ///   - name: The rule, for messages.
    ///   - node: What `document` is: the page, or the element in hand.
    ///   - context: What else it sees.
    /// - Returns: What it returned; null for nothing.
    /// - Throws: ``RuleFailure``: it does not compile, failed, or used up a budget.
    func run(
        _ source: String,
        name: String,
        on node: Node,
        context: ScriptContext
    ) throws(RuleFailure) -> JSONValue
}

/// What a script sees besides its node.
struct ScriptContext {
    /// Against what `url.resolve` resolves.
    let baseURL: WebURL

    /// What to do with what it logs.
    let log: (String) throws(RuleFailure) -> Void
}
