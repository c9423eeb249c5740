import HTTPTypes

/// The fields of a request that a response's Vary names, and whether another request has the same.
///
/// [RFC 9111, section 4.1](https://www.rfc-editor.org/rfc/rfc9111#section-4.1)
enum VaryingFields {
    typealias Field = (name: String, value: String?)

    /// The request's fields that a response's Vary names, "*" among them, in the order of their names.
    ///
    /// Nil stands for what the loader sends by itself, which is always the same; empty for what it was told to omit.
    /// Values are normalised. Authorization is always among them where the request has it, so that nobody is
    /// answered with what was for somebody else; it and cookies stand as a hash, not to be on the disk.
    static func of(_ request: WebRequest, _ fields: HTTPFields) -> [Field] {
        var names: [String] = request.headerFields[.authorization] == nil ? [] : ["authorization"]
        for line in fields[values: .vary] {
            for name in line.split(separator: ",") {
                let trimmed = name.trimmingHTTPWhitespace
                if !trimmed.isEmpty { names.append(String(asciiLowercasing: trimmed.utf8)) }
            }
        }
        names.sort()
        var varying: [Field] = []
        for name in names where name != varying.last?.name {
            varying.append((name, value(of: name, request)))
        }
        return varying
    }

    /// The request's fields of the names that another request's had.
    static func of(_ request: WebRequest, named names: [Field]) -> [Field] {
        names.map { ($0.name, value(of: $0.name, request)) }
    }

    private static func value(of name: String, _ request: WebRequest) -> String? {
        guard let field = HTTPField.Name(name) else { return nil }
        guard let value = request.headerFields[field] else {
            return request.omittedFields.contains(field) ? "" : nil
        }
        switch name {
        case "authorization", "cookie", "proxy-authorization": return ContentHash.hexadecimal(of: value)
        // Their members have weights of their own, so that order and spaces say nothing.
        case "accept", "accept-charset", "accept-encoding", "accept-language":
            return WeightedList(value)?.normalized ?? value
        default: return value.trimmingHTTPWhitespace
        }
    }

    /// Whether a request has the fields that the stored response varies by.
    ///
    /// "*" is left to the caller: such a response may be validated, and used where age does not matter.
    static func match(_ stored: StoredResponse, _ request: WebRequest) -> Bool {
        let hasAuthorization = request.headerFields[.authorization] != nil
        if stored.varyingFields.isEmpty { return !hasAuthorization }
        if hasAuthorization, !stored.varyingFields.contains(where: { $0.name == "authorization" }) {
            return false
        }
        return stored.varyingFields.allSatisfy { name, old in
            let new = value(of: name, request)
            return new == old || name == "accept-language" && speaksFirst(stored, request)
        }
    }

    /// Whether a stored response is in the one language that a request wants most: the server has it, and has nothing
    /// that would suit the request better.
    private static func speaksFirst(_ stored: StoredResponse, _ request: WebRequest) -> Bool {
        guard let language = stored.headerFields[.contentLanguage], !language.contains(","),
            let wanted = request.headerFields[.acceptLanguage], let list = WeightedList(wanted),
            let first = list.members.first, first.weight > 0, first.name != "*"
        else { return false }
        if list.members.count > 1, list.members[1].weight == first.weight { return false }
        return first.name == String(asciiLowercasing: language.trimmingHTTPWhitespace.utf8)
    }
}
