import HTTPTypes

/// The fields of a request that a response's Vary names, and whether another request has the same.
///
/// [RFC 9111, section 4.1](https://www.rfc-editor.org/rfc/rfc9111#section-4.1)
enum VaryingFields {
    typealias Field = (name: String, value: String?)

    /// The request's fields that a response's Vary names, "*" among them, in the order of their names.
    ///
    /// A value is `nil` for a field that the loader itself sends, always the same, and empty for a field that the
    /// request omits. Values are normalised. Authorization is always included if the request has it, so that no one
    /// gets a response for someone else's credentials, and so is the request's own Host field, which selects another
    /// site than the URL's. Values that may be secret are replaced by a digest, since they are written to disk.
    static func of(_ request: WebRequest, _ fields: HTTPFields) -> [Field] {
        var names = selectingFields.filter { request.headerFields[$0] != nil }.map(\.canonicalName)
        names += self.names(in: fields)
        names.sort()
        var varying: [Field] = []
        for name in names where name != varying.last?.name {
            varying.append((name, value(of: name, request)))
        }
        return varying
    }

    /// The field names in a response's Vary, in lower case, "*" among them.
    static func names(in fields: HTTPFields) -> [String] {
        fields[values: .vary].flatMap { line in
            line.utf8.split(separator: UInt8(ascii: ",")).map {
                String(asciiLowercasing: Substring($0).trimmingHTTPWhitespace.utf8)
            }
        }.filter { !$0.isEmpty }
    }

    /// The request fields that select a response even if its Vary does not name them.
    private static let selectingFields: [HTTPField.Name] =
        [.authorization] + [HTTPField.Name("Host")].compactMap(\.self)

    /// The request's values of the fields that another request had.
    static func of(_ request: WebRequest, named names: [Field]) -> [Field] {
        names.map { ($0.name, value(of: $0.name, request)) }
    }

    private static func value(of name: String, _ request: WebRequest) -> String? {
        guard let field = HTTPField.Name(name) else { return nil }
        guard let value = request.headerFields[field] else {
            return request.omittedFields.contains(field) ? "" : nil
        }
        switch name {
        // Their members have weights, so order and spaces do not matter.
        case "accept", "accept-charset", "accept-encoding", "accept-language":
            return WeightedList(value)?.normalized ?? value
        case "user-agent", "dnt", "save-data": return value.trimmingHTTPWhitespace
        default: return digest(of: value.trimmingHTTPWhitespace, name, request)
        }
    }

    /// The prefix of digests.
    private static let digestMark = "sha256:"

    /// A digest, which identifies a value without revealing it.
    ///
    /// It includes the URL, so that the same password has a different digest elsewhere.
    private static func digest(of value: String, _ name: String, _ request: WebRequest) -> String {
        guard !value.isEmpty else { return "" }
        let text = "\(StoredResponse.key(for: request.url))\0\(name)\0\(value)"
        return digestMark + SHA256.halfHexadecimal(of: Array(text.utf8))
    }

    /// Whether a field's value is never secret, and so stored and shown as it is.
    static func isPublic(_ name: String) -> Bool {
        switch name {
        case "accept", "accept-charset", "accept-encoding", "accept-language", "user-agent", "dnt",
            "save-data":
            true
        default: false
        }
    }

    /// Whether a field was stored in clear, by a version without digests, so that its entry must be replaced.
    static func isStoredInClear(_ field: Field) -> Bool {
        guard !isPublic(field.name), let value = field.value, !value.isEmpty else { return false }
        return !value.hasPrefix(digestMark)
    }

    /// Whether a request has the fields that the stored response varies by.
    ///
    /// The caller must handle "*": such a response may be validated, and used by policies that ignore age.
    static func match(_ stored: StoredResponse, _ request: WebRequest) -> Bool {
        if !request.headerFields.isEmpty {
            for field in selectingFields where request.headerFields[field] != nil {
                guard stored.varyingFields.contains(where: { $0.name == field.canonicalName }) else {
                    return false
                }
            }
        }
        return stored.varyingFields.allSatisfy { name, old in
            let new = value(of: name, request)
            return new == old || name == "accept-language" && isInPreferredLanguage(stored, request)
        }
    }

    /// Whether a stored response is in the language that the request prefers most: then the server has no
    /// variant that would suit the request better.
    private static func isInPreferredLanguage(_ stored: StoredResponse, _ request: WebRequest) -> Bool {
        guard let language = stored.headerFields[.contentLanguage], !language.contains(","),
            let wanted = request.headerFields[.acceptLanguage], let list = WeightedList(wanted),
            let first = list.members.first, first.weight > 0, first.name != "*"
        else { return false }
        if list.members.count > 1, list.members[1].weight == first.weight { return false }
        return first.name == String(asciiLowercasing: language.trimmingHTTPWhitespace.utf8)
    }
}
