extension Page {
    /// The security settings of the page's header fields and of `meta` elements in its head.
    ///
    /// Complexity: O(n) in the length of the fields and in the elements of the head.
    ///
    /// - Throws: ``ParsingError`` as ``document``.
    public var securityFields: SecurityFields {
        get throws(ParsingError) {
            SecurityFields(response, metaPolicies: try document?.metaPolicies ?? [])
        }
    }
}
