extension MediaType {
    /// The MIME type of a message's Content-Type field lines, or nil if none is valid.
    ///
    /// The last valid one counts; it inherits the charset of those before it if they have the same essence
    /// and it has none. `*/*` is ignored.
    ///
    /// - Parameter lines: the values of the field lines in order; each may be a list.
    /// - Returns: the type, or nil.
    /// - Complexity: O(*n*) in the length of the lines.
    ///
    /// [Fetch: extract a MIME type](https://fetch.spec.whatwg.org/#concept-header-extract-mime-type)
    public static func extract(fromContentTypeFields lines: [String]) -> MediaType? {
        // 1.-3.
        var charset: String?
        var mimeType: MediaType?
        // 4.-6.
        for value in fieldValues(decodingAndSplitting: lines) {
            guard var candidate = MediaType(value), !candidate.isEssence("*", "*") else { continue }
            let isSameEssence = candidate.type == mimeType?.type && candidate.subtype == mimeType?.subtype
            if !isSameEssence {
                charset = candidate[parameter: "charset"]
            } else if candidate[parameter: "charset"] == nil, let charset {
                candidate.parameters.append(Parameter(name: "charset", value: charset))
            }
            mimeType = candidate
        }
        // 7.-8.
        return mimeType
    }

    /// A field's value as a list: its lines joined, cut at the commas outside of quoted strings, and trimmed.
    ///
    /// An unclosed quoted string extends over all that follows, other lines included; no lines give no
    /// values.
    ///
    /// [Fetch: get, decode, and split](https://fetch.spec.whatwg.org/#concept-header-list-get-decode-split)
    static func fieldValues(decodingAndSplitting lines: [String]) -> [String] {
        guard !lines.isEmpty else { return [] }
        // Not with `joined`, which makes the runtime search all protocol conformances
        // (docs/decisions/0001-start-up.md).
        var scanner = FieldScanner(lines.dropFirst().reduce(lines[0]) { "\($0), \($1)" })
        var values: [String] = []
        while true {
            scanner.skip(while: \.isHTTPTabOrSpace)
            let start = scanner.position
            scanner.skipListElement()
            let value = scanner.trimmingEnd(of: start..<scanner.position, while: \.isHTTPTabOrSpace)
            values.append(scanner.text(value))
            guard scanner.skip(UInt8(ascii: ",")) else { return values }
        }
    }
}
