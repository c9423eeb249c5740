/// The names and values of a query, as forms write them: the standard's URLSearchParams.
///
/// Names and values are plain text here; reading and writing decode and encode percent-encoding.
///
/// <https://url.spec.whatwg.org/#interface-urlsearchparams>
public struct URLSearchParameters: Hashable, Sendable {
    /// A name and its value.
    public struct Entry: Hashable, Sendable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Makes an entry.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The entries, in their order; a name may occur more than once.
    public var entries: [Entry]

    /// Makes parameters of entries.
    public init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// Parses a query, with or without a leading "?".
    ///
    /// It never fails: invalid UTF-8 becomes U+FFFD.
    ///
    /// <https://url.spec.whatwg.org/#urlencoded-parsing>
    public init(parsing query: String) {
        let input = query.utf8.span
        let start = input.byte(at: 0) == URLByte.questionMark ? 1 : 0
        entries = Self.parse(input.extracting(start..<input.count))
    }

    /// Parses the bytes of a form's body.
    init(parsing input: Span<UInt8>) {
        entries = Self.parse(input)
    }

    /// The value of the first entry of a name, or nil.
    public func value(of name: String) -> String? {
        entries.first { $0.name == name }?.value
    }

    /// The values of all entries of a name.
    public func values(of name: String) -> [String] {
        entries.filter { $0.name == name }.map(\.value)
    }

    /// Whether there is an entry of a name and, if one is given, a value.
    public func contains(_ name: String, value: String? = nil) -> Bool {
        entries.contains { $0.name == name && (value == nil || $0.value == value) }
    }

    /// Adds an entry at the end.
    public mutating func append(_ name: String, _ value: String) {
        entries.append(Entry(name: name, value: value))
    }

    /// Sets the value of the first entry of a name and removes the others, or adds one.
    public mutating func set(_ name: String, _ value: String) {
        guard let first = entries.firstIndex(where: { $0.name == name }) else {
            return append(name, value)
        }
        entries[first].value = value
        var index = -1
        entries.removeAll {
            index += 1
            return index > first && $0.name == name
        }
    }

    /// Removes the entries of a name and, if one is given, a value.
    public mutating func remove(_ name: String, value: String? = nil) {
        entries.removeAll { $0.name == name && (value == nil || $0.value == value) }
    }

    /// Sorts the entries by the UTF-16 code units of their names, keeping the order of equal ones.
    public mutating func sort() {
        let order = entries.indices.sorted { left, right in
            let (first, second) = (entries[left].name.utf16, entries[right].name.utf16)
            if first.lexicographicallyPrecedes(second) { return true }
            return !second.lexicographicallyPrecedes(first) && left < right
        }
        entries = order.map { entries[$0] }
    }

    private static func parse(_ input: Span<UInt8>) -> [Entry] {
        var entries: [Entry] = []
        var start = 0
        while start < input.count {
            var end = start
            var equals: Int?
            while end < input.count, input[end] != URLByte.ampersand {
                if input[end] == URLByte.equals, equals == nil { equals = end }
                end += 1
            }
            if start < end {
                let nameEnd = equals ?? end
                let name = input.extracting(start..<nameEnd)
                let value = input.extracting(min(nameEnd + 1, end)..<end)
                entries.append(Entry(name: decode(name), value: decode(value)))
            }
            start = end + 1
        }
        return entries
    }

    private static func decode(_ bytes: Span<UInt8>) -> String {
        String(decoding: PercentDecoding.decode(bytes, plusAsSpace: true), as: UTF8.self)
    }
}

extension URLSearchParameters: CustomStringConvertible {
    /// The entries as a query, without "?": `application/x-www-form-urlencoded` in UTF-8.
    ///
    /// <https://url.spec.whatwg.org/#urlencoded-serializing>
    public var description: String {
        var output: [UInt8] = []
        for entry in entries {
            if !output.isEmpty { output.append(URLByte.ampersand) }
            WebURL.appendPercentEncoded(entry.name.utf8, .formURLEncoded, spaceAsPlus: true, to: &output)
            output.append(URLByte.equals)
            WebURL.appendPercentEncoded(entry.value.utf8, .formURLEncoded, spaceAsPlus: true, to: &output)
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// The entries as a query in another encoding, for the form of a page in that encoding.
    package func serialized(using encoder: some ScalarEncoder) -> String {
        var output: [UInt8] = []
        for entry in entries {
            if !output.isEmpty { output.append(URLByte.ampersand) }
            output += Self.encode(entry.name, encoder)
            output.append(URLByte.equals)
            output += Self.encode(entry.value, encoder)
        }
        return String(decoding: output, as: UTF8.self)
    }

    private static func encode(_ text: String, _ encoder: some ScalarEncoder) -> [UInt8] {
        WebURL.percentEncodeAfterEncoding(
            Array(text.utf8),
            using: encoder,
            .formURLEncoded,
            spaceAsPlus: true
        )
    }
}

extension WebURL {
    /// The query's names and values; setting them rewrites the query, and no entries remove it.
    public var searchParameters: URLSearchParameters {
        get { URLSearchParameters(parsing: query.map { "?" + $0 } ?? "") }
        // Parameters that would make the URL too long change nothing, as in browsers.
        set { try? setSearch(newValue.description) }
    }
}
