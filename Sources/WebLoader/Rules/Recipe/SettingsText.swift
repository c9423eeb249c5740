/// Reads a command's configuration file: a mapping of names to values, in YAML or JSON.
package enum SettingsText {
    /// A name, its value, and where it stands.
    package struct Entry {
        package let name: String
        package let value: JSONValue
        /// The line, from 1.
        package let line: Int
        /// The column, from 1.
        package let column: Int
    }

    /// Seconds that a pipe in the place of a file may take.
    private static let patience = 5.0

    /// The bytes of a file that is the user's by its place.
    package static func source(ofFile path: String) throws(FileError) -> [UInt8] {
        try FileReader.read(
            path: path,
            maximumSize: RecipeNode.Limit.length + 1,
            within: WaitLimit(seconds: patience)
        )
    }

    /// The bytes of a file that may be a stranger's: no link, no pipe, and nobody else's.
    package static func source(ofFoundFile path: String) throws(FileError) -> [UInt8] {
        try FileReader.read(own: path, maximumSize: RecipeNode.Limit.length + 1)
    }

    /// Reads what a file says.
    package static func read(_ bytes: [UInt8], file path: String) throws(RuleError) -> [Entry] {
        guard bytes.contains(where: { !$0.isASCIIWhitespace }) else { return [] }
        let node = try RecipeText.read(bytes, file: path)
        switch node.content {
        case .mapping(let entries):
            return entries.map { entry in
                Entry(
                    name: entry.key,
                    value: entry.value.json,
                    line: entry.place.line,
                    column: entry.place.column
                )
            }
        // A file of comments alone.
        case .scalar(.null): return []
        case .scalar, .list:
            throw RuleError(
                .invalid,
                "settings are names with values, not \(node.description)",
                at: node.place
            )
        }
    }
}
