extension Recipe {
    /// Reads a recipe.
    ///
    /// Patterns and scripts are compiled only when it is run, or by ``check()``.
    ///
    /// O(n) in its length and in the number of values that its anchors repeat, which is bounded.
    ///
    /// - Parameters:
    ///   - source: YAML or JSON, in UTF-8, 1 MiB at most.
    ///   - file: The name of the recipe's file, for messages.
    /// - Throws: ``RuleError`` with ``RuleError/Code/invalid``; its message says what was expected and what
    ///   was found.
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
    ///   - file: The name of the recipe's file, for messages.
    /// - Throws: ``RuleError`` with ``RuleError/Code/invalid``; its message says what was expected and what
    ///   was found.
    public init(_ text: String, file: String? = nil) throws(RuleError) {
        try self.init(parsing: Array(text.utf8), file: file)
    }
}
