extension JSONValue {
    /// The reason why a text is not JSON, and the position.
    public struct ParsingError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
        /// A description of the error.
        public let message: String
        /// The line, from 1.
        public let line: Int
        /// The column, in bytes, from 1.
        public let column: Int

        /// The position and the description.
        package init(message: String, line: Int, column: Int) {
            self.message = message
            self.line = line
            self.column = column
        }

        /// The place and the message.
        public var description: String { "line \(line), column \(column): \(message)" }
    }

    /// Parses a UTF-8 document strictly by RFC 8259, at most 512 levels deep.
    ///
    /// A whole number that fits is an ``integer(_:)``, any other number the closest ``number(_:)``. Half of a
    /// surrogate pair becomes U+FFFD. Members with repeated names are all kept.
    ///
    /// - Complexity: O(n) in the number of bytes.
    ///
    /// [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259)
    public init(parsing utf8: some Collection<UInt8>) throws(ParsingError) {
        var parser = JSONParser(input: Array(utf8), builder: JSONValueBuilder())
        self = try parser.document()
    }

    /// Parses invalid JSON of pages, and reports the corrections made; at most 512 levels deep.
    ///
    /// Valid JSON is not changed. Several values in a row become an array.
    ///
    /// - Parameter utf8: The text.
    /// - Returns: The value, and each kind of repair once, in order of first occurrence.
    /// - Throws: `ParsingError` if no known repair helps.
    /// - Complexity: O(n) in the number of bytes.
    package static func repairing(
        _ utf8: [UInt8]
    ) throws(ParsingError) -> (value: JSONValue, repairs: [JSONRepair]) {
        // Most texts are well-formed and need no repair.
        if let value = try? JSONValue(parsing: utf8) { return (value, []) }
        var parser = JSONParser(input: utf8, builder: JSONValueBuilder(), isTolerant: true)
        let values = try parser.values()
        return (values.count == 1 ? values[0] : .array(values), parser.repairs)
    }

    /// The last member of this name; `nil` if it is missing, or if this is not an object.
    public subscript(name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        return members.last { $0.name == name }?.value
    }

    /// The string; nil for any other value.
    public var string: String? {
        guard case .string(let string) = self else { return nil }
        return string
    }

    /// The number, whole or not; nil for any other value.
    ///
    /// A whole number beyond 2^53 may lose its last digits.
    public var number: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        case .null, .bool, .string, .array, .object: nil
        }
    }
}

/// Builds the representation of a document's values during parsing; offsets are those of the first byte.
package protocol JSONBuilder {
    associatedtype Value

    /// Null, a boolean, a number or a string.
    func scalar(_ value: JSONValue, at offset: Int) -> Value
    func array(_ items: [Value], at offset: Int) -> Value
    func object(_ members: [(name: String, offset: Int, value: Value)], at offset: Int) -> Value
}

private struct JSONValueBuilder: JSONBuilder {
    func scalar(_ value: JSONValue, at offset: Int) -> JSONValue { value }

    func array(_ items: [JSONValue], at offset: Int) -> JSONValue { .array(items) }

    func object(_ members: [(name: String, offset: Int, value: JSONValue)], at offset: Int) -> JSONValue {
        .object(members.map { JSONValue.Member($0.name, $0.value) })
    }
}
