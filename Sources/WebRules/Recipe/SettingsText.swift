/// Reads a command's configuration file: a mapping of names to values, in YAML or JSON.
package enum SettingsText {
    /// A name, its value, and its place.
    package struct Entry {
        package let name: String
        package let value: JSONValue
        /// The line, from 1.
        package let line: Int
        /// The column, from 1.
        package let column: Int
    }

    /// How long to wait for a pipe in place of a file, in seconds.
    private static let patience = 5.0

    /// Reads the user's configuration file, whose location makes it trusted.
    package static func source(ofFile path: String) throws(FileError) -> [UInt8] {
        try FileReader.read(
            path: path,
            maximumSize: RecipeNode.Limit.length + 1,
            within: WaitLimit(seconds: patience)
        )
    }

    /// Reads a configuration file that may be untrusted: a link, a pipe, or a file of a user other than this
    /// one and root is refused.
    package static func source(ofFoundFile path: String) throws(FileError) -> [UInt8] {
        try FileReader.read(own: path, maximumSize: RecipeNode.Limit.length + 1)
    }

    /// Reads the entries of a file.
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
        // The file contains only comments.
        case .scalar(.null): return []
        case .scalar, .list:
            throw RuleError(
                .invalid,
                "expected a mapping of settings, found \(node.description)",
                at: node.place
            )
        }
    }
}
