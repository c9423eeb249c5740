/// Writes items that have others in them, which may be the same, or have the first in them again.
///
/// An item stands where it is met first, 32 levels deep at most; anywhere else stands its number. So the report is as
/// long as the items are, whatever refers to what.
struct NestedItems {
    private var isWritten: [Bool]
    private var depth = 0

    private static var maximumDepth: Int { 32 }

    init(count: Int) {
        isWritten = [Bool](repeating: false, count: count)
    }

    /// Makes reports of items, outermost ones first, then of those that no outermost one has in it.
    mutating func reports<Report>(
        outermost: (Int) -> Bool,
        _ make: (inout NestedItems, Int, _ isWhole: Bool) -> Report
    ) -> [Report] {
        var reports: [Report] = []
        for place in isWritten.indices where outermost(place) { reports.append(report(place, make)) }
        for place in isWritten.indices where !isWritten[place] { reports.append(report(place, make)) }
        return reports
    }

    /// Makes the report of an item: the whole of it, or its number only.
    mutating func report<Report>(
        _ place: Int,
        _ make: (inout NestedItems, Int, _ isWhole: Bool) -> Report
    ) -> Report {
        guard !isWritten[place], depth < Self.maximumDepth else { return make(&self, place, false) }
        isWritten[place] = true
        depth += 1
        defer { depth -= 1 }
        return make(&self, place, true)
    }
}

// MARK: - Microdata

/// An item of microdata, those that are its properties inside it.
struct MicrodataReport: ReportObject {
    /// A value of a property.
    enum Value: ReportValue {
        case text(String)
        case item(MicrodataReport)

        static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema {
            .either(.string, MicrodataReport.schema(&definitions))
        }

        func write(into output: inout JSONWriter) { output.write(reported) }

        var reported: JSONValue {
            switch self {
            case .text(let text): text.reported
            case .item(let item): item.reported
            }
        }
    }

    /// The same with the content attribute, if that is there too.
    struct Property: ReportValue {
        private struct WithContent: ReportObject {
            let value: Value
            let content: String

            static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
                members.required("value", "The value that the standard gives it.", \.value)
                members.required("content", "The content attribute.", \.content)
            }
        }

        let value: Value
        let content: String?

        static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema {
            .either(
                .string,
                MicrodataReport.schema(&definitions),
                WithContent.schema(&definitions)
            )
        }

        func write(into output: inout JSONWriter) { output.write(reported) }

        var reported: JSONValue {
            content.map { WithContent(value: value, content: $0).reported } ?? value.reported
        }
    }

    let number: Int
    /// Nil where the item stands elsewhere.
    let item: MicrodataItem?
    let properties: GroupedValues<Property>?

    static func items(of data: StructuredData) -> [MicrodataReport] {
        var items = NestedItems(count: data.microdata.count)
        return items.reports(outermost: { !data.microdata[$0].isProperty }) { make($1, $2, &$0, data) }
    }

    private static func make(
        _ place: Int,
        _ isWhole: Bool,
        _ items: inout NestedItems,
        _ data: StructuredData
    ) -> MicrodataReport {
        guard isWhole else { return MicrodataReport(number: place, item: nil, properties: nil) }
        let item = data.microdata[place]
        var properties: [(String, Property)] = []
        for property in item.properties {
            let value: Value =
                switch property.value {
                case .text(let text): .text(text)
                case .url(let url): .text(url.description)
                case .invalidURL(let reference): .text(reference)
                case .item(let other): .item(items.report(other) { make($1, $2, &$0, data) })
                }
            properties.append((property.name, Property(value: value, content: property.content)))
        }
        return MicrodataReport(number: place, item: item, properties: GroupedValues(properties))
    }

    static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("microdata_item", "An item of microdata.")
        members.required("item", as: .count, "Its number; alone where the item stands elsewhere.", \.number)
        members.optional("types", "Its types, absolute URLs.") { $0.item?.types }
        members.optional("properties", "The values of each name.", \.properties)
        members.optional("id", "Its global identifier.") { $0.item?.id.map(withoutCredentials) }
        members.flag("stray", "Present if it has itemprop, but no item around it.") {
            $0.item?.isStray ?? false
        }
        members.include { $0.item?.position }
    }
}

