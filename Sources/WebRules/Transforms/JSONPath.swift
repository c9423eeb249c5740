/// A path into a JSON document: RFC 9535 without functions and without comparisons of two paths.
///
/// [RFC 9535](https://www.rfc-editor.org/rfc/rfc9535)
struct JSONPath: Sendable {
    /// A segment of the path.
    struct Segment: Sendable {
        let selectors: [Selector]
        /// Whether it applies to the value and all its descendants, not only to the value itself.
        let isDescendant: Bool
    }

    enum Selector: Sendable {
        case name(String)
        case index(Int)
        case wildcard
        case slice(start: Int?, end: Int?, step: Int)
        case filter(JSONPathFilter)
    }

    /// Why a path is invalid.
    struct Failure: Error, Equatable {
        let message: String
        /// The position of the error, in Unicode scalar values from the start of the path.
        let offset: Int
    }

    let text: String
    let segments: [Segment]

    /// The whole document.
    static let root = JSONPath(text: "$", segments: [])

    init(text: String, segments: [Segment]) {
        self.text = text
        self.segments = segments
    }

    /// Parses a path.
    init(_ text: String) throws(Failure) {
        var parser = JSONPathParser(text)
        self.init(text: text, segments: try parser.parse())
    }

    /// Whether it can find at most one value.
    var isSingular: Bool {
        segments.allSatisfy { segment in
            guard segment.selectors.count == 1, !segment.isDescendant else { return false }
            return switch segment.selectors[0] {
            case .name, .index: true
            case .wildcard, .slice, .filter: false
            }
        }
    }

    /// The result of the path: one value or null if it can find at most one, else a list.
    func value(in document: JSONValue) -> JSONValue {
        let found = values(in: document)
        return isSingular ? found.first ?? .null : .array(found)
    }

    /// All values that it finds, in order.
    func values(in document: JSONValue) -> [JSONValue] {
        var values = [document]
        for segment in segments {
            var next: [JSONValue] = []
            for value in values {
                if segment.isDescendant {
                    Self.visit(value) { Self.select(segment.selectors, in: $0, &next) }
                } else {
                    Self.select(segment.selectors, in: value, &next)
                }
            }
            values = next
        }
        return values
    }

    /// Calls `body` with a value and all its descendants, parents before children.
    private static func visit(_ value: JSONValue, _ body: (JSONValue) -> Void) {
        body(value)
        for child in value.children { visit(child, body) }
    }

    private static func select(_ selectors: [Selector], in value: JSONValue, _ found: inout [JSONValue]) {
        for selector in selectors {
            switch (selector, value) {
            case (.name(let name), .object):
                if let member = value[name] { found.append(member) }
            case (.index(let index), .array(let items)):
                let place = index < 0 ? items.count + index : index
                if items.indices.contains(place) { found.append(items[place]) }
            case (.wildcard, _): found += value.children
            case (.slice(let start, let end, let step), .array(let items)):
                slice(items, start, end, step, &found)
            case (.filter(let filter), _): found += value.children.filter { filter.holds(for: $0) }
            case (.name, _), (.index, _), (.slice, _): break
            }
        }
    }

    /// Appends the items of an array slice, by section 2.3.4.2.2 of the RFC.
    private static func slice(
        _ items: [JSONValue],
        _ start: Int?,
        _ end: Int?,
        _ step: Int,
        _ found: inout [JSONValue]
    ) {
        guard step != 0 else { return }
        let count = items.count
        func normal(_ index: Int) -> Int { index >= 0 ? index : max(-1, index + count) }
        if step > 0 {
            let last = min(max(normal(end ?? count), 0), count)
            var index = min(max(normal(start ?? 0), 0), count)
            while index < last {
                found.append(items[index])
                (index, _) = index.addingReportingOverflow(min(step, count))
            }
        } else {
            let last = min(max(end.map(normal) ?? -1, -1), count - 1)
            var index = min(max(normal(start ?? count - 1), -1), count - 1)
            while index > last {
                found.append(items[index])
                index += max(step, 0 - count - 1)
            }
        }
    }
}

extension JSONValue {
    /// The members' values, or the items; none for other values.
    var children: [JSONValue] {
        switch self {
        case .array(let items): items
        case .object(let members): members.map(\.value)
        case .null, .bool, .integer, .number, .string: []
        }
    }
}

/// The condition of a filter: tests on the values inside an item, which may be combined.
indirect enum JSONPathFilter: Sendable {
    enum Comparison: String, Sendable {
        case equal = "=="
        case notEqual = "!="
        case lessOrEqual = "<="
        case greaterOrEqual = ">="
        case less = "<"
        case greater = ">"
    }

    case exists(JSONPath)
    case compare(JSONPath, Comparison, JSONValue)
    case not(JSONPathFilter)
    case all([JSONPathFilter])
    case any([JSONPathFilter])

    func holds(for item: JSONValue) -> Bool {
        switch self {
        case .exists(let path): !path.values(in: item).isEmpty
        case .compare(let path, let comparison, let value):
            Self.compare(path.values(in: item).first, comparison, value)
        case .not(let filter): !filter.holds(for: item)
        case .all(let filters): filters.allSatisfy { $0.holds(for: item) }
        case .any(let filters): filters.contains { $0.holds(for: item) }
        }
    }

    private static func compare(_ left: JSONValue?, _ comparison: Comparison, _ right: JSONValue) -> Bool {
        switch comparison {
        case .equal: isEqual(left, right)
        case .notEqual: !isEqual(left, right)
        case .lessOrEqual: isLess(left, right) || isEqual(left, right)
        case .greaterOrEqual: isLess(right, left) || isEqual(left, right)
        case .less: isLess(left, right)
        case .greater: isLess(right, left)
        }
    }

    private static func isEqual(_ left: JSONValue?, _ right: JSONValue) -> Bool {
        if let left = left?.double, let right = right.double { return left == right }
        return left == right
    }

    private static func isLess(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
        if let left = left?.double, let right = right?.double { return left < right }
        guard case .string(let left)? = left, case .string(let right)? = right else { return false }
        return left.unicodeScalars.lexicographicallyPrecedes(right.unicodeScalars)
    }
}

extension JSONValue {
    /// The value as a number; nil if it is not a number.
    var double: Double? {
        switch self {
        case .integer(let integer): Double(integer)
        case .number(let number): number
        case .null, .bool, .string, .array, .object: nil
        }
    }
}
