import Foundation
import TestSupport
import Testing

@testable import WebLoader

/// The report of a page as programs get it, and the descriptions that it and its schema are made from.
struct PageReportTests {
    private static func report(_ markup: String, _ sections: PageReport.Sections = []) throws -> PageReport {
        PageReport(try ParsedPage(html: markup), including: sections)
    }

    @Test func allFixturesAreWrittenAsTheirValues() throws {
        let pages = try ProjectFolder.pages(in: ProjectFolder.fixtures)
        #expect(pages.count >= 139)
        for page in pages {
            let markup = String(decoding: try Data(contentsOf: page), as: UTF8.self)
            let report = try Self.report(markup, [.findings, .parseErrors])
            #expect(report.serialized() == report.json.serialized(), "\(page.lastPathComponent)")
        }
    }

    @Test func whatIsNotAskedForIsNotThere() throws {
        let markup = "<img src=a><img src=a id=x><p id=x>"
        let plain = try Self.report(markup).json
        #expect(plain["findings"] == nil && plain["parse_errors"] == nil && plain["resources"] == nil)
        let full = try Self.report(markup, [.findings, .parseErrors]).json
        #expect(full["findings"] != nil && full["parse_errors"] == .array([]))
    }

    @Test func theSourceIsTheCallersOrTheURL() throws {
        let page = try ParsedPage(html: "<title>T</title>")
        #expect(PageReport(page).json["source"] == .string(page.response.url.description))
        #expect(PageReport(page, source: "a page").json["source"] == "a page")
    }

    // MARK: - Descriptions

    /// An object with a member of each kind; `rest` is a part of it.
    private struct Example: ReportObject {
        struct Rest: ReportObject {
            let line: Int?

            static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
                members.optional("line", as: .integer(from: 1), "A line.", \.line)
            }
        }

        var title: String?
        var isInert = false
        var words: [String] = []
        var inner: [Example] = []
        var rest: Rest?

        static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
            members.named("example", "An example.")
            members.required("title", "Its title; null without one.", \.title)
            members.flag("inert", "Present if it is inert.", \.isInert)
            members.list("words", "Its words.", \.words)
            members.list("examples", "Others inside it.", \.inner)
            members.include { $0.rest }
        }
    }

    private static let examples: [(example: Example, json: String)] = [
        (Example(), #"{"title":null}"#),
        (Example(title: "T", words: ["a", "b"]), #"{"title":"T","words":["a","b"]}"#),
        (
            Example(isInert: true, inner: [Example(title: "I"), Example()], rest: .init(line: 7)),
            #"{"examples":[{"title":"I"},{"title":null}],"inert":true,"line":7,"title":null}"#
        ),
    ]

    @Test(arguments: 0..<examples.count)
    func aDescriptionMakesTheJSON(index: Int) {
        let (example, json) = Self.examples[index]
        #expect(String(decoding: example.document(), as: UTF8.self) == json)
        #expect(String(decoding: example.reported.serialized(), as: UTF8.self) == json)
    }

    @Test func aDescriptionMakesTheSchema() throws {
        var definitions = ReportDefinitions()
        let list = [Example].schema(&definitions).json
        #expect(list["items"] == ["$ref": "#/$defs/example"])
        let schema = try #require(definitions.json["example"])
        #expect(schema["description"] == "An example.")
        #expect(schema["required"] == ["title"])
        #expect(schema["additionalProperties"] == false)
        guard case .object(let properties)? = schema["properties"] else {
            Issue.record("no properties")
            return
        }
        #expect(properties.map(\.name) == ["title", "inert", "words", "examples", "line"])
        #expect(properties[0].value["type"] == ["string", "null"])
        #expect(properties[1].value["const"] == true)
        #expect(properties[3].value["items"] == ["$ref": "#/$defs/example"])
        #expect(properties[4].value["minimum"] == 1)
    }

    @Test func membersStandInTheOrderOfTheSchema() throws {
        // People read both: the value of a report and its schema, which come from the same description.
        let report = try Self.report("<!doctype html><title>T</title><p>x", [.findings, .parseErrors]).json
        guard case .object(let members) = report, case .object(let all)? = PageReport.schema["properties"]
        else {
            Issue.record("no objects")
            return
        }
        let names = members.map(\.name)
        #expect(all.map(\.name).filter { names.contains($0) } == names)
    }
}
