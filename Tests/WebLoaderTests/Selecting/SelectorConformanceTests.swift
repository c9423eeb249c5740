import Foundation
import TestSupport
import Testing

@testable import WebDocument

/// The elements that Chromium's selectors match on real pages.
enum SelectorOracle {
    /// A page and the indexes of the elements that each selector matches; `nil` if the selector is invalid.
    struct Case: Sendable, CustomTestStringConvertible {
        let id: String
        let selectors: [String: [Int]?]

        var testDescription: String { id }
    }

    static let cases: [Case] = {
        // Without data there are no cases, which is a test of its own.
        guard let file = ProjectFolder.suite("conformance/pages/oracle.jsonl"),
            let text = try? String(contentsOf: file, encoding: .utf8)
        else { return [] }
        return text.split(separator: "\n").compactMap { line in
            guard let object = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                let id = object["id"] as? String, let selectors = object["selectors"] as? [String: Any]
            else { return nil }
            return Case(id: id, selectors: selectors.mapValues { $0 as? [Int] })
        }
    }()
}

/// Tests of selectors on real pages, against Chromium's results.
@Suite(
    .enabled(
        if: !SelectorOracle.cases.isEmpty,
        "conformance/pages/oracle.jsonl is absent: it is only in ../shared"
    )
)
struct SelectorConformanceTests {
    /// Where this library differs, and why.
    static let departures: [String: String] = [
        #"a[href*="COM" s]"#: "Selectors 4 has the flag; Chromium does not know it",
        "wikipedia-2 :link":
            "Chromium takes an img with a usemap for a link; the standard has a and area only",
    ]

    @Test func everyPageIsRead() {
        #expect(SelectorOracle.cases.count == 65)
        #expect(SelectorOracle.cases.allSatisfy { $0.selectors.count == 118 })
    }

    @Test(arguments: SelectorOracle.cases)
    func matchesTheSameElements(page: SelectorOracle.Case) throws {
        let file = try #require(ProjectFolder.suite("conformance/pages/pages/\(page.id).html"))
        let markup = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        let document = try #require(try InspectionPages.page(markup).document)
        var indexes: [TreeNode: Int] = [:]
        var walk = TreeWalk(inside: document.node)
        while let element = walk.nextElement() { indexes[element] = indexes.count }
        for (selector, expected) in page.selectors {
            // An invalid selector throws an error.
            let found = try? document.querySelectorAll(selector).map { indexes[$0.treeNode] ?? -1 }
            let isKnown = (Self.departures[selector] ?? Self.departures["\(page.id) \(selector)"]) != nil
            #expect((found == expected) != isKnown, "\(selector)")
        }
    }
}
