/// Runs the script steps of a recipe; one engine serves one page and the pages followed from it.
protocol ScriptEngine: AnyObject {
    /// Compiles a script without running it.
    ///
    /// - Parameters:
    ///   - source: The script.
    ///   - name: The rule, for messages.
    /// - Throws: ``RuleError`` with ``RuleError/Code/invalid``; its message names the line of the script.
    func check(_ source: String, name: String) throws(RuleError)

    /// Runs a script.
    ///
    /// - Parameters:
    ///   - source: The script; an engine may keep its compiled form.
    ///   - name: The rule, for messages.
    ///   - node: The value of `document` in the script: the page, or the current element.
    ///   - context: The base URL and the log of the script.
    /// - Returns: The value that the script returned; null for nothing.
    /// - Throws: ``RuleFailure`` if the script does not compile, fails or exceeds a budget.
    func run(
        _ source: String,
        name: String,
        on node: Node,
        context: ScriptContext
    ) throws(RuleFailure) -> JSONValue
}

/// The data and functions that a script can access besides its node.
struct ScriptContext {
    /// The URL against which `url.resolve` resolves.
    let baseURL: WebURL

    /// Receives each text that the script logs.
    let log: (String) throws(RuleFailure) -> Void
}
