extension Page {
    /// What the page's response, and `meta` elements in its head, say of security.
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
