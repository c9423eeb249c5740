import Foundation
import TestSupport
import Testing

@testable import WebDocument

/// The findings of extruct 0.18, and those of this library, in a page of `../shared/conformance/pages`, in one form.
///
/// The form is extruct's, with white space left out (extruct guesses where lines end) and URLs as the URL standard
/// writes them (extruct joins and leaves them).
struct ExtructFindings: Sendable, CustomTestStringConvertible {
    let id: String
    let url: String
    let findings: JSONValue

    var testDescription: String { id }

    static let absence = "conformance/structured is absent: it is only in ../shared"

    static let all: [ExtructFindings] = {
        guard let file = ProjectFolder.suite("conformance/structured/extruct.jsonl"),
            let data = try? Data(contentsOf: file)
        else { return [] }
        return data.split(separator: 0x0A).compactMap { line in
            guard let findings = try? JSONValue(parsing: line), let id = findings["id"]?.string,
                let url = findings["url"]?.string
            else { return nil }
            return ExtructFindings(id: id, url: url, findings: findings)
        }
    }()

    /// Returns this library's findings in the same page.
    func structuredData() throws -> StructuredData {
        let file = ProjectFolder.suite("conformance/pages/pages/\(id).html")
        let body = try file.map { try Data(contentsOf: $0) } ?? Data()
        return try InspectionPages.page(String(decoding: body, as: UTF8.self), url: url).structuredData
    }

    // MARK: - One form

    /// Text without white space, URLs normalised.
    static func normalized(_ text: String) -> String {
        var text = text
        if text.contains("://"), let url = try? WebURL(text) { text = url.href }
        text = String(decoding: PercentDecoding.decode(Array(text.utf8).span), as: UTF8.self)
        return String(String.UnicodeScalarView(text.unicodeScalars.filter { !$0.properties.isWhitespace }))
    }

    /// A document with all texts in it normalised, and members that are no findings left out.
    static func normalized(_ value: JSONValue) -> JSONValue {
        switch value {
        case .string(let text): .string(normalized(text))
        case .array(let items): .array(items.map(normalized))
        case .object(let members):
            .object(
                members.filter { $0.name != "lang" && $0.name != "html" }
                    .map { JSONValue.Member($0.name, normalized($0.value)) }
            )
        case .null, .bool, .integer, .number: value
        }
    }

    /// The items of microdata that are no properties of others.
    static func microdata(_ items: [MicrodataItem]) -> JSONValue {
        .array(items.filter { !$0.isProperty }.map { microdata($0, items) })
    }

    private static func microdata(_ item: MicrodataItem, _ items: [MicrodataItem]) -> JSONValue {
        var members: [JSONValue.Member] = []
        let types = item.types.map { JSONValue.string(normalized($0)) }
        if !types.isEmpty { members.append(.init("type", types.count == 1 ? types[0] : .array(types))) }
        if let id = item.id { members.append(.init("id", .string(normalized(id)))) }
        var names: [String] = []
        for property in item.properties where !names.contains(property.name) { names.append(property.name) }
        let properties = names.map { name in
            let values = item[name].map { value -> JSONValue in
                switch value {
                case .text(let text): .string(normalized(text))
                case .url(let url): .string(normalized(url.href))
                case .invalidURL(let reference): .string(normalized(reference))
                case .item(let other): microdata(items[other], items)
                }
            }
            return JSONValue.Member(name, values.count == 1 ? values[0] : .array(values))
        }
        if !properties.isEmpty { members.append(.init("properties", .object(properties))) }
        return .object(members)
    }

    /// The outermost microformats.
    static func microformats(_ items: [MicroformatItem]) -> JSONValue {
        .array(items.filter { !$0.isNested }.map { .object(microformat($0, items)) })
    }

    private static func microformat(
        _ item: MicroformatItem,
        _ items: [MicroformatItem]
    ) -> [JSONValue.Member] {
        var members: [JSONValue.Member] = [.init("type", .array(item.types.map(JSONValue.string)))]
        if let id = item.id { members.append(.init("id", .string(id))) }
        var names: [String] = []
        for property in item.properties where !names.contains(property.name) { names.append(property.name) }
        let properties = names.map { name in
            JSONValue.Member(
                name,
                .array(
                    item[name].map { value in
                        let text = JSONValue.string(normalized(value.text))
                        switch value {
                        case .text, .url(_, nil): return text
                        case .url(_, let alternative?):
                            return ["value": text, "alt": .string(normalized(alternative))]
                        case .markup: return ["value": text]
                        case .item(let other, _):
                            return .object(microformat(items[other], items) + [.init("value", text)])
                        }
                    }
                )
            )
        }
        members.append(.init("properties", .object(properties)))
        let children = item.children.map { JSONValue.object(microformat(items[$0], items)) }
        if !children.isEmpty { members.append(.init("children", .array(children))) }
        return members
    }

    /// Statements as texts, the names of blank nodes left out, without those of `role`.
    static func statements(_ nodes: [RDFaNode]) -> Set<String> {
        var statements: Set<String> = []
        for node in nodes {
            for property in node.properties {
                let object =
                    switch property.value {
                    case .resource(let iri): iri
                    case .literal(let text, _, _): normalized(text)
                    }
                statements.insert(statement(node.id, property.name, object))
            }
        }
        return statements
    }

    /// extruct's statements.
    var statements: Set<String> {
        var statements: Set<String> = []
        for node in findings["rdfa"]?.items ?? [] {
            guard case .object(let members) = node, let id = node["@id"]?.string else { continue }
            for member in members where member.name != "@id" && member.name != Self.role {
                for value in member.value.items {
                    let object = value["@id"]?.string ?? value["@value"]?.string ?? value.string ?? ""
                    statements.insert(Self.statement(id, member.name, Self.normalized(object)))
                }
            }
        }
        return statements
    }

    static let role = "http://www.w3.org/1999/xhtml/vocab#role"

    private static func statement(_ subject: String, _ predicate: String, _ object: String) -> String {
        let subject = subject.hasPrefix("_:") ? "_:" : subject
        return "\(predicate) of \(subject) is \(object.hasPrefix("_:") ? "_:" : normalized(object))"
    }

    // MARK: - Differences

    /// The places where two documents differ, as paths.
    static func differences(_ theirs: JSONValue, _ ours: JSONValue, _ path: String) -> [String] {
        switch (theirs, ours) {
        case (.object(let left), .object(let right)):
            let names = Set((left + right).map(\.name)).sorted()
            return names.flatMap { name -> [String] in
                guard let own = ours[name] else { return ["\(path)/\(name) is extruct's"] }
                guard let other = theirs[name] else { return ["\(path)/\(name) is ours"] }
                return differences(other, own, "\(path)/\(name)")
            }
        case (.array(let left), .array(let right)):
            guard left.count == right.count else { return ["\(path): \(left.count) and \(right.count)"] }
            return zip(left, right).enumerated().flatMap { index, pair in
                differences(pair.0, pair.1, "\(path)/\(index)")
            }
        default: return theirs == ours ? [] : [path]
        }
    }
}
