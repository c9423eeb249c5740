import Foundation
import TestSupport
import Testing

@testable import WebDocument

/// The cases of github.com/microformats/tests: pages, and the JSON that a parser makes of each.
@Suite(
    .enabled(
        if: !MicroformatCase.all.isEmpty,
        "conformance/microformats is absent; Scripts/suites gets it"
    )
)
struct MicroformatSuiteTests {
    /// Why we differ.
    enum Reason {
        /// The case is from before images had their alternative texts with them.
        case imageWithoutText
        /// The parsing specification reads `key` as a URL.
        case key
        /// The value class pattern removes the colon of an offset, as three other cases of the suite have it.
        case offset
        /// A property `u-` is a URL also where its element is an item; the case has a reference as it is written.
        case unresolved
        /// A class attribute is a set; the case says of itself that it shows what is incidental.
        case repetition
    }

    static let known: [String: [String: Reason]] = [
        "microformats-v1/hcard/multiple": [
            "items/0/properties/key/0": .key,
            "items/0/properties/logo/0": .imageWithoutText,
            "items/0/properties/logo/1": .imageWithoutText,
            "items/0/properties/photo/0": .imageWithoutText,
        ],
        "microformats-v1/hcard/name": ["items/0/properties/photo/0": .imageWithoutText],
        "microformats-v1/hresume/affiliation": [
            "items/0/properties/affiliation/0/properties/photo/0": .imageWithoutText
        ],
        "microformats-v2-unit/names/tentative-names-properties-multi": [
            "items/0/properties/a: 2 and 1": .repetition
        ],
        "microformats-v2-unit/nested/nested-microformat-mistyped": [
            "items/3/properties/test/0/value": .unresolved, "items/4/properties/test/0/value": .unresolved,
            "items/5/properties/test/0/value": .unresolved,
        ],
        "microformats-v2-unit/value/value-dt": ["items/1/properties/2-with-tz/0": .offset],
    ]

    /// Cases with the include pattern of classic microformats, which the parsing specification does not have.
    static let withIncludes: Set<String> = [
        "microformats-v1/includes/hcarditemref", "microformats-v1/includes/heventitemref",
        "microformats-v1/includes/hyperlink", "microformats-v1/includes/object",
        "microformats-v1/includes/table",
    ]

    /// Cases with URLs of no path, in which the URL standard writes a slash.
    static let withoutPath: Set<String> = [
        "microformats-v2/h-card/impliedphoto", "microformats-v2/h-entry/impliedvalue-nested",
        "microformats-v2/h-recipe/all", "microformats-v2-unit/implied/implied-photo",
        "microformats-v2-unit/implied/implied-url", "microformats-v2-unit/properties/properties-u",
        "microformats-v2-unit/value/value-u",
    ]

    @Test func everyCaseIsRead() {
        let sets = Dictionary(grouping: MicroformatCase.all) { $0.name.prefix { $0 != "/" } }
        #expect(
            sets.mapValues(\.count) == [
                "microformats-mixed": 4, "microformats-v1": 39, "microformats-v2": 78,
                "microformats-v2-unit": 19,
            ]
        )
    }

    @Test(arguments: MicroformatCase.all)
    func findsWhatIsExpected(testCase: MicroformatCase) throws {
        let found = try testCase.found()
        let isWithoutPath = Self.withoutPath.contains(testCase.name)
        let expected = isWithoutPath ? testCase.expected.withPaths : testCase.expected
        #expect(!isWithoutPath || expected != testCase.expected, "it has no URL without a path any more")
        let differences = MicroformatCase.differences(expected, found)
        guard !Self.withIncludes.contains(testCase.name) else {
            #expect(!differences.isEmpty, "it has no include any more")
            return
        }
        let known = Self.known[testCase.name].map { Set($0.keys) } ?? []
        #expect(Set(differences) == known)
    }
}

/// A case of the suite.
struct MicroformatCase: Sendable, CustomTestStringConvertible {
    let name: String
    let page: String
    let expected: JSONValue

    var testDescription: String { name }