// MARK: - Microformats

/// A microformat, those inside it inside it.
struct MicroformatReport: ReportObject {
    /// A value of a property.
    enum Value: ReportValue {
        case text(String)
        case item(MicroformatReport)
        case markup(Markup)
        case image(Image)

        struct Markup: ReportObject {
            let html: String
            let value: String

            static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
                members.required("html", "The markup inside.", \.html)
                members.required("value", "The text inside.", \.value)
            }
        }

        struct Image: ReportObject {
            let value: String
            let alternative: String

            static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
                members.required("value", "The URL of an image.", \.value)
                members.required("alt", "Its alternative text.", \.alternative)
            }
        }

        static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema {
            .either(
                .string,
                MicroformatReport.schema(&definitions),
                Markup.schema(&definitions),
                Image.schema(&definitions)
            )
        }

        func write(into output: inout JSONWriter) { output.write(reported) }

        var reported: JSONValue {
            switch self {
            case .text(let text): text.reported
            case .item(let item): item.reported
            case .markup(let markup): markup.reported
            case .image(let image): image.reported
            }
        }
    }

    let number: Int
    /// Nil where the item stands elsewhere.
    let item: MicroformatItem?
    let properties: GroupedValues<Value>?
    let children: [MicroformatReport]
    /// The value of a property, without the item.
    var value: MicroformatItem.Value?

    private var text: String? {
        guard case .url(let url, _) = value else { return value?.text }
        return withoutCredentials(url)
    }

    private var html: String? {
        guard case .markup(let markup, _) = value else { return nil }
        return markup
    }

    private var alternative: String? {
        guard case .url(_, let alternative) = value else { return nil }
        return alternative
    }

    static func items(of data: StructuredData) -> [MicroformatReport] {
        var items = NestedItems(count: data.microformats.count)
        return items.reports(outermost: { !data.microformats[$0].isNested }) { make($1, $2, &$0, data) }
    }

    private static func make(
        _ place: Int,
        _ isWhole: Bool,
        _ items: inout NestedItems,
        _ data: StructuredData
    ) -> MicroformatReport {
        guard isWhole else {
            return MicroformatReport(number: place, item: nil, properties: nil, children: [])
        }
        let item = data.microformats[place]
        var properties: [(String, Value)] = []
        for property in item.properties {
            properties.append((property.name, value(of: property, &items, data)))
        }
        var children: [MicroformatReport] = []
        for child in item.children { children.append(items.report(child) { make($1, $2, &$0, data) }) }
        return MicroformatReport(
            number: place,
            item: item,
            properties: GroupedValues(properties),
            children: children
        )
    }

    private static func value(
        of property: MicroformatItem.Property,
        _ items: inout NestedItems,
        _ data: StructuredData
    ) -> Value {
        switch property.value {
        case .text(let text): return .text(text)
        case .url(let url, nil): return .text(withoutCredentials(url))
        case .url(let url, let alternative?):
            return .image(Value.Image(value: withoutCredentials(url), alternative: alternative))
        case .markup(let markup, let text): return .markup(Value.Markup(html: markup, value: text))
        case .item(let other, let value):
            var report = items.report(other) { make($1, $2, &$0, data) }
            report.value = value
            return .item(report)
        }
    }

    static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("microformat", "A microformat.")
        members.required("item", as: .count, "Its number; alone where the item stands elsewhere.", \.number)
        members.optional("types", "Its types, as h-entry.") { $0.item?.types }
        members.optional("properties", "The values of each name.", \.properties)
        members.list("children", "Items inside that are not properties.", \.children)
        members.optional("id", "The ID of its element.") { $0.item?.id }
        members.flag("classic", "Present if a class name from before microformats2 made it.") {
            $0.item?.isClassic ?? false
        }
        members.include { $0.item?.position }
        members.optional("value", "Of a property: its value as a text.", \.text)
        members.optional("html", "Of a property with markup: the markup inside.") { $0.html }
        members.optional("alt", "Of a property with an image: its alternative text.") { $0.alternative }
    }
}
