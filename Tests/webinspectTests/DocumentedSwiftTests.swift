import Foundation
import TestSupport
import Testing

/// The Swift that the documents show compiles.
@Suite(.timeLimit(.minutes(20)))
struct DocumentedSwiftTests {
    /// The parameters that blocks may use without declaring them.
    private static let parameters = """
        loader: PageLoader, configuration given: PageLoader.Configuration, page: Page, parsed: ParsedPage, request: WebRequest, \
        node: Node, url: WebURL, urls: [WebURL]
        """

    /// The modules that blocks may import; without the trait, the product for observers is empty.
    #if Observability
    private static let modules = [
        "WebLoader", "WebSite", "WebCopy", "WebBrowsing", "WebRendering", "WebLoaderObservability", "Logging",
        "Metrics", "Tracing",
    ]
    #else
    private static let modules = ["WebLoader", "WebSite", "WebCopy", "WebBrowsing", "WebRendering"]
    #endif

    @Test func `blocks of Swift compile`() async throws {
        let blocks = try Self.blocks().filter { block in
            Self.modules.contains("Logging") || !block.code.contains("InstrumentedObserver")
        }
        #expect(blocks.count >= 20)
        let functions = blocks.enumerated().map { number, block in
            """
            func block\(number)(\(Self.parameters)) async throws {
                var configuration = given
                do {
            #sourceLocation(file: "\(block.file)", line: \(block.line))
            \(block.code.replacing(/import (WebLoader|WebSite|WebCopy|WebBrowsing|WebRendering)\n/, with: "\n"))
            #sourceLocation()
                }
            }
            """
        }
        // This program is for the tests only, so that the modules are beside it, be the command elsewhere.
        let programs = try Command.file("network-guard").deletingLastPathComponent()
        let root = ProjectFolder.root.path
        // The library's module, the generated maps of its C targets, and those of the system's libraries.
        let line = """
            cd \(programs.path) && swiftc -typecheck -swift-version 6 -suppress-warnings -parse-as-library -I Modules \
            $(printf -- '-Xcc -fmodule-map-file=%s ' C*.build/module.modulemap) \
            $(printf -- '-Xcc -I%s ' \(root)/Sources/C{LibXML2,PCRE2,YAML,XXHash,SQLite}) \
            $(pkg-config --cflags-only-I libxml-2.0 | sed 's/-I/-Xcc -I/g') -
            """
        let outcome = try await Command.run(
            "/bin/bash",
            ["-c", line],
            input: Data((Self.modules.map { "import \($0)" } + functions).joined(separator: "\n").utf8)
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
    }

    /// The blocks of Swift in the documents for those who use the library, with their places.
    private static func blocks() throws -> [(file: String, line: Int, code: String)] {
        let modules = [
            "WebStandards", "WebDocument", "WebTransport", "WebRules", "WebLoader", "WebSite", "WebCopy",
            "WebBrowsing", "WebRendering",
        ]
        let catalogs = modules.map { ProjectFolder.root.appending(path: "Sources/\($0)/\($0).docc") }
        let documents = ["README.md", "docs/library.md", "docs/recipes.md", "docs/sessions.md"].map { path in
            ProjectFolder.root.appending(path: path)
        }
        let articles = try catalogs.flatMap { catalog in
            try FileManager.default.contentsOfDirectory(at: catalog, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "md" }
        }
        return try (documents + articles).flatMap { file in
            let text = try String(contentsOf: file, encoding: .utf8)
            return text.matches(of: /```swift\n((?s).*?)```/).map { block in
                let line = text[..<block.range.lowerBound].count { $0 == "\n" } + 2
                return (file.lastPathComponent, line, String(block.output.1))
            }
        }
    }
}
