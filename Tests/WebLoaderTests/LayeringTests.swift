import Foundation
import TestSupport
import Testing

/// The walls of the house: which folder of Sources/WebLoader may use what.
///
/// One Swift module holds all layers, so that the compiler does not mind; these tests do.
struct LayeringTests {
    /// A source file, read.
    struct Source: Sendable, CustomTestStringConvertible {
        /// The path below Sources.
        let path: String
        /// The lines without comments and without the text of string literals.
        let lines: [String]

        /// The layer's folder in Sources/WebLoader; nil for other targets.
        var layer: String? {
            let parts = path.split(separator: "/")
            return parts.count > 2 && parts[0] == "WebLoader" ? String(parts[1]) : nil
        }

        var testDescription: String { path }
    }

    private static let folder = ProjectFolder.root.appendingPathComponent("Sources")

    static let all: [Source] = {
        let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        let swift = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
        let prefix = folder.standardizedFileURL.path + "/"
        return swift.map { file in
            // What cannot be read has no lines, which the count of lines below shows.
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            return Source(
                path: file.standardizedFileURL.path.replacing(prefix, with: ""),
                lines: text.split(separator: "\n").map { code(of: $0) }
            )
        }.sorted { $0.path < $1.path }
    }()

    /// A line without its comment and what stands in quotes.
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
        let layers = Set(Self.all.compactMap(\.layer))
        #expect(layers.isSubset(of: Set(Self.ranks.keys)), "a layer without a rank")
        #expect(layers.count >= 9)
    }

    // MARK: - Imports

    /// C libraries and tables, and the layers that may use them.
    static let walls: [(module: String, layers: Set<String>)] = [
        ("CCurl", ["Fetching"]), ("CContentCoding", ["Fetching"]),
        ("CLibXML2", ["Document", "Parsing", "Selecting"]), ("CXXHash", ["Caching"]),
        ("CEncodingTables", ["Decoding"]), ("CIDNATables", ["URL"]), ("CHTMLTables", ["Parsing"]),
        ("CLua", ["Rules"]), ("CPCRE2", ["Rules"]), ("CYAML", ["Rules"]), ("CWorker", ["Rules"]),
        ("Dispatch", ["Support"]), ("SwiftOverlayShims", ["Support", ""]),
    ]

    @Test(arguments: all)
    func importsOnlyWhatItsLayerMay(source: Source) {
        for module in imports(source) {
            #expect(!module.hasPrefix("Foundation"), "Foundation costs more start-up than all else together")
            guard let wall = Self.walls.first(where: { $0.module == module }) else { continue }
            #expect(wall.layers.contains(source.layer ?? ""), "\(module)")
        }
    }

    @Test(arguments: walls.map(\.module))
    func everyWallHasSomethingBehindIt(module: String) {
        #expect(Self.all.contains { imports($0).contains(module) })
    }

    @Test func libraryImportsNothingElse() {
        let known = Set(Self.walls.map(\.module)).union(["Glibc", "HTTPTypes", "Synchronization"])
        let used = Set(Self.all.filter { $0.layer != nil }.flatMap { imports($0) })
        #expect(used.subtracting(known).isEmpty)
    }

    // MARK: - What has no place

    @Test(arguments: all)
    func nothingTrapsOnPurpose(source: Source) {
        for word in ["try!", "as!", "fatalError(", "preconditionFailure(", "unowned(unsafe)", "catch {}"] {
            let lines = source.lines.filter { $0.contains(word) }
            #expect(lines.isEmpty, "\(word)")
        }
    }

    // MARK: - Names of higher layers

    /// How high a layer stands; it may name its own types and those of lower layers.
    static let ranks = [
        "Support": 0, "URL": 1, "Decoding": 1, "HTTP": 2, "Document": 2, "Parsing": 3, "Fetching": 3,
        "Selecting": 3,
        "Caching": 4, "Inspection": 4, "Rules": 4, "Archive": 5, "Loading": 6,
    ]

    /// Types by the layer that declares them, those left out whose names occur in more than one.
    private static let declared: [String: String] = {
        let declaration =
            /^(\s*)(?:@\w+\s+)*(?:public |package |internal )?(?:final )?(?:struct|enum|class|actor|protocol) (\w+)/
        var layers: [String: Set<String>] = [:]
        // A type inside another counts only for its name's occurring there too.
        var nested: [String: Set<String>] = [:]
        for source in all {
            guard let layer = source.layer else { continue }
            for line in source.lines {
                guard let match = line.firstMatch(of: declaration) else { continue }
                if match.1.isEmpty {
                    layers[String(match.2), default: []].insert(layer)
                } else {
                    nested[String(match.2), default: []].insert(layer)
                }
            }
        }
        for (name, others) in nested where layers[name] != nil { layers[name]?.formUnion(others) }
        return layers.compactMapValues { $0.count == 1 ? $0.first : nil }
    }()

    @Test(arguments: all.filter { $0.layer != nil })
    func namesNoTypeOfAHigherLayer(source: Source) throws {
        let layer = try #require(source.layer)
        let rank = try #require(Self.ranks[layer])
        var named: Set<String> = []
        // A type inside another may have the name of one elsewhere.
        let nested = source.lines.compactMap { $0.firstMatch(of: /(?:struct|enum|class) (\w+)/) }.map {
            String($0.1)
        }
        for line in source.lines {
            for word in line.split(whereSeparator: { !($0.isLetter || $0.isNumber || $0 == "_") }) {
                guard let owner = Self.declared[String(word)], owner != layer, let height = Self.ranks[owner]
                else {
                    continue
                }
                if height > rank, !nested.contains(String(word)) { named.insert(String(word)) }
            }
        }
        #expect(named.isEmpty)
    }
}
