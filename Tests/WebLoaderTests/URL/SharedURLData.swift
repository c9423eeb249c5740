import Foundation
import TestSupport
import Testing

/// The web platform tests' URL data: in `../shared/conformance/url`, as ada carries it, two thirds of the cases; from
/// `Scripts/suites`, all of them.
///
/// Tests on it skip where it is absent.
enum SharedURLData {
    private static let path = "conformance/url"

    static let folder = ProjectFolder.suite(path)

    static var isPresent: Bool { folder != nil }

    /// Why a test was left out.
    static let absence: Comment = "conformance/url is absent; Scripts/suites gets it"

    /// Whether so many cases are all that there are of two thirds, or more of the whole.
    static func isCount(_ count: Int, ofPart part: Int) -> Bool {
        count == part || ProjectFolder.isWhole(path) && count > part
    }

    /// The bytes of a file.
    static func data(_ name: String) throws -> Data {
        guard let folder else { throw CocoaError(.fileNoSuchFile) }
        return try Data(contentsOf: folder.appendingPathComponent(name))
    }

    /// The cases of a file, without its comments; empty where the data is absent.
    static func cases<Case: Decodable>(_ name: String, as type: Case.Type = Case.self) -> [Case] {
        guard isPresent else { return [] }
        do {
            let list = try JSONDecoder().decode([CaseOrComment<Case>].self, from: scalarJSON(data(name)))
            return list.compactMap(\.value)
        } catch {
            return []
        }
    }

    /// The JSON with `\ud800` and its kind, where it is no half of a pair, replaced by `\ufffd`.
    static func scalarJSON(_ data: Data) -> Data {
        var text = String(decoding: data, as: UTF8.self)
        let loneSurrogate =
            /\\u[Dd][89ABab][0-9A-Fa-f]{2}(?!\\u[Dd][C-Fc-f])|(?<low>\\u[Dd][C-Fc-f][0-9A-Fa-f]{2})/
        var start = text.startIndex
        while let match = text[start...].firstMatch(of: loneSurrogate) {
            let isPairedLow =
                match.low != nil
                && text[..<match.range.lowerBound].suffix(6).wholeMatch(of: highSurrogate) != nil
            let offset = text.utf8.distance(from: text.startIndex, to: match.range.upperBound)
            if !isPairedLow {
                text.replaceSubrange(match.range, with: #"\ufffd"#)
            }
            start = text.utf8.index(text.startIndex, offsetBy: offset)
        }
        return Data(text.utf8)
    }

    private static var highSurrogate: Regex<Substring> { /\\u[Dd][89ABab][0-9A-Fa-f]{2}/ }

    /// Some files have strings between the cases.
    private struct CaseOrComment<Case: Decodable>: Decodable {
        let value: Case?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            value = (try? container.decode(String.self)) == nil ? try container.decode(Case.self) : nil
        }
    }
}
