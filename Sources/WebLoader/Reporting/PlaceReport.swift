/// A place in the source; of what has none, neither member is there.
extension SourcePosition: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.optional("line", nil) { SourceLine(number: $0.line) }
        members.optional("column", nil) { $0.column.map { SourceColumn(number: $0) } }
    }
}

/// A line of the source.
private struct SourceLine: ReportValue {
    let number: Int

    static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema {
        let schema = ValueSchema.integer(from: 1)
        return definitions.define("line", "The line, from 1, where it begins in the page's source.", schema)
    }

    func write(into output: inout JSONWriter) { number.write(into: &output) }
    var reported: JSONValue { number.reported }
}

/// A column of the source.
private struct SourceColumn: ReportValue {
    let number: Int

    static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema {
        let description = "The column, from 1, in Unicode scalar values, where it begins."
        return definitions.define("column", description, .integer(from: 1))
    }

    func write(into output: inout JSONWriter) { number.write(into: &output) }
    var reported: JSONValue { number.reported }
}
