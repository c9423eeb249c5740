extension Recipe {
    /// Reads a recipe.
    ///
    /// Patterns and scripts are looked at when it is run.
    ///
    /// Complexity: O(n) in its length, and in what its anchors repeat, which is bounded.
    ///
    /// - Parameters:
    ///   - source: YAML or JSON, in UTF-8, 1 MiB at most.
    ///   - file: Where it comes from, for messages.
    /// - Throws: ``RuleError`` with ``RuleError/Code/invalid``: what was expected where, and what is there instead.
    public init(parsing source: [UInt8], file: String? = nil) throws(RuleError) {
        let node = try RecipeText.read(source, file: file)
        var reader = RecipeReader()
        fields = try reader.recipe(node)
        rules = reader.rules
        self.source = source
        self.file = file
    }

    /// Reads a recipe.
    ///
    /// - Parameters:
    ///   - text: YAML or JSON, 1 MiB at most.
    ///   - file: Where it comes from, for messages.
    /// - Throws: ``RuleError`` with ``RuleError/Code/invalid``: what was expected where, and what is there instead.
    public init(_ text: String, file: String? = nil) throws(RuleError) {
        try self.init(parsing: Array(text.utf8), file: file)
    }
}
