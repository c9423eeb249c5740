import WebLoader

/// The options of `select`, besides those of every command that parses a page.
struct SelectOptions: Equatable {
    /// A selector or an expression, and the name to give its matches.
    struct Query: Equatable {
        var name: String?
        var text: String

        init(name: String? = nil, text: String) {
            self.name = name
            self.text = text
        }

        /// Parses "NAME=SELECTOR".
        init(assignment: String) throws(Failure) {
            guard let equals = assignment.firstIndex(of: "="), equals > assignment.startIndex else {
                throw Failure(usage: "-e \(assignment)", "not a name and a selector, as in \"title=h1\"")
            }
            name = String(assignment[..<equals])
            text = String(assignment[assignment.index(after: equals)...])
        }
    }

    /// The part of each match that is written as a line of text.
    enum Form: Equatable {
        /// The text inside, white space collapsed.
        case text
        case attribute(String)
        case html
        case path
    }

    /// Selectors as "NAME=SELECTOR".
    var assignments: [String] = []
    /// The queries from the assignments, or from the operand.
    var queries: [Query] = []
    var isCSS = false
    var isXPath = false
    var forms: [Form] = []
    var takesFirst = false
    var counts = false
    var writesLines = false
    var isStrict = false
    var namespaces: [String] = []

    /// Seconds for selecting.
    var budgetTime = 5.0

    var form: Form { forms.first ?? .text }

    /// Sets the queries, from `-e` or the operands of the line: a selector, unless `-e` gave one, and the source.
    mutating func prepare(operands: [String], hasSources: Bool) throws(Failure) -> [String] {
        if isCSS, isXPath { throw Failure(usage: "--css", "not together with --xpath") }
        for assignment in assignments { queries.append(try Query(assignment: assignment)) }
        let selectors = queries.isEmpty ? 1 : 0
        guard operands.count >= selectors + (hasSources ? 0 : 1) else {
            throw Failure(
                usage: "select",
                "expects a selector and a source, or -e NAME=SELECTOR and a source"
            )
        }
        if queries.isEmpty { queries = [Query(text: operands[0])] }
        if !isCSS, queries.allSatisfy({ XPathExpression.isMeant(by: $0.text) }) { isXPath = true }
        guard forms.count <= 1 else {
            throw Failure(usage: "select", "only one of --text, --attribute, --html and --path can be given")
        }
        return Array(operands.dropFirst(selectors))
    }

    /// Parses "PREFIX=NAME" into prefixes and namespaces.
    func namespaceTable() throws(Failure) -> [String: String] {
        var table: [String: String] = [:]
        for namespace in namespaces {
            guard let equals = namespace.firstIndex(of: "=") else {
                throw Failure(usage: "--namespace \(namespace)", "not PREFIX=NAME")
            }
            table[String(namespace[..<equals])] = String(namespace[namespace.index(after: equals)...])
        }
        return table
    }
}
