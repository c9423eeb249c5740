/// The form controls of a page, as far as they tell a form and a page of search results from others.
struct PageControls {
    /// Controls in which something is entered, without those for searching and choosing.
    private var fields = 0

    /// Whether a field has the value that the query of the page's URL has under its name, as a search field does.
    private(set) var echoesQuery = false

    /// The entries of the query.
    private let query: [URLSearchParameters.Entry]

    /// Begins with a page.
    ///
    /// - Parameter url: Its URL; nil where it has none.
    init(_ url: WebURL?) {
        let query = url?.query ?? ""
        self.query =
            query.isEmpty || query.utf8.count > Self.longestQuery
            ? [] : URLSearchParameters(parsing: query).entries
    }

    /// Bytes of the longest query that is looked at.
    private static let longestQuery = 500

    /// Characters of text that count as much as a field.
    private static let fieldLength: Float = 100

    /// Adds an element.
    mutating func add(_ element: TreeNode) {
        if element.hasName("input") {
            let type = element.attribute("type").map { String(asciiLowercasing: $0.utf8) } ?? "text"
            switch type {
            case "search", "text":
                if !echoesQuery, isEcho(element) { echoesQuery = true }
                if type == "text" { fields += 1 }
            case "checkbox", "radio", "range", "hidden", "submit", "button", "reset", "image", "color": break
            default: fields += 1
            }
        } else if element.hasName("textarea") || element.hasName("select") {
            fields += 1
        }
    }

    private func isEcho(_ field: TreeNode) -> Bool {
        guard !query.isEmpty, let name = field.attribute("name"), let value = field.attribute("value"),
            !value.isEmpty
        else { return false }
        return query.contains { $0.name == name && $0.value == value }
    }

    /// Weighs the fields of a page against its text.
    ///
    /// - Parameter length: Characters of its text.
    /// - Returns: The share of the fields, from 0 to 1; 0 where there are fewer than two.
    func formShare(beside length: Int) -> Float {
        guard fields > 1 else { return 0 }
        let fields = Float(fields) * Self.fieldLength
        return fields / (fields + Float(length))
    }
}
