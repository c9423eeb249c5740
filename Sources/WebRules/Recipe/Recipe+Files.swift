extension Recipe {
    /// Reads the bytes of a recipe's file, with a time limit in seconds if it is a pipe; "-" is standard
    /// input.
    package static func source(
        ofFile path: String,
        within seconds: Double? = LoadLimits().maximumSeconds
    ) throws(FileError) -> [UInt8] {
        let limit = WaitLimit(seconds: seconds)
        // One byte more than a recipe may have, so that a recipe that is too long gets the error of the
        // recipe reader.
        if path == "-" {
            return try FileReader.read(
                descriptor: 0,
                name: "standard input",
                maximumSize: RecipeNode.Limit.length + 1,
                within: limit
            )
        }
        return try FileReader.read(path: path, maximumSize: RecipeNode.Limit.length + 1, within: limit)
    }

    /// Compiles the patterns and scripts, which are otherwise compiled only when the recipe is run.
    ///
    /// - Throws: ``RuleError`` with ``RuleError/Code/invalid`` for the first that does not compile.
    public func check() throws(RuleError) {
        guard let engine = LuaEngine(budget: Budget()) else {
            throw RuleError(.unavailable, "not enough memory for the script engine")
        }
        let evaluator = RecipeEvaluator(self, budget: Budget(), engine: engine, host: nil, sink: NoSink())
        try evaluator.check()
    }

    /// The rules' names, in the order in which they are written.
    package var ruleNames: [String] { rules.map(\.name) }

    /// The rules' lines in the recipe, in the same order.
    package var ruleLines: [Int] { rules.map(\.place.line) }

    private final class NoSink: RuleSink {
        func begin(rule index: Int) {}
        func finish(field: String, value: JSONValue, provenance: [Provenance]) {}
        func report(_ error: RuleError) {}
        func log(_ text: String) {}
    }
}