    static let all: [MicroformatCase] = {
        guard let folder = ProjectFolder.suite("conformance/microformats/tests"),
            let paths = try? FileManager.default.subpathsOfDirectory(atPath: folder.path)
        else { return [] }
        return paths.filter { $0.hasSuffix(".json") }.sorted().compactMap { path in
            let name = String(path.dropLast(5))
            guard let json = try? Data(contentsOf: folder.appendingPathComponent(path)),
                let page = try? Data(contentsOf: folder.appendingPathComponent("\(name).html")),
                let expected = try? JSONValue(parsing: json)
            else { return nil }
            return MicroformatCase(
                name: name,
                page: String(decoding: page, as: UTF8.self),
                expected: expected
            )
        }
    }()

    /// Returns this library's findings, as canonical JSON without `rel-urls`.
    func found() throws -> JSONValue {
        let base = name.hasPrefix("microformats-v2-unit/") ? "http://example.test/" : "http://example.com/"
        let page = try InspectionPages.page(page, url: base)
        let items = page.structuredData.microformats
        var rels: [(name: String, urls: [JSONValue])] = []
        for link in page.links where ["a", "area", "link"].contains(link.element) {
            let url = JSONValue.string(link.url?.href ?? link.reference)
            for name in link.rel {
                let place = rels.firstIndex { $0.name == name } ?? rels.count
                if place == rels.count { rels.append((name, [])) }
                if !rels[place].urls.contains(url) { rels[place].urls.append(url) }
            }
        }
        return .object([
            .init("items", .array(items.filter { !$0.isNested }.map { Self.canonical($0, items) })),
            .init("rels", .object(rels.map { .init($0.name, .array($0.urls)) })),
        ])
    }

    private static func canonical(_ item: MicroformatItem, _ items: [MicroformatItem]) -> JSONValue {
        .object(members(item, items))
    }

    private static func members(_ item: MicroformatItem, _ items: [MicroformatItem]) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [.init("type", .array(item.types.map(JSONValue.string)))]
        var names: [String] = []
        for property in item.properties where !names.contains(property.name) { names.append(property.name) }
        let properties = names.map { name in
            JSONValue.Member(name, .array(item[name].map { canonical($0, items) }))
        }
        members.append(.init("properties", .object(properties)))
        let children = item.children.map { canonical(items[$0], items) }
        if !children.isEmpty { members.append(.init("children", .array(children))) }
        if let id = item.id { members.append(.init("id", .string(id))) }
        return members
    }

    private static func canonical(_ value: MicroformatItem.Value, _ items: [MicroformatItem]) -> JSONValue {
        switch value {
        case .text(let text), .url(let text, nil): return .string(text)
        case .url(let url, let alternative?): return ["value": .string(url), "alt": .string(alternative)]
        case .markup(let markup, let text): return ["html": .string(markup), "value": .string(text)]
        case .item(let place, .markup(let markup, let text)):
            return .object(
                members(items[place], items) + [
                    .init("html", .string(markup)), .init("value", .string(text)),
                ]
            )
        case .item(let place, let value):
            return .object(members(items[place], items) + [.init("value", canonical(value, items))])
        }
    }

    /// The paths at which two documents differ, `rel-urls` left out.
    static func differences(_ expected: JSONValue, _ found: JSONValue) -> [String] {
        ["items", "rels"].flatMap { name in
            differences(expected[name] ?? .null, found[name] ?? .null, name)
        }
    }

    private static func differences(_ expected: JSONValue, _ found: JSONValue, _ path: String) -> [String] {
        switch (expected, found) {
        case (.object(let left), .object(let right)):
            let names = Set((left + right).map(\.name)).sorted()
            return names.flatMap { name -> [String] in
                guard let own = found[name] else { return ["\(path)/\(name) is missing"] }
                guard let other = expected[name] else { return ["\(path)/\(name) is too much"] }
                return differences(other, own, "\(path)/\(name)")
            }
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return ["\(path): \(left.count) and \(right.count)"] }
            return zip(left, right).enumerated().flatMap { index, pair in
                differences(pair.0, pair.1, "\(path)/\(index)")
            }
        default: return expected == found ? [] : [path]
        }
    }
}

extension JSONValue {
    /// The same with a slash after each URL that is a scheme and a host.
    fileprivate var withPaths: JSONValue {
        switch self {
        case .string(let text): .string(text.contains(/^https?:\/\/[^\/]+$/) ? text + "/" : text)
        case .array(let items): .array(items.map(\.withPaths))
        case .object(let members): .object(members.map { Member($0.name, $0.value.withPaths) })
        case .null, .bool, .integer, .number: self
        }
    }
}
