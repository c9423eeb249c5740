import WebLoader

/// Draws the values of the JSON report: objects as lists of names and values, lists of objects as tables, and what is
/// inside them to be opened.
struct ReportTree {
    /// How many rows a table has at most; what is left out is said below it.
    static let maximumRows = 2_000

    /// How deep values are drawn; deeper ones are in the JSON report.
    private static let maximumDepth = 24

    /// How many values a list has at most that is not to be opened, and how long such a text is, in bytes.
    private static let shortCount = 12
    private static let shortLength = 500

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
        pairs(members.map { (name($0.name), $0.value) }, into: &html, depth: depth)
    }

    private static func pairs(
        _ pairs: [(name: String, value: JSONValue)],
        into html: inout HTMLBuilder,
        depth: Int
    ) {
        html.open("dl")
        for pair in pairs {
            html.element("dt", pair.name)
            html.open("dd")
            nested(pair.value, into: &html, depth: depth)
            html.close("dd")
        }
        html.close("dl")
    }

    /// A value inside another: to be opened, if it is not short.
    private static func nested(_ value: JSONValue, into html: inout HTMLBuilder, depth: Int) {
        guard let summary = summary(of: value, depth: depth) else {
            return write(value, into: &html, depth: depth + 1)
        }
        html.open("details")
        html.element("summary", summary)
        write(value, into: &html, depth: depth + 1)
        html.close("details")
    }

    /// Returns the text that is shown for a value until it is opened; `nil` if the value is short.
    private static func summary(of value: JSONValue, depth: Int) -> String? {
        switch value {
        case .string(let text):
            text.utf8.count > shortLength ? text.shortened : nil
        case .array(let values):
            values.count <= shortCount && (depth < 2 || values.allSatisfy(\.isFlat))
                ? nil : values.count == 1 ? "1 entry" : "\(values.count) entries"
        case .object(let members):
            depth == 0 || members.isEmpty
                ? nil : type(of: members) ?? (members.count == 1 ? "1 value" : "\(members.count) values")
        case .null, .bool, .integer, .number: nil
        }
    }

    /// Returns the type that structured data declares; `nil` if there is none.
    private static func type(of members: [JSONValue.Member]) -> String? {
        for member in members where member.name == "@type" || member.name == "type" {
            if case .string(let text) = member.value { return text.shortened }
        }
        return nil
    }

    private static func array(_ values: [JSONValue], into html: inout HTMLBuilder, depth: Int) {
        if values.isEmpty { return html.element("i", "none") }
        if values.count == 1, values[0].isFlat { return write(values[0], into: &html, depth: depth + 1) }
        let named = values.prefix(maximumRows).compactMap(\.pair)
        if named.count == values.count { return pairs(named, into: &html, depth: depth) }
        if values.count > 1 || values[0].isRow, let columns = columns(values) {
            return table(values, columns, into: &html, depth: depth)
        }
        list(values, into: &html, depth: depth)
    }

    /// Draws values one below the other, or beside each other where all are short.
    static func list(_ values: [JSONValue], into html: inout HTMLBuilder, depth: Int = 0) {
        let isLong = values.contains(where: \.isLong)
        html.open("ul", ["class": !values.allSatisfy(\.isFlat) ? "plain" : isLong ? "texts" : "words"])
        for value in values.prefix(maximumRows) {
            html.open("li")
            write(value, into: &html, depth: depth + 1)
            html.close("li")
        }
        html.close("ul")
        rest(values.count, into: &html)
    }

    // MARK: - Tables

    /// Draws objects as rows, without columns that nothing is in.
    static func table(_ rows: [JSONValue], _ names: [String], into html: inout HTMLBuilder, depth: Int = 0) {
        let shown = rows.prefix(maximumRows)
        let columns = names.compactMap { name -> (name: String, style: String)? in
            let values = shown.compactMap { $0[name] }.filter { $0 != .null }
            guard !values.isEmpty else { return nil }
            let isLong = values.contains(where: \.isLong)
            return (name, values.allSatisfy(\.isNumber) ? "number" : isLong ? "long" : "short")
        }
        html.markup("<div class=scroll><table data-sorts><thead><tr>")
        for column in columns { html.element("th", ["class": column.style], name(column.name)) }
        html.markup("</tr></thead><tbody>")
        for row in shown {
            html.open("tr")
            for column in columns {
                html.open("td", ["class": column.style, "data-name": name(column.name)])
                if let value = row[column.name], value != .null {
                    nested(value, into: &html, depth: depth + 2)
                }
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

    /// The names of all members, in the order in which they are met.
    ///
    /// Nil if there are other values than objects, or too many names for a table. References as they are written are
    /// left out where there are URLs.
    private static func columns(_ values: [JSONValue]) -> [String]? {
        var names: [String] = []
        for value in values.prefix(maximumRows) {
            guard case .object(let members) = value else { return nil }
            for member in members where !names.contains(member.name) {
                guard names.count < 16 else { return nil }
                names.append(member.name)
            }
        }
        let isUnresolved = values.prefix(maximumRows).contains { value in
            (value["reference"] ?? .null) != .null && (value["url"] ?? .null) == .null
        }
        if !isUnresolved { names.removeAll { $0 == "reference" } }
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

    /// Whether it is a text of more than a word or two.
    fileprivate var isLong: Bool {
        if case .string(let text) = self { text.utf8.count > 20 } else { false }
    }

    /// Whether it is a number.
    fileprivate var isNumber: Bool {
        switch self {
        case .integer, .number: true
        case .null, .bool, .string, .array, .object: false
        }
    }

    /// Whether it is an object with nothing but lists of words inside its members.
    fileprivate var isRow: Bool {
        guard case .object(let members) = self else { return false }
        return members.allSatisfy { member in
            guard case .array(let values) = member.value else { return member.value.isFlat }
            return values.allSatisfy(\.isFlat)
        }
    }

    /// A text and what belongs to it, as fields of a response are.
    fileprivate var pair: (name: String, value: JSONValue)? {
        guard case .array(let values) = self, values.count == 2, case .string(let name) = values[0] else {
            return nil
        }
        return (name, values[1])
    }
}
