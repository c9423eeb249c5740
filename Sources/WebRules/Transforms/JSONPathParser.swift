/// Parses a path into a JSON document, with one method per rule of the grammar.
struct JSONPathParser {
    private static let maximumDepth = 16

    private let scalars: [Unicode.Scalar]
    private var index = 0
    private var depth = 0

    init(_ text: String) {
        scalars = Array(text.unicodeScalars)
    }

    mutating func parse() throws(JSONPath.Failure) -> [JSONPath.Segment] {
        guard take("$") else { throw failure("\"$\"") }
        let segments = try segments()
        guard index == scalars.count else { throw failure("\".\", \"..\" or \"[\"") }
        return segments
    }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private func failure(_ expected: String) -> JSONPath.Failure {
        let found = next.map { "\"\($0)\"" } ?? "the end"
        return JSONPath.Failure(message: "expected \(expected), found \(found)", offset: index)
    }

    private mutating func take(_ text: String) -> Bool {
        let wanted = Array(text.unicodeScalars)
        guard scalars[index...].starts(with: wanted) else { return false }
        index += wanted.count
        return true
    }

    private mutating func skipSpace() {
        while let scalar = next, scalar == " " || scalar == "\t" || scalar == "\n" || scalar == "\r" {
            index += 1
        }
    }

    // MARK: - Segments

    private mutating func segments() throws(JSONPath.Failure) -> [JSONPath.Segment] {
        var segments: [JSONPath.Segment] = []
        while true {
            if take("..") {
                let selectors = next == "[" ? try bracketed() : [try shorthand()]
                segments.append(JSONPath.Segment(selectors: selectors, isDescendant: true))
            } else if take(".") {
                segments.append(JSONPath.Segment(selectors: [try shorthand()], isDescendant: false))
            } else if next == "[" {
                segments.append(JSONPath.Segment(selectors: try bracketed(), isDescendant: false))
            } else {
                return segments
            }
        }
    }

    /// A name or `*` after a dot.
    private mutating func shorthand() throws(JSONPath.Failure) -> JSONPath.Selector {
        if take("*") { return .wildcard }
        var name = ""
        while let scalar = next, Self.isNamePart(scalar) {
            name.unicodeScalars.append(scalar)
            index += 1
        }
        guard let first = name.unicodeScalars.first, !(0x30...0x39 ~= first.value) else {
            throw failure("a name or \"*\"")
        }
        return .name(name)
    }

    /// The RFC does not allow `@` in a bare name, but the keywords of JSON-LD all begin with it.
    private static func isNamePart(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar == "@" || scalar.value >= 0x80
            || scalar.isASCII && UInt8(truncatingIfNeeded: scalar.value).isASCIIAlphanumeric
    }

    private mutating func bracketed() throws(JSONPath.Failure) -> [JSONPath.Selector] {
        index += 1
        var selectors: [JSONPath.Selector] = []
        repeat {
            skipSpace()
            selectors.append(try selector())
            skipSpace()
        } while take(",")
        guard take("]") else { throw failure("\",\" or \"]\"") }
        return selectors
    }

    private mutating func selector() throws(JSONPath.Failure) -> JSONPath.Selector {
        switch next {
        case "*"?:
            index += 1
            return .wildcard
        case "'"?, "\""?: return .name(try string())
        case "?"?:
            index += 1
            return .filter(try filter())
        default:
            let start = try integer()
            skipSpace()
            guard take(":") else {
                guard let start else { throw failure("a name in quotes, a number, \"*\", \":\" or \"?\"") }
                return .index(start)
            }
            skipSpace()
            let end = try integer()
            skipSpace()
            var step = 1
            if take(":") {
                skipSpace()
                step = try integer() ?? 1
            }
            return .slice(start: start, end: end, step: step)
        }
    }

    /// A whole number; nil where there is none.
    private mutating func integer() throws(JSONPath.Failure) -> Int? {
        let start = index
        _ = take("-")
        while let scalar = next, 0x30...0x39 ~= scalar.value { index += 1 }
        guard index > start else { return nil }
        var digits = ""
        digits.unicodeScalars.append(contentsOf: scalars[start..<index])
        guard let value = Int(inBounds: digits) else {
            throw failure("a number that is not too great")
        }
        return value
    }

    private mutating func string() throws(JSONPath.Failure) -> String {
        guard let quote = next else { throw failure("a string") }
        index += 1
        var text = ""
        while let scalar = next {
            index += 1
            if scalar == quote { return text }
            if scalar == "\\" {
                guard let escaped = next else { break }
                index += 1
                switch escaped {
                case "n": text += "\n"
                case "t": text += "\t"
                case "r": text += "\r"
                case "'", "\"", "\\", "/": text.unicodeScalars.append(escaped)
                default:
                    index -= 1
                    throw failure("one of n, t, r, ', \", \\ and / behind \"\\\"")
                }
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
        throw failure("the end of the string")
    }

    // MARK: - Filters

    private mutating func filter() throws(JSONPath.Failure) -> JSONPathFilter {
        guard depth < Self.maximumDepth else { throw failure("filters at most \(Self.maximumDepth) deep") }
        depth += 1
        defer { depth -= 1 }
        var alternatives: [JSONPathFilter] = []
        repeat {
            var conditions: [JSONPathFilter] = []
            repeat {
                skipSpace()
                conditions.append(try condition())
                skipSpace()
            } while take("&&")
            alternatives.append(conditions.count == 1 ? conditions[0] : .all(conditions))
        } while take("||")
        return alternatives.count == 1 ? alternatives[0] : .any(alternatives)
    }

    private mutating func condition() throws(JSONPath.Failure) -> JSONPathFilter {
        var isNegated = false
        if next == "!" {
            index += 1
            isNegated = true
            skipSpace()
        }
        let condition: JSONPathFilter
        if take("(") {
            condition = try filter()
            guard take(")") else { throw failure("\")\"") }
        } else {
            guard take("@") else { throw failure("\"@\" or \"(\"") }
            let path = JSONPath(segments: try segments())
            skipSpace()
            condition = try comparison(path)
        }
        return isNegated ? .not(condition) : condition
    }

    private mutating func comparison(_ path: JSONPath) throws(JSONPath.Failure) -> JSONPathFilter {
        let comparisons: [JSONPathFilter.Comparison] = [
            .equal, .notEqual, .lessOrEqual, .greaterOrEqual, .less, .greater,
        ]
        for comparison in comparisons where take(comparison.rawValue) {
            skipSpace()
            return .compare(path, comparison, try literal())
        }
        return .exists(path)
    }

    private mutating func literal() throws(JSONPath.Failure) -> JSONValue {
        if next == "'" || next == "\"" { return .string(try string()) }
        let words: [(String, JSONValue)] = [("true", true), ("false", false), ("null", .null)]
        for (word, value) in words where take(word) { return value }
        let start = index
        while let scalar = next,
            scalar == "-" || scalar == "+" || scalar == "." || scalar == "e" || scalar == "E"
                || 0x30...0x39 ~= scalar.value
        { index += 1 }
        var digits = ""
        digits.unicodeScalars.append(contentsOf: scalars[start..<index])
        if let integer = Int64(digits) { return .integer(integer) }
        if let number = Double(digits), number.isFinite { return .number(number) }
        throw failure("a value: a string, a number, true, false or null")
    }
}

extension JSONPath {
    /// A path of these segments that starts at the current item of a filter.
    init(segments: [Segment]) {
        self.init(text: "@", segments: segments)
    }
}
