extension JSONValue {
    /// Decodes the document into a value of a type of the program.
    ///
    ///     struct Offer: Decodable { var name: String, price: Double, tags: [String] }
    ///     let offers = try extraction.data["offers"]?.decoded(as: [Offer].self)
    ///
    /// Whole numbers are decoded into any numeric type that can hold them; all other values must have the exact type.
    /// Of members with the same name the last counts, as in ``subscript(_:)``.
    ///
    /// Complexity: O(n) in the size of the document.
    ///
    /// - Parameter type: The type of the value.
    /// - Returns: The value.
    /// - Throws: ``MismatchError``, with the path of the value that does not match.
    public func decoded<Value: Decodable>(as type: Value.Type = Value.self) throws(MismatchError) -> Value {
        try decoded(as: type, readsText: false)
    }

    /// As ``decoded(as:)``, of texts from a page: a list of them stands for its first one where a single value is needed, and
    /// a text for the number that it writes.
    package func decoded<Value: Decodable>(
        as type: Value.Type,
        readsText: Bool
    ) throws(MismatchError) -> Value {
        do {
            return try ValueDecoder(value: self, readsText: readsText, codingPath: []).decode(type)
        } catch {
            throw MismatchError(error)
        }
    }

    /// Why a document could not be made into a value of a type.
    public struct MismatchError: WebError {
        /// The kind of mismatch.
        public struct Code: ErrorCode {
            /// The identifier.
            public let rawValue: String

            /// Creates the code with an identifier.
            public init(rawValue: String) { self.rawValue = rawValue }

            /// A member that the type needs is missing.
            public static var missing: Self { "value.missing" }
            /// The value is null, which the type does not allow.
            public static var null: Self { "value.null" }
            /// The value is of another type.
            public static var type: Self { "value.type" }
            /// The type itself rejects the value: a number out of its range, or an unknown string.
            public static var invalid: Self { "value.invalid" }
        }

        /// The kind of mismatch.
        public let code: Code

        /// The message, for people, with the path.
        public let message: String

        /// The place in the document, as in "items[2].price"; empty for the document itself.
        public let path: String

        fileprivate init(_ error: any Error) {
            let (code, context, name): (Code, DecodingError.Context?, (any CodingKey)?) =
                switch error {
                case DecodingError.keyNotFound(let key, let context): (.missing, context, key)
                case DecodingError.valueNotFound(_, let context): (.null, context, nil)
                case DecodingError.typeMismatch(_, let context): (.type, context, nil)
                case DecodingError.dataCorrupted(let context): (.invalid, context, nil)
                default: (.invalid, nil, nil)
                }
            self.code = code
            let keys = (context?.codingPath ?? []) + (name.map { [$0] } ?? [])
            path = keys.reduce(into: "") { path, key in
                if let index = key.intValue {
                    path += "[\(index)]"
                } else {
                    path += path.isEmpty ? key.stringValue : ".\(key.stringValue)"
                }
            }
            let reason = context?.debugDescription ?? "\(error)"
            message = path.isEmpty ? reason : "\(path): \(reason)"
        }
    }
}

/// Decodes from a document in memory.
private struct ValueDecoder: Decoder, SingleValueDecodingContainer {
    let value: JSONValue
    let readsText: Bool
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    /// The value where a single one is needed.
    private var single: JSONValue {
        guard readsText, case .array(let items) = value else { return value }
        return items.first ?? .null
    }

    /// The number that a text writes, white space around it left out; nil for other texts and values.
    private var written: String? {
        guard readsText, case .string(let text) = single else { return nil }
        return text.collapsingASCIIWhitespace
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        guard case .object(let members) = value else { throw mismatch("an object") }
        var values: [String: JSONValue] = [:]
        for member in members { values[member.name] = member.value }
        return KeyedDecodingContainer(Members(values: values, readsText: readsText, codingPath: codingPath))
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        guard case .array(let items) = value else { throw mismatch("an array") }
        return Items(items: items, readsText: readsText, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer { self }

    func decodeNil() -> Bool { single == .null }

    func decode(_ type: Bool.Type) throws -> Bool {
        guard case .bool(let bool) = single else { throw mismatch("true or false") }
        return bool
    }

    func decode(_ type: String.Type) throws -> String {
        guard case .string(let string) = single else { throw mismatch("a string") }
        return string
    }

    func decode(_ type: Double.Type) throws -> Double {
        // Nothing but decimal digits: Swift also reads "nan", "infinity" and hexadecimal numbers.
        if let written, written.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }),
            let number = Double(written), number.isFinite
        {
            return number
        }
        switch single {
        case .integer(let integer): return Double(integer)
        case .number(let number): return number
        default: throw mismatch("a number")
        }
    }

