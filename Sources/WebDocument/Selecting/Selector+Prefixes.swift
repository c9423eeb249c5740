extension Selector {
    /// For each selector of the list, its prefixes up to each of its simple selectors: for `ul > li.a` these
    /// are `ul`, `ul > li` and `ul > li.a`.
    ///
    /// Counting the matches of each prefix shows where a selector stops matching.
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
