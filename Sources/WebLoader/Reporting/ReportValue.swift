/// A value of a report, with its JSON and its JSON Schema.
package protocol ReportValue {
    /// Returns the schema of the value, or a reference to its definition.
    static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema

    /// Writes it.
    func write(into output: inout JSONWriter)

    /// The same as a value.
    var reported: JSONValue { get }
}

/// An object of a report, described once: its JSON and its schema are both made from the description.
package protocol ReportObject: ReportValue {
    /// Says its members, in the order in which people read them.
    static func describe(_ members: inout some ReportMembers<Self> & ~Copyable)
}

extension ReportObject {
    package static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema {
        var members = MemberSchemas<Self>(definitions: definitions)
        describe(&members)
        definitions = members.definitions
        return members.schema(&definitions)
    }

    package func write(into output: inout JSONWriter) {
        let outer = output.beginObject()
        var members = MemberWriter(object: self, output: output)
        Self.describe(&members)
        output = members.output
        output.endObject(outer)
    }

    package var reported: JSONValue {
        var members = MemberValues(object: self)
        Self.describe(&members)
        return .object(members.members)
    }

    /// The object as a document, in UTF-8 and on one line, members in the order of their names; with `isLine` a line feed
    /// behind it.
    ///
    /// - Complexity: O(n) in its length. Nothing but the document is in memory besides the object.
    package func document(isLine: Bool = false) -> [UInt8] {
        var members = MemberWriter(object: self, output: JSONWriter())
        Self.describe(&members)
        return members.output.written(isLine: isLine)
    }
}

/// One of some words.
package protocol ReportWord: ReportValue, RawRepresentable where RawValue == String {
    /// All of them.
    static var words: [String] { get }
}

extension ReportWord where Self: CaseIterable {
    package static var words: [String] { allCases.map { $0.rawValue } }
}

extension ReportWord {
    package static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema { .word(words) }
    package func write(into output: inout JSONWriter) { output.write(rawValue) }
    package var reported: JSONValue { .string(rawValue) }
}

// MARK: - Simple values

extension String: ReportValue {
    package static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema { .string }
    package func write(into output: inout JSONWriter) { output.write(self) }
    package var reported: JSONValue { .string(self) }
}

/// A URL, without its credentials.
extension WebURL: ReportValue {
    package static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema { .string }
    package func write(into output: inout JSONWriter) { output.write(description) }
    package var reported: JSONValue { .string(description) }
}

extension Bool: ReportValue {
    package static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema { .boolean }
    package func write(into output: inout JSONWriter) { output.write(self) }
    package var reported: JSONValue { .bool(self) }
}

extension Int: ReportValue {
    package static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema { .integer }
    package func write(into output: inout JSONWriter) { output.write(Int64(self)) }
    package var reported: JSONValue { .integer(Int64(self)) }
}

extension Int64: ReportValue {
    package static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema { .integer }
    package func write(into output: inout JSONWriter) { output.write(self) }
    package var reported: JSONValue { .integer(self) }
}

extension Double: ReportValue {
    package static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema { .number }
    package func write(into output: inout JSONWriter) { output.write(self) }
    package var reported: JSONValue { .number(self) }
}

/// A time, in milliseconds to a thousandth.
extension Duration: ReportValue {
    package static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema { .number }
    package func write(into output: inout JSONWriter) { output.write(JSONValue.milliseconds(self)) }
    package var reported: JSONValue { .number(JSONValue.milliseconds(self)) }
}

extension JSONValue: ReportValue {
    package static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema { .any }
    package func write(into output: inout JSONWriter) { output.write(self) }
    package var reported: JSONValue { self }
}

extension JSONValue {
    /// A time in milliseconds, to a thousandth.
    package static func milliseconds(_ time: Duration) -> Double {
        (time.inSeconds * 1_000_000).rounded() / 1000
    }
}

// MARK: - Values of values

/// Null for nil.
extension Optional: ReportValue where Wrapped: ReportValue {
    package static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema {
        Wrapped.schema(&definitions).orNull
    }

    package func write(into output: inout JSONWriter) {
        if let self { self.write(into: &output) } else { output.write(.null) }
    }

    package var reported: JSONValue { self?.reported ?? .null }
}

extension Array: ReportValue where Element: ReportValue {
    package static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema {
        .array(Element.schema(&definitions))
    }

    package func write(into output: inout JSONWriter) {
        output.beginArray()
        var isFirst = true
        for element in self {
            if !isFirst { output.separator() }
            isFirst = false
            element.write(into: &output)
        }
        output.endArray()
    }

    package var reported: JSONValue { .array(map { $0.reported }) }
}
