extension JSONValue {
    /// Whether the value counts as no result of a rule: null, an empty text or an empty list.
    var isNothing: Bool {
        switch self {
        case .null: true
        case .string(let text): text.isEmpty
        case .array(let items): items.isEmpty
        case .bool, .integer, .number, .object: false
        }
    }

    /// A string, a number or a truth value as a text; nil for all others.
    var plainText: String? {
        switch self {
        case .string(let text): text
        case .integer(let value): String(value)
        case .number(let value): "\(value)"
        case .bool(let value): "\(value)"
        case .null, .array, .object: nil
        }
    }

    /// The type of the value in words, for error messages.
    var kind: String {
        switch self {
        case .null: "nothing"
        case .bool: "a boolean"
        case .integer, .number: "a number"
        case .string(let text): text.isEmpty ? "an empty text" : "a text"
        case .array(let items): items.isEmpty ? "an empty list" : "a list"
        case .object: "an object"
        }
    }

    /// Whether the value sorts before another: null, truth values, numbers, texts by code point, then all
    /// others in their given order.
    func isOrdered(before other: JSONValue) -> Bool {
        if let left = double, let right = other.double { return left < right }
        switch (self, other) {
        case (.string(let left), .string(let right)):
            return left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
        case (.bool(let left), .bool(let right)): return !left && right
        default: return rank < other.rank
        }
    }

    private var rank: Int {
        switch self {
        case .null: 0
        case .bool: 1
        case .integer, .number: 2
        case .string: 3
        case .array, .object: 4
        }
    }

    /// How many bytes it takes as JSON.
    ///
    /// Complexity: O(n) in that number.
    var serializedLength: Int {
        switch self {
        case .null: 4
        case .bool(let value): value ? 4 : 5
        case .integer(let value): String(value).utf8.count
        case .number(let value): "\(value)".utf8.count
        case .string(let text): Self.length(text)
        case .array(let items): items.reduce(max(2, items.count + 1)) { $0 + $1.serializedLength }
        case .object(let members):
            members.reduce(max(2, members.count + 1)) {
                $0 + Self.length($1.name) + 1 + $1.value.serializedLength
            }
        }
    }

    private static func length(_ text: String) -> Int {
        unsafe text.utf8.withContiguousStorageIfAvailable { unsafe length($0) } ?? length(text.utf8)
    }

    private static func length(_ utf8: some Collection<UInt8>) -> Int {
        var count = utf8.count + 2
        for byte in utf8 where byte < 0x23 || byte == UInt8(ascii: "\\") || byte == 0x7F {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"), 0x0A, 0x0D, 0x09: count += 1
            case 0..<0x20, 0x7F: count += 5
            default: break
            }
        }
        return count
    }
}

extension String {
    /// The text without white space at its ends.
    var trimmingWhitespace: String {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { !$0.properties.isWhitespace }),
            let last = scalars.lastIndex(where: { !$0.properties.isWhitespace })
        else { return "" }
        return String(scalars[first...last])
    }

    /// The text without white space at its ends, with each run of white space inside replaced by one space.
    var collapsingWhitespace: String {
        var output = String.UnicodeScalarView()
        var hasPendingSpace = false
        for scalar in unicodeScalars {
            if scalar.properties.isWhitespace {
                hasPendingSpace = !output.isEmpty
            } else {
                if hasPendingSpace { output.append(" ") }
                hasPendingSpace = false
                output.append(scalar)
            }
        }
        return String(output)
    }

    /// The texts between separators, compared byte by byte.
    func pieces(separatedBy separator: String) -> [String] {
        let bytes = Array(utf8)
        let mark = Array(separator.utf8)
        guard let first = mark.first else { return [self] }
        var pieces: [String] = []
        var start = 0
        var index = 0
        while index + mark.count <= bytes.count {
            if bytes[index] == first, bytes[index..<(index + mark.count)].elementsEqual(mark) {
                pieces.append(String(decoding: bytes[start..<index], as: UTF8.self))
                index += mark.count
                start = index
            } else {
                index += 1
            }
        }
        pieces.append(String(decoding: bytes[start...], as: UTF8.self))
        return pieces
    }
}
