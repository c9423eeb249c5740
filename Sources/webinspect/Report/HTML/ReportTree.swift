import WebLoader

/// Draws the values of the JSON report: objects as lists of names and values, lists of objects as tables, and what is
/// inside them to be opened.
struct ReportTree {
    /// How many rows a table has at most; what is left out is said below it.
    static let maximumRows = 2_000

    /// How deep values are drawn; deeper ones are in the JSON report.
    private static let maximumDepth = 24

    /// Draws a value.
    static func write(_ value: JSONValue, into html: inout HTMLBuilder, depth: Int = 0) {
        guard depth < maximumDepth else { return html.text("…") }
        switch value {
        case .null: html.element("i", "none")
        case .bool, .integer, .number: html.text(scalar(value))
        case .string(let text): string(text, into: &html)
        case .array(let values): array(values, into: &html, depth: depth)
        case .object(let members): object(members, into: &html, depth: depth)
        }
    }

    private static func string(_ text: String, into html: inout HTMLBuilder) {
        if text.utf8.starts(with: "http://".utf8) || text.utf8.starts(with: "https://".utf8) {
            html.url(text)
        } else {
            html.element("bdi", text)
        }
    }

    private static func object(_ members: [JSONValue.Member], into html: inout HTMLBuilder, depth: Int) {
        html.open("dl")
        for member in members {
            html.element("dt", name(member.name))
            html.open("dd")
            nested(member.value, into: &html, depth: depth)
            html.close("dd")
        }
        html.close("dl")
    }

    /// A value inside another: to be opened, if it is not short.
    private static func nested(_ value: JSONValue, into html: inout HTMLBuilder, depth: Int) {
        let summary: String
        switch value {
        case .array(let values) where values.count > 1 || !values.allSatisfy(\.isFlat):
            summary = values.count == 1 ? "1 entry" : "\(values.count) entries"
        case .object(let members) where !members.isEmpty && depth > 0:
            summary = type(of: members) ?? (members.count == 1 ? "1 value" : "\(members.count) values")
        case .null, .bool, .integer, .number, .string, .array, .object:
            return write(value, into: &html, depth: depth + 1)
        }
        html.open("details")
        html.element("summary", summary)
        write(value, into: &html, depth: depth + 1)
        html.close("details")
    }

    /// What structured data says of itself.
    private static func type(of members: [JSONValue.Member]) -> String? {
        for member in members where member.name == "@type" || member.name == "type" {
            if case .string(let text) = member.value { return text }
        }
        return nil
    }

    private static func array(_ values: [JSONValue], into html: inout HTMLBuilder, depth: Int) {
        if values.isEmpty { return html.element("i", "none") }
        if values.count > 1, let columns = columns(values) {
            return table(values, columns, into: &html, depth: depth)
        }
        if values.count == 1, values[0].isFlat { return write(values[0], into: &html, depth: depth + 1) }
        html.open("ul")
        for value in values.prefix(maximumRows) {
            html.open("li")
            write(value, into: &html, depth: depth + 1)
            html.close("li")
        }
        html.close("ul")
        rest(values.count, into: &html)
    }

    // MARK: - Tables

    /// Draws objects as rows.
    static func table(_ rows: [JSONValue], _ columns: [String], into html: inout HTMLBuilder, depth: Int = 0)
    {
        html.markup("<div class=scroll><table data-sorts><thead><tr>")
        for column in columns { html.element("th", ["scope": "col"], name(column)) }
        html.markup("</tr></thead><tbody>")
        for row in rows.prefix(maximumRows) {
            html.open("tr")
            for column in columns {
                html.open("td")
                if let value = row[column], value != .null { nested(value, into: &html, depth: depth) }
                html.close("td")
            }
            html.close("tr")
        }
        html.markup("</tbody></table></div>")
        rest(rows.count, into: &html)
    }

    private static func rest(_ count: Int, into html: inout HTMLBuilder) {
        guard count > maximumRows else { return }
        html.element("p", "\(maximumRows) of \(count) are shown; the JSON report has them all.")
    }

    /// The names of all members, in the order in which they are met; nil if there are other values than objects, or too
    /// many names for a table.
    private static func columns(_ values: [JSONValue]) -> [String]? {
        var names: [String] = []
        for value in values.prefix(maximumRows) {
            guard case .object(let members) = value else { return nil }
            for member in members where !names.contains(member.name) {
                guard names.count < 12 else { return nil }
                names.append(member.name)
            }
        }
        return names.isEmpty ? nil : names
    }

    /// As in "base url" for "base_url".
    static func name(_ name: String) -> String {
        String(decoding: name.utf8.map { $0 == UInt8(ascii: "_") ? 0x20 : $0 }, as: UTF8.self)
    }

    private static func scalar(_ value: JSONValue) -> String {
        switch value {
        case .bool(let isTrue): isTrue ? "yes" : "no"
        case .null, .integer, .number, .string, .array, .object:
            String(decoding: value.serialized(), as: UTF8.self)
        }
    }
}

extension JSONValue {
    /// Whether there is nothing inside it.
    fileprivate var isFlat: Bool {
        switch self {
        case .null, .bool, .integer, .number, .string: true
        case .array, .object: false
        }
    }
}
