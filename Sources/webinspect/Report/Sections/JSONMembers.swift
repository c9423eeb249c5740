import WebLoader

/// Members that are there only where they say something.
extension [JSONValue.Member] {
    /// Adds a string, unless there is none.
    mutating func add(_ name: String, _ value: String?) {
        if let value { append(.init(name, .string(value))) }
    }

    /// Adds a whole number, unless there is none.
    mutating func add(_ name: String, _ value: Int?) {
        if let value { append(.init(name, .integer(Int64(value)))) }
    }

    /// Adds a whole number, unless there is none.
    mutating func add(_ name: String, _ value: Int64?) {
        if let value { append(.init(name, .integer(value))) }
    }

    /// Adds a URL without its credentials, null where a reference is none.
    mutating func add(url: WebURL?, of reference: String?) {
        guard let reference else { return }
        append(.init("reference", .string(reference)))
        append(.init("url", JSONValue(url?.description)))
    }

    /// Adds true, unless it is false.
    mutating func add(_ name: String, if value: Bool) {
        if value { append(.init(name, true)) }
    }

    /// Adds strings, unless there are none.
    mutating func add(_ name: String, _ values: [String]) {
        if !values.isEmpty { append(.init(name, .array(values.map(JSONValue.string)))) }
    }
}

/// Words for people.
enum Wording {
    /// As in "1 image" and "2 images"; nil for none.
    static func count(_ count: Int, _ name: String, _ plural: String? = nil) -> String? {
        guard count > 0 else { return nil }
        return "\(count) \(count == 1 ? name : plural ?? name + "s")"
    }

    /// The first of a list, and how many more there are.
    static func first(_ number: Int, of items: [String]) -> String {
        let more = items.count > number ? ["and \(items.count - number) more"] : []
        return (items.prefix(number) + more).joined(separator: ", ")
    }

    /// What there is of a list, joined with commas; nil where there is none.
    static func list(_ parts: [String?]) -> String? {
        let present = parts.compactMap { $0 }
        return present.isEmpty ? nil : present.joined(separator: ", ")
    }
}
