extension Page {
    /// The forms of the page, in document order, without those in templates.
    ///
    /// Gathered anew each time, O(n) in the page's size. URLs have a bound, as with ``images``.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var forms: [Form] {
        get throws(ParsingError) {
            guard let document = try document else { return [] }
            var collector = FormCollector(document)
            collector.collect()
            guard collector.hasForms else { return [] }
            var assembler = FormAssembler(
                document,
                documentURL: fallbackBaseURL,
                encoding: encoding?.encoding ?? .utf8,
                resolver: BoundedResolver(self)
            )
            return assembler.forms(of: collector)
        }
    }
}
