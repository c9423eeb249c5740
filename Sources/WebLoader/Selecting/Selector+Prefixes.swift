extension Selector {
    /// For each selector of the list, what it is after each of its simple selectors: of `ul > li.a` these are `ul`,
    /// `ul > li` and `ul > li.a`.
    ///
    /// Counting what each of them matches shows where a selector stops matching.
    public var prefixes: [[String]] {
        let bytes = Array(text.utf8)
        return program.complexes(of: program.root).map { complex in
            let compounds = Int(complex.first)..<Int(complex.first &+ complex.count)
            return compounds.flatMap { program.ends[$0] }.map { end in
                String(decoding: bytes[complex.range.lowerBound..<end], as: UTF8.self)
            }
        }
    }
}
