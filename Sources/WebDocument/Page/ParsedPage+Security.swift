extension ParsedPage {
    /// The security settings of the page's header fields and of `meta` elements in its head.
    ///
    /// Not kept. Complexity: O(n) in the length of the fields and in the elements of the head.
    public var securityFields: SecurityFields {
        SecurityFields(response, metaPolicies: document?.metaPolicies ?? [])
    }
}
