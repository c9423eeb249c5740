extension String {
    /// The first Unicode scalars of it.
    ///
    /// A character may have any number of scalars, so a text that is to be short is not cut by characters.
    package func prefix(scalars count: Int) -> String {
        guard utf8.count > count else { return self }
        return String(UnicodeScalarView(unicodeScalars.prefix(count)))
    }

    /// The text as messages have it, where a page or a line may have made it long: 100 Unicode scalars of it at most.
    package var shortened: String {
        let start = prefix(scalars: 100)
        return start.utf8.count == utf8.count ? self : start + "…"
    }
}
