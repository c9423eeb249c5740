import Foundation
import TestSupport
import Testing
import WebDatabase
import WebStandards

@testable import webinspect_server

/// The list against a model of it that is slow and plain.
@Suite(.timeLimit(.minutes(20)))
struct CatalogueModelTests {
    private struct Page {
        let url: String
        let host: String
        let title: String?
        let status: Int
        let bytes: Int
        let isPage: Bool

        var json: JSONValue {
            CatalogueSample.row(
                url,
                [
                    .init("title", JSONValue(title)), .init("status", JSONValue(status)),
                    .init("bytes", JSONValue(bytes)),
                    .init("is_page", .bool(isPage)),
                ]
            )
        }

        var text: String { "\(url.lowercased())\n\(title?.lowercased() ?? "")" }
    }

    private static let words = ["Guide", "news", "maps", "Übersicht", "release", "of", "open"]

    private static func pages(_ count: Int, _ generator: inout SeededGenerator) -> [Page] {
        (0..<count).map { number in
            let host = "h\(Int.random(in: 0..<40, using: &generator)).example"
            let word = words.randomElement(using: &generator) ?? ""
            let title = (0..<3).map { _ in words.randomElement(using: &generator) ?? "" }.joined(
                separator: " "
            )
            return Page(
                url: "http://\(host)/\(number % 977)/\(word == "Übersicht" ? "u" : word)/\(number)",
                host: host,
                title: Int.random(in: 0..<9, using: &generator) == 0 ? nil : title,
                status: [200, 200, 404, 500].randomElement(using: &generator) ?? 0,
                bytes: Int.random(in: 0..<1000, using: &generator),
                isPage: Bool.random(using: &generator)
            )
        }
    }

    /// The rows of a query, as ``Catalogue/rows(_:from:count:)`` has them.
    private static func rows(_ query: ListQuery, _ pages: [Page], _ closed: Set<String>) -> [String] {
        let filter = query.filter.split(separator: " ")
        var taken = pages.filter { page in
            (query.kind == .all || page.isPage)
                && filter.allSatisfy { word in
                    word.hasPrefix("-") ? !page.text.contains(word.dropFirst()) : page.text.contains(word)
                }
        }
        // They are in the order of URLs already.
        let sign = query.isDescending ? -1 : 1
        switch query.sort {
        case .bytes: taken = stable(taken) { $0.bytes * sign }
        case .status: taken = stable(taken) { $0.status * sign }
        case .title:
            let titles = Set(taken.compactMap { $0.title?.lowercased() }).sorted {
                $0.utf8.lexicographicallyPrecedes($1.utf8)
            }
            let ranks = Dictionary(uniqueKeysWithValues: zip(titles, 0...))
            taken = stable(taken) { page in
                page.title.flatMap { ranks[$0.lowercased()] }.map { $0 * sign } ?? .max
            }
        default: if query.isDescending { taken.reverse() }
        }
        guard query.isGrouped else { return taken.map(\.url) }
        let sections = Dictionary(grouping: taken, by: \.host)
        return sections.keys.sorted().flatMap { host in
            let pages = sections[host] ?? []
            let isClosed = closed.contains(host)
            return ["\(host)\(isClosed ? "-" : "+")\(pages.count)"] + (isClosed ? [] : pages.map(\.url))
        }
    }

    private static func stable(_ pages: [Page], _ key: (Page) -> Int) -> [Page] {
        pages.enumerated().map { (key($1), $0, $1) }.sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
    }

    @Test("20,000 pages are listed as in a model, while some come and go", arguments: PropertySeeds.first(1))
    func model(seed: Int) async throws {
        try await withTemporaryFolder { folder in
            var generator = SeededGenerator(seed: UInt64(seed))
            let catalogue = try CatalogueSample.open(folder)
            var pages = Self.pages(20_000, &generator)
            for start in stride(from: 0, to: pages.count, by: 1000) {
                let rows = pages[start..<start + 1000].map(\.json)
                try catalogue.apply(folder: "\(start / 1000)", answer: CatalogueSample.answer(rows))
            }
            let placed = pages.enumerated().map { ($1, "\($0 / 1000)") }
            let folders = Dictionary(uniqueKeysWithValues: placed.map { ($0.0.url, $0.1) })
            pages = pages.map { ("\($0.host) \($0.url)", $0) }.sorted { $0.0 < $1.0 }.map(\.1)
            var closed: Set<String> = []
            for _ in 0..<25 {
                switch Int.random(in: 0..<5, using: &generator) {
                case 0:
                    let host = "h\(Int.random(in: 0..<40, using: &generator)).example"
                    if closed.remove(host) == nil { closed.insert(host) }
                    try catalogue.setFold(host: host, isClosed: closed.contains(host))
                case 1:
                    let gone = pages.remove(at: Int.random(in: 0..<pages.count, using: &generator))
                    let answer = CatalogueSample.answer([], gone: [CatalogueSample.stem(gone.url)])
                    try catalogue.apply(folder: folders[gone.url] ?? "", answer: answer)
                case 2:
                    let host = pages.randomElement(using: &generator)?.host ?? ""
                    let undo = try catalogue.remove(urls: [], hosts: [host], now: 0).undo
                    if Bool.random(using: &generator) {
                        _ = try catalogue.undo(undo ?? 0)
                    } else {
                        pages.removeAll { $0.host == host }
                    }
                default: break
                }
                let query = ListQuery.with { query in
                    query.kind = Bool.random(using: &generator) ? .pages : .all
                    query.sort = [nil, .url, .title, .bytes, .status].randomElement(using: &generator) ?? nil
                    query.isDescending = Bool.random(using: &generator)
                    query.isGrouped = Bool.random(using: &generator)
                    let words = ["guide", "-news", "übersicht", "h1", "/9", "-of"]
                    query.filter = words.filter { _ in Int.random(in: 0..<4, using: &generator) == 0 }.joined(
                        separator: " "
                    )
                }
                let expected = Self.rows(query, pages, closed)
                let window = try catalogue.window(query, from: 0, count: 0)
                #expect(window.total == expected.count, "\(query)")
                for _ in 0..<3 {
                    let from = Int.random(in: 0...expected.count, using: &generator)
                    let found = try catalogue.rows(query, from: from, count: 100)
                    #expect(found == Array(expected[from...].prefix(100)), "\(query)")
                    guard let index = found.firstIndex(where: { $0.hasPrefix("http") }) else { continue }
                    #expect(try catalogue.position(of: found[index], in: query) == from + index)
                }
            }
        }
    }
}
