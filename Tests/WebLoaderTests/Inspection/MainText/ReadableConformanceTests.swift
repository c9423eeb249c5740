import Foundation
import TestSupport
import Testing

@testable import WebDocument

/// Real pages and the text that browsers' readers find on them.
enum ReadablePages {
    /// The names of the pages; none where the data are absent.
    static let names: [String] = {
        guard let expected = ProjectFolder.suite("conformance/readable/expected"),
            ProjectFolder.suite("conformance/pages/pages") != nil,
            let files = try? FileManager.default.contentsOfDirectory(atPath: expected.path)
        else { return [] }
        return files.filter { $0.hasSuffix(".txt") }.map { String($0.dropLast(4)) }.sorted()
    }()

    /// How far what is found agrees with what is expected, by page.
    static let agreements: [String: Double] = {
        var agreements: [String: Double] = [:]
        for name in names {
            // A page that cannot be read has an agreement of 0.
            agreements[name] = (try? agreement(name)) ?? 0
        }
        return agreements
    }()

    private static func agreement(_ name: String) throws -> Double {
        let markup = try text("pages/pages/\(name).html")
        let page = try InspectionPages.page(markup, url: "http://www.example.org/\(name)/page.html")
        return agreement(try #require(page.mainText).text, try text("readable/expected/\(name).txt"))
    }

    private static func text(_ path: String) throws -> String {
        let file = try #require(ProjectFolder.suite("conformance/\(path)"))
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    /// How often each word stands in a text: runs of letters and digits, in lower case.
    static func words(_ text: String) -> [Substring: Int] {
        var counts: [Substring: Int] = [:]
        let words = text.lowercased().split { !($0.isLetter || $0.isNumber) }
        for word in words { counts[word, default: 0] += 1 }
        return counts
    }

    /// The harmonic mean of precision and recall, words counted as often as they stand there.
    static func agreement(_ found: String, _ expected: String) -> Double {
        let (found, expected) = (words(found), words(expected))
        let common = expected.reduce(0) { $0 + min($1.value, found[$1.key] ?? 0) }
        let total = found.values.reduce(0, +) + expected.values.reduce(0, +)
        return total == 0 ? 1 : 2 * Double(common) / Double(total)
    }
}

/// The main content of real pages, against what browsers' readers find: they keep captions, credits and the like, which
/// people who were asked did not take for the article, so that the bars are low.
@Suite(
    .enabled(
        if: !ReadablePages.names.isEmpty,
        "conformance/readable or pages is absent; Scripts/suites gets them"
    )
)
struct ReadableConformanceTests {
    /// Pages that agree in less than nine tenths, the bar for each, and why.
    static let departures: [String: (bar: Double, why: String)] = [
        "hukumusume": (0.7, "headings stand on lines of their own here, which makes other words of them"),
        "mozilla-1": (
            0.85,
            "a page of a product, whose boxes have their headings and links expected, and not their texts"
        ),
        "nytimes-3": (0.85, "most of what is missing are captions and credits of its pictures"),
        "nytimes-5": (0.5, "most of what is expected are the credits of its pictures"),
    ]

    @Test func everyPageIsRead() {
        #expect(ReadablePages.names.count == 65)
    }

    @Test(arguments: ReadablePages.names)
    func contentIsFound(name: String) throws {
        let agreement = try #require(ReadablePages.agreements[name])
        let bar = Self.departures[name]?.bar ?? 0.9
        #expect(agreement >= bar)
        if Self.departures[name] != nil { #expect(agreement < 0.9, "it is no departure any more") }
    }

    @Test func pagesAgreeOnTheWhole() {
        let sum = ReadablePages.agreements.values.reduce(0, +)
        #expect(sum / Double(max(ReadablePages.names.count, 1)) >= 0.97)
    }
}
