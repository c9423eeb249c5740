import Foundation
import TestSupport
import Testing

/// Tests of the layers that the compiler does not enforce: which folder imports which C library, and what no file may
/// contain.
struct LayeringTests {
    /// A source file, read.
    struct Source: Sendable, CustomTestStringConvertible {
        /// The path below Sources.
        let path: String
        /// The lines without comments and without the text of string literals.
        let lines: [String]

        /// Its module and its folder in it, as "WebStandards/URL"; the module alone for a file outside of folders.
        var layer: String {
            let parts = path.split(separator: "/").dropLast()
            return parts.prefix(2).joined(separator: "/")
        }

        var testDescription: String { path }
    }

    private static let folder = ProjectFolder.root.appendingPathComponent("Sources")

    static let all: [Source] = {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let swift = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
        let prefix = folder.standardizedFileURL.path + "/"
        return swift.map { file in
            // A file that cannot be read has no lines, which the count of lines below shows.
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            return Source(
                path: file.standardizedFileURL.path.replacing(prefix, with: ""),
                lines: text.split(separator: "\n").map { code(of: $0) }
            )
        }.sorted { $0.path < $1.path }
    }()

    /// Returns a line without its comment and without text in quotes.
    private static func code(of line: Substring) -> String {
        var code = ""
        var isQuoted = false
        var previous: Character = " "
        for character in line {
            if character == "\"", previous != "\\" { isQuoted.toggle() }
            if !isQuoted, previous == "/", character == "/" {
                code.removeLast()
                break
            }
            if !isQuoted || character == "\"" { code.append(character) }
            previous = character
        }
        return code
    }

    /// The modules that a source imports.
    private func imports(_ source: Source) -> [String] {
        source.lines.compactMap { line in
            let words = line.split(separator: " ")
            guard let index = words.firstIndex(of: "import"), index < 3, words.count > index + 1 else {
                return nil
            }
            return words[index + 1].split(separator: ".").first.map(String.init)
        }
    }

    @Test func thereAreSourcesToLookAt() {
        #expect(Self.all.count > 100)
        #expect(Self.all.allSatisfy { !$0.lines.isEmpty })
    }

    // MARK: - Imports

    /// C libraries and tables, and the layers that may use them.
    static let walls: [(module: String, layers: Set<String>)] = [
        ("CCurl", ["WebTransport/Fetching"]), ("CContentCoding", ["WebStandards/HTTP"]),
        (
            "CArchive",
            [
                "WebArchive/Bytes", "WebArchive/Index", "WebArchive/WARC", "WebArchive/Writing",
                "WebArchive/WACZ",
            ]
        ),
        ("CBrowser", ["WebRendering/Browser"]), ("CSQLite", ["WebDatabase"]),
        ("CLook", ["webinspect/Report"]),
        (
            "CServer",
            ["webinspect-server/API", "webinspect-server/Jobs", "webinspect-server/Processes"]
        ),
        ("CXXHash", ["WebTransport/Caching"]), ("CHTMLTables", ["WebDocument/Parsing"]),
        ("CLibXML2", ["WebDocument/Document", "WebDocument/Parsing", "WebDocument/Selecting"]),
        ("CEncodingTables", ["WebStandards/Decoding"]), ("CIDNATables", ["WebStandards/URL"]),
        ("CPublicSuffix", ["WebStandards/HTTP"]), ("CLua", ["WebRules/Script"]),
        ("CPCRE2", ["WebRules/Evaluation"]), ("CYAML", ["WebRules/Recipe"]),
        ("CWorker", ["WebRules/Evaluation", "WebRules/Worker"]), ("Dispatch", ["WebStandards/Support"]),
        ("Logging", ["WebLoaderObservability"]), ("Metrics", ["WebLoaderObservability"]),
        ("Tracing", ["WebLoaderObservability"]),
        ("SwiftOverlayShims", ["WebStandards/Support", "webinspect/Terminal"]),
    ]

    @Test(arguments: all)
    func importsOnlyWhatItsLayerMay(source: Source) {
        for module in imports(source) {
            let mayHaveFoundation = source.layer.hasPrefix("WebLoaderFoundation")
            #expect(
                mayHaveFoundation || !module.hasPrefix("Foundation"),
                "Foundation costs more start-up than all else together"
            )
            guard let wall = Self.walls.first(where: { $0.module == module }) else { continue }
            #expect(wall.layers.contains(source.layer), "\(module)")
        }
    }

    @Test(arguments: walls.map(\.module))
    func everyWallHasSomethingBehindIt(module: String) {
        #expect(Self.all.contains { imports($0).contains(module) })
    }

    @Test func libraryImportsNothingElse() {
        let known = Set(Self.walls.map(\.module)).union(["Glibc", "HTTPTypes", "Synchronization"])
        let library = Self.all.filter {
            $0.path.hasPrefix("Web") && !$0.path.hasPrefix("WebLoaderFoundation/")
        }
        let used = Set(library.flatMap { imports($0) }).filter { !$0.hasPrefix("Web") }
        #expect(used.subtracting(known).isEmpty)
    }

    // MARK: - Misplaced code

    @Test(arguments: all)
    func nothingTrapsOnPurpose(source: Source) {
        for word in ["try!", "as!", "fatalError(", "preconditionFailure(", "unowned(unsafe)", "catch {}"] {
            let lines = source.lines.filter { $0.contains(word) }
            #expect(lines.isEmpty, "\(word)")
        }
    }

    /// Fields end the process at 65,535: what may come from outside is counted where it is added.
    @Test(arguments: all)
    func fieldsAreAddedWhereTheyAreCounted(source: Source) {
        let counting = ["HTTPFields+Received.swift", "WebLoaderTesting/"]
        let isCounting = counting.contains { source.path.contains($0) }
        guard !isCounting else { return }
        for word in [".append(HTTPField(", "eaderFields.append(field"] {
            #expect(!source.lines.contains { $0.contains(word) }, "\(word)")
        }
    }
}
