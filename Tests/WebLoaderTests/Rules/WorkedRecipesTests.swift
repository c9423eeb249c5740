import Foundation
import TestSupport
import Testing

@testable import WebRules

/// The recipes of docs/recipes, each with a page and what it makes of it.
struct WorkedRecipesTests {
    private static let folder = ProjectFolder.root.appendingPathComponent("docs/recipes")

    static let names = ["article", "forum", "json-ld", "listing", "product", "table"]

    private struct Site: RuleHost {
        func page(at url: WebURL, from origin: RulePage) throws(RuleFailure) -> RulePage {
            do {
                let name = url.href.split(separator: "/").last.map(String.init) ?? ""
                return try WorkedRecipesTests.page(name, url: url)
            } catch {
                throw .rule(RuleError(.failed, "\(error)"))
            }
        }
    }

    private static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    private static func page(_ name: String, url: WebURL) throws -> RulePage {
        let page = try InspectionPages.page(try text(name))
        return RulePage(document: try #require(page.document), baseURL: url, source: url)
    }

    @Test func theseAreAll() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
        #expect(files.filter { $0.hasSuffix(".yaml") }.sorted() == Self.names.map { "\($0).yaml" })
    }

    @Test(arguments: names)
    func aRecipeMakesWhatIsExpectedOfItsPage(name: String) throws {
        let run = InProcessRun(
            recipe: try Recipe(Self.text("\(name).yaml"), file: "\(name).yaml"),
            budget: Budget(),
            notesProvenance: false,
            host: Site()
        )
        let url = try WebURL("https://site.example/\(name).html")
        let extraction = run.run(on: try Self.page("\(name).html", url: url))
        #expect(extraction.errors.isEmpty)
        #expect(extraction.failure == nil)
        #expect(extraction.exceeded == nil)
        let expected = try JSONValue(parsing: Self.text("\(name).json").utf8)
        #expect(
            String(decoding: extraction.data.serialized(sortingNames: false), as: UTF8.self)
                == String(decoding: expected.serialized(sortingNames: false), as: UTF8.self)
        )
    }

    @Test func theSchemaIsPublished() throws {
        let published = try String(
            contentsOf: ProjectFolder.root.appendingPathComponent("docs/recipe.schema.json"),
            encoding: .utf8
        )
        #expect(published == Recipe.schema + "\n")
        _ = try JSONValue(parsing: published.utf8)
    }
}
