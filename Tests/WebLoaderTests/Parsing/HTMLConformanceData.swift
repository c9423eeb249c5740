import Foundation
import TestSupport
import Testing

@testable import WebDocument

/// The html5lib tests in `../shared/conformance/html5lib`: two thirds of html5lib/html5lib-tests at 9329e64, and in
/// `chromium/` 125 cases of what the standard has changed since, with Chromium 156's trees; from `Scripts/suites`, all of
/// html5lib's and none of Chromium's.
///
/// Tests on it skip where it is absent.
enum HTMLConformanceData {
    private static let path = "conformance/html5lib"

    static var isPresent: Bool { ProjectFolder.suite(path) != nil }

    /// Why a test was left out.
    static let absence: Comment = "conformance/html5lib is absent; Scripts/suites gets it"

    /// Whether so many cases are all that there are of two thirds, or more of the whole.
    static func isCount(_ count: Int, ofPart part: Int) -> Bool {
        count == part || ProjectFolder.isWhole(path) && count > part
    }

    /// The files of a folder by name, those that end so; none where it is absent.
    private static func files(in folder: String, endingIn ending: String) -> [(name: String, content: Data)] {
        guard let folder = ProjectFolder.suite("\(path)/\(folder)"),
            let names = try? FileManager.default.contentsOfDirectory(atPath: folder.path)
        else { return [] }
        return names.filter { $0.hasSuffix(ending) }.sorted().compactMap { name in
            FileManager.default.contents(atPath: folder.appendingPathComponent(name).path).map { (name, $0) }
        }
    }

    // MARK: - Tree construction

    /// A case of a .dat file.
    struct TreeCase: Sendable, CustomTestStringConvertible {
        var file: String
        var index: Int
        var data: String
        var fragment: String?
        /// Whether the case is for scripts on, off, or either.
        var scripting: Bool?
        var tree: String

        var name: String { "\(file) \(index)" }
        var testDescription: String { "\(name): \(data.prefix(60).debugDescription)" }
    }

    /// All cases of a folder; empty where it is absent.
    static func treeCases(in folderName: String) -> [TreeCase] {
        files(in: folderName, endingIn: ".dat").flatMap { file in
            treeCases(String(decoding: file.content, as: UTF8.self), file: file.name)
        }
    }

    private static func treeCases(_ text: String, file: String) -> [TreeCase] {
        let sections = ["errors", "new-errors", "document-fragment", "script-off", "script-on", "document"]
        var cases: [[String: [Substring]]] = []
        var section = ""
        // By unit, for a CR LF is one Character.
        for unit in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            let line = Substring(unit)
            if line == "#data" {
                cases.append(["data": []])
                section = "data"
            } else if cases.isEmpty {
                continue
            } else if line.first == "#", sections.contains(String(line.dropFirst())) {
                section = String(line.dropFirst())
                cases[cases.count - 1][section, default: []] += []
            } else {
                cases[cases.count - 1][section, default: []].append(line)
            }
        }
        return cases.enumerated().map { index, parts in
            var tree = (parts["document"] ?? []).joined(separator: "\n")
            while tree.utf8.last == UInt8(ascii: "\n") { tree.removeLast() }
            return TreeCase(
                file: file,
                index: index,
                data: (parts["data"] ?? []).joined(separator: "\n"),
                fragment: parts["document-fragment"]?.first.map(String.init),
                scripting: parts["script-on"] != nil ? true : parts["script-off"] != nil ? false : nil,
                tree: tree
            )
        }
    }

    // MARK: - Tokenizer

    /// A case of a .test file, in one of its initial states.
    struct TokenizerCase: Sendable, CustomTestStringConvertible {
        var file: String
        var description: String
        var input: String
        var state: String
        var lastStartTag: String?
        var output: [String]
        var errors: [String]

        var testDescription: String { "\(file), \(state): \(description.debugDescription)" }
    }

    /// All cases of the tokenizer files, but for those of XML and those whose text is no sequence of scalar values.
    static func tokenizerCases() -> [TokenizerCase] {
        let files = files(in: "tokenizer", endingIn: ".test").filter { $0.name != "xmlViolation.test" }
        return files.flatMap { file in
            guard let object = try? JSONSerialization.jsonObject(with: file.content) as? [String: Any],
                let tests = object["tests"] as? [[String: Any]]
            else { return [TokenizerCase]() }
            return tests.flatMap { tokenizerCases($0, file: file.name) }
        }
    }

    private static func tokenizerCases(_ test: [String: Any], file: String) -> [TokenizerCase] {
        // These have lone surrogates in them.
        guard test["doubleEscaped"] == nil, let input = test["input"] as? String else { return [] }
        let errors = (test["errors"] as? [[String: Any]] ?? []).map { error in
            "\(error["line"] ?? 0):\(error["col"] ?? 0) \(error["code"] ?? "")"
        }
        return (test["initialStates"] as? [String] ?? ["Data state"]).map { state in
            TokenizerCase(
                file: file,
                description: test["description"] as? String ?? "",
                input: input,
                state: state,
                lastStartTag: test["lastStartTag"] as? String,
                output: (test["output"] as? [[Any]] ?? []).map(tokenText),
                errors: errors.sorted()
            )
        }
    }

    /// A token of the data as ``RecordedTokens`` writes them.
    private static func tokenText(_ token: [Any]) -> String {
        let text = token.map { $0 as? String }
        switch text.first ?? nil {
        case "DOCTYPE":
            let isCorrect = token.count > 4 && (token[4] as? Bool ?? false)
            return RecordedTokens.doctype(text[1], text[2], text[3], forcesQuirks: !isCorrect)
        case "StartTag":
            let attributes = token.count > 2 ? token[2] as? [String: String] ?? [:] : [:]
            return RecordedTokens.startTag(
                text[1] ?? "",
                attributes,
                isSelfClosing: token.count > 3 && (token[3] as? Bool ?? false)
            )
        case "EndTag": return "</\(text[1] ?? "")>"
        case "Comment": return "<!--\(text[1] ?? "")-->"
        default: return "text \(text[1] ?? "")"
        }
    }
}
