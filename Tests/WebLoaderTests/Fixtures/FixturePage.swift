import Foundation
import TestSupport
import Testing

@testable import WebLoader

/// A page of `Fixtures/html`, with what `expected/` says a browser makes of it.
struct FixturePage: Sendable, CustomTestStringConvertible {
    /// The answers of Chromium 156; Fixtures/README.md says how they were got.
    struct Expectation: Decodable, Sendable {
        struct Heading: Decodable, Equatable, Sendable {
            let level: Int
            let text: String

            init(level: Int, text: String) {
                self.level = level
                self.text = text
            }

            init(from decoder: any Decoder) throws {
                var pair = try decoder.unkeyedContainer()
                level = try pair.decode(Int.self)
                text = try pair.decode(String.self)
            }
        }

        let base: String
        let compatMode: String
        let elements: Int
        let encoding: String
        let headings: [Heading]
        let links: [String?]
        let title: String?
        let tree: [String]?
    }

    let name: String
    let body: [UInt8]
    let expected: Expectation

    var testDescription: String { name }

    /// All of them, by name.
    static let all: [FixturePage] = {
        do {
            return try ProjectFolder.pages(in: ProjectFolder.fixtures).map { file in
                let name = file.deletingPathExtension().lastPathComponent
                let answers = ProjectFolder.fixtures.appendingPathComponent("expected/\(name).json")
                return FixturePage(
                    name: name,
                    body: [UInt8](try Data(contentsOf: file)),
                    expected: try JSONDecoder().decode(Expectation.self, from: Data(contentsOf: answers))
                )
            }
        } catch {
            Issue.record(error)
            return []
        }
    }()

    /// Loads it as it is to be loaded: over HTTP, as text/html without a charset.
    func load(_ configure: (inout PageLoader.Configuration) -> Void = { _ in }) async throws -> ParsedPage {
        let fetcher = ScriptedFetcher { [body] request in
            var response = WebResponse.answering(request, 200, [("Content-Type", "text/html")])
            response.body = body
            return response
        }
        let request = WebRequest(url: try WebURL("http://fixture.test/html/\(name).html"))
        return try await PageLoader(fetcher, configure).load(request).parsed()
    }
}