    func decode(_ type: Float.Type) throws -> Float {
        let number = try decode(Double.self)
        guard Float(number).isFinite || !number.isFinite else {
            let text = "\(number) is beyond \(Float.greatestFiniteMagnitude)"
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: text))
        }
        return Float(number)
    }
    func decode(_ type: Int.Type) throws -> Int { try integer() }
    func decode(_ type: Int8.Type) throws -> Int8 { try integer() }
    func decode(_ type: Int16.Type) throws -> Int16 { try integer() }
    func decode(_ type: Int32.Type) throws -> Int32 { try integer() }
    func decode(_ type: Int64.Type) throws -> Int64 { try integer() }
    func decode(_ type: UInt.Type) throws -> UInt { try integer() }
    func decode(_ type: UInt8.Type) throws -> UInt8 { try integer() }
    func decode(_ type: UInt16.Type) throws -> UInt16 { try integer() }
    func decode(_ type: UInt32.Type) throws -> UInt32 { try integer() }
    func decode(_ type: UInt64.Type) throws -> UInt64 { try integer() }

    private func integer<Number: FixedWidthInteger>() throws -> Number {
        let exact: Number? =
            switch single {
            case .string where written.map { Number($0) != nil } ?? false: written.flatMap { Number($0) }
            case .integer(let integer): Number(exactly: integer)
            case .number(let number): Number(exactly: number)
            default: throw mismatch("a whole number")
            }
        guard let exact else {
            let text = "\(value.serialized()) is not a whole number from \(Number.min) to \(Number.max)"
            throw DecodingError.dataCorrupted(.init(codingPath: codingPath, debugDescription: text))
        }
        return exact
    }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        // A document is what it is already, however deep.
        if let whole = value as? Value, type == JSONValue.self { return whole }
        return try Value(from: self)
    }

    private func mismatch(_ wanted: String) -> DecodingError {
        let found =
            switch single {
            case .null: "null"
            case .bool: "true or false"
            case .integer, .number: "a number"
            case .string: "a string"
            case .array: "an array"
            case .object: "an object"
            }
        let context = DecodingError.Context(
            codingPath: codingPath,
            debugDescription: "\(wanted) is needed, it is \(found)"
        )
        return single == .null
            ? .valueNotFound(JSONValue.self, context) : .typeMismatch(JSONValue.self, context)
    }

    /// The place of a value in an array.
    private struct Index: CodingKey {
        let intValue: Int?
        var stringValue: String { intValue.map(String.init) ?? "" }

        init(_ index: Int) { intValue = index }
        init?(intValue: Int) { self.intValue = intValue }
        init?(stringValue: String) { nil }
    }

    private struct Items: UnkeyedDecodingContainer {
        let items: [JSONValue]
        let readsText: Bool
        let codingPath: [any CodingKey]
        var currentIndex = 0

        var count: Int? { items.count }
        var isAtEnd: Bool { currentIndex >= items.count }

        private mutating func next() throws -> ValueDecoder {
            let path = codingPath + [Index(currentIndex)]
            guard !isAtEnd else {
                let text = "the array has only \(items.count) items"
                throw DecodingError.valueNotFound(
                    JSONValue.self,
                    .init(codingPath: path, debugDescription: text)
                )
            }
            currentIndex += 1
            return ValueDecoder(value: items[currentIndex - 1], readsText: readsText, codingPath: path)
        }

        mutating func decodeNil() throws -> Bool {
            guard !isAtEnd, items[currentIndex] == .null else { return false }
            currentIndex += 1
            return true
        }

        mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value { try next().decode(type) }

        mutating func nestedContainer<Key: CodingKey>(
            keyedBy type: Key.Type
        ) throws -> KeyedDecodingContainer<Key> {
            try next().container(keyedBy: type)
        }

        mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
            try next().unkeyedContainer()
        }

        mutating func superDecoder() throws -> any Decoder { try next() }
    }

    private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
        let values: [String: JSONValue]
        let readsText: Bool
        let codingPath: [any CodingKey]

        var allKeys: [Key] { values.keys.compactMap { Key(stringValue: $0) } }

        func contains(_ key: Key) -> Bool { values[key.stringValue] != nil }

        private func decoder(_ key: any CodingKey) throws -> ValueDecoder {
            guard let value = values[key.stringValue] else {
                let text = "the object has no such member"
                throw DecodingError.keyNotFound(key, .init(codingPath: codingPath, debugDescription: text))
            }
            return ValueDecoder(value: value, readsText: readsText, codingPath: codingPath + [key])
        }

        func decodeNil(forKey key: Key) throws -> Bool { try decoder(key).decodeNil() }

        func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
            try decoder(key).decode(type)
        }

        func nestedContainer<NestedKey: CodingKey>(
            keyedBy type: NestedKey.Type,
            forKey key: Key
        ) throws -> KeyedDecodingContainer<NestedKey> {
            try decoder(key).container(keyedBy: type)
        }

        func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
            try decoder(key).unkeyedContainer()
        }

        func superDecoder() throws -> any Decoder {
            let whole = JSONValue.object(values.map { .init($0, $1) })
            return ValueDecoder(value: whole, readsText: readsText, codingPath: codingPath)
        }

        func superDecoder(forKey key: Key) throws -> any Decoder { try decoder(key) }
    }
}
