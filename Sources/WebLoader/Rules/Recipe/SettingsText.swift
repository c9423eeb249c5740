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

    /// Reads a file; nil if there is none.
    package static func read(file path: String) throws(RuleError) -> [Entry]? {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try FileReader.read(path: path, maximumSize: RecipeNode.Limit.length + 1)
        } catch {
            if error.code == .notFound { return nil }
            throw RuleError(.invalid, error.message, at: RecipePlace(file: path, line: 1, column: 1))
        }
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
