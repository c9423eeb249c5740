import Foundation
import TestSupport

@testable import WebStandards

/// The Encoding standard's data and the conformance data for it, which stand outside the project.
///
/// `Scripts/suites` gets the first two, html5lib's whole.
///
/// - `data/encoding`: encodings.json and indexes.json of whatwg/encoding at a985b62.
/// - `conformance/html5lib/encoding`: part of html5lib/html5lib-tests at 9329e64.
/// - `conformance/encoding`: 93 pages with Chromium 156's answers.
enum EncodingFixtures {
    /// Whether the standard's data is there.
    static let arePresent = ProjectFolder.suite("data/encoding/indexes.json") != nil

    /// Why a test was left out.
    static let absence = "needs the Encoding standard's data, from ../shared or Scripts/suites"

    /// The standard's indexes, null as nil, without the ranges of gb18030.
    static func indexes() throws -> [String: [UInt32?]] {
        let all = try JSONSerialization.jsonObject(with: Data(bytes("data/encoding/indexes.json")))
        var result: [String: [UInt32?]] = [:]
        for (name, entries) in all as? [String: [Any]] ?? [:] where name != "gb18030-ranges" {
            result[name] = entries.map { ($0 as? NSNumber)?.uint32Value }
        }
        return result
    }

    /// The ranges of gb18030: pairs of a pointer and a scalar value.
    static func ranges() throws -> [[UInt32]] {
        let all = try JSONSerialization.jsonObject(with: Data(bytes("data/encoding/indexes.json")))
        return (all as? [String: Any])?["gb18030-ranges"] as? [[UInt32]] ?? []
    }

    /// The standard's names and their labels.
    static func labels() throws -> [(name: String, labels: [String])] {
        struct Group: Decodable {
            struct Entry: Decodable {
                var name: String
                var labels: [String]
            }
            var encodings: [Entry]
        }
        let groups = try JSONDecoder().decode([Group].self, from: Data(bytes("data/encoding/encodings.json")))
        return groups.flatMap(\.encodings).map { ($0.name, $0.labels) }
    }

    /// The bytes of a file of the conformance data.
    static func bytes(_ path: String) throws -> [UInt8] {
        guard let file = ProjectFolder.suite(path) else { throw CocoaError(.fileNoSuchFile) }
        return try [UInt8](Data(contentsOf: file))
    }
}

/// The result of decoding bytes.
struct DecodingResult: Equatable, CustomStringConvertible {
    var bytes: [UInt8]
    var replacementCount: Int

    var text: String { String(decoding: bytes, as: UTF8.self) }
    var description: String {
        let scalars = text.unicodeScalars.map { String($0.value, radix: 16) }
        return "\(scalars.joined(separator: " ")), \(replacementCount) errors"
    }

    init(bytes: [UInt8], replacementCount: Int) {
        self.bytes = bytes
        self.replacementCount = replacementCount
    }

    /// Decodes `input` in pieces that end at `splits`, in order, and at the end.
    init(_ input: [UInt8], _ encoding: TextEncoding, splits: [Int] = []) {
        var decoder = TextDecoder(encoding)
        var output: [UInt8] = []
        var start = 0
        for end in splits {
            decoder.decode(Array(input[start..<end]).span, isLast: false, into: &output)
            start = end
        }
        decoder.decode(Array(input[start...]).span, isLast: true, into: &output)
        self.init(bytes: output, replacementCount: decoder.replacementCount)
    }
}

/// Encodes text, each scalar value without bytes as a numeric reference in decimal.
func encodedBytes(_ text: some Sequence<Unicode.Scalar>, _ encoding: TextEncoding) -> [UInt8] {
    var encoder = TextEncoder(encoding)
    var bytes: [UInt8] = []
    for scalar in text where !encoder.encode(scalar, into: &bytes) {
        bytes.append(contentsOf: "&#\(encoder.errorScalar(for: scalar).value);".utf8)
    }
    encoder.finish(into: &bytes)
    return bytes
}
