import Foundation
import TestSupport
import Testing
import WebDatabase
import WebStandards

@testable import webinspect_server

/// Tests of the list that shows the cache.
@Suite(.timeLimit(.minutes(20)))
struct CatalogueTests {
    // MARK: - Sections

    static let urls = [
        "http://b.example/2", "http://b.example/1", "http://a.example/", "https://c.example/x",
        "http://a.example/y",
    ]

    @Test("Pages are in sections by host, which fold") func sections() async throws {
        try await withTemporaryFolder { folder in
            let catalogue = try CatalogueSample.open(folder, Self.urls)
            let all = [
                "a.example+2", "http://a.example/", "http://a.example/y", "b.example+2", "http://b.example/1",
                "http://b.example/2", "c.example+1", "https://c.example/x",
            ]
            #expect(try catalogue.rows(ListQuery()) == all)
            let version = catalogue.version
            try catalogue.setFold(host: "b.example", isClosed: true)
            #expect(catalogue.version > version)
            let folded = [
                "a.example+2", "http://a.example/", "http://a.example/y", "b.example-2", "c.example+1",
                "https://c.example/x",
            ]
            #expect(try catalogue.rows(ListQuery()) == folded)
            let window = try catalogue.window(ListQuery(), from: 0, count: 0)
            #expect((window.total, window.pages, window.hosts) == (6, 5, 3))
            #expect(try catalogue.position(of: "https://c.example/x", in: ListQuery()) == 5)
            #expect(try catalogue.position(of: "http://b.example/1", in: ListQuery()) == nil)
            // Another run finds them as they were.
            let other = try CatalogueSample.open(folder)
            #expect(try other.rows(ListQuery()) == folded)
            try other.setFold(host: nil, isClosed: true)
            try other.apply(
                folder: "00",
                answer: CatalogueSample.answer([CatalogueSample.row("http://d.example/")])
            )
            #expect(
                try other.rows(ListQuery()) == ["a.example-2", "b.example-2", "c.example-1", "d.example-1"]
            )
            try other.setFold(host: "d.example", isClosed: false)
            #expect(
                try catalogue.rows(ListQuery(), from: 2) == [
                    "c.example-1", "d.example+1", "http://d.example/",
                ]
            )
            try other.setFold(host: nil, isClosed: false)
            #expect(try other.rows(ListQuery()).count == 10)
        }
    }

    @Test("Every window is a part of the whole list", arguments: [true, false])
    func windows(isGrouped: Bool) async throws {
        try await withTemporaryFolder { folder in
            let catalogue = try CatalogueSample.open(folder, Self.urls)
            try catalogue.setFold(host: "a.example", isClosed: true)
            let query = ListQuery.with { $0.isGrouped = isGrouped }
            let all = try catalogue.rows(query)
            #expect(all.count == (isGrouped ? 6 : 5))
            for from in -1...all.count + 1 {
                for count in -1...all.count + 1 {
                    let expected = all.dropFirst(max(0, from)).prefix(max(0, count))
                    #expect(try catalogue.rows(query, from: from, count: count) == Array(expected))
                }
            }
            for (index, row) in all.enumerated() where row.contains("//") {
                #expect(try catalogue.position(of: row, in: query) == index)
            }
            #expect(try catalogue.window(query, from: .max, count: .max).rows.isEmpty)
            #expect(try catalogue.window(query, from: .min, count: .max).rows.count == all.count)
        }
    }

    // MARK: - Filters

    private static let described = CatalogueSample.answer([
        CatalogueSample.row("http://a.example/Guide?q=100%25", [.init("title", "A Guide to ÜBER maps")]),
        CatalogueSample.row("http://a.example/map_1", [.init("title", "İstanbul"), .init("status", 404)]),
        CatalogueSample.row("http://b.example/guide", [.init("type", "image/png")]),
        CatalogueSample.row(
            "http://b.example/mapx1",
            [.init("title", "NUL \0 in it"), .init("status", 500)]
        ),
    ])

    @Test(
        "All words of a filter have to be there",
        arguments: [
            ("", 4), ("guide", 2), ("GUIDE", 2), ("guide maps", 1), ("über", 1), ("ÜBER", 1), ("istanbul", 1),
            ("title:guide", 1), ("url:guide", 2), ("-guide", 2), ("guide -maps", 1), ("host:b.ex", 2),
            ("-host:b", 2),
            ("status:404", 1), ("status:4", 1), ("-status:200", 2), ("type:image", 1),
            ("-type:image guide", 1),
            ("map_1", 1), ("100%", 1), ("%", 1), ("_", 1), ("-", 0), ("title:", 4), ("\0", 1), ("nul", 1),
            ("host:a status:4 title:i url:map", 1), ("zzz", 0), ("a.example/guide", 1),
            ("  guide \t maps ", 1),
            ("title:example", 0), ("maps guide", 1), ("http://b.example/", 2), ("status:x", 0),
        ] as [(String, Int)]
    ) func filter(_ filter: String, _ count: Int) async throws {
        try await withTemporaryFolder { folder in
            let catalogue = try CatalogueSample.open(folder)
            try catalogue.apply(folder: "00", answer: Self.described)
            let query = ListQuery.with { ($0.filter, $0.kind) = (filter, .all) }
            let window = try catalogue.window(query, from: 0, count: 100)
            #expect(window.pages == count)
            #expect(window.total == window.pages + window.hosts)
            // A list of one's own has the same ones.
            let list = try catalogue.createList(name: "all")
            let pages = try catalogue.window(.with { $0.isGrouped = false }, from: 0, count: 100).rows
            try catalogue.addToList(
                list,
                urls: pages.compactMap { row in
                    if case .page(let page) = row { page.url } else { nil }
                },
                before: nil
            )
            let listed = ListQuery.with { ($0.filter, $0.list) = (filter, list) }
            #expect(try catalogue.window(listed, from: 0, count: 100).pages == count)
        }
    }

    @Test("A filter that is too long is refused", arguments: ["filter.length", "filter.words"])
    func longFilter(_ code: String) async throws {
        try await withTemporaryFolder { folder in
            let catalogue = try CatalogueSample.open(folder)
            let text =
                code == "filter.length"
                ? String(repeating: "a", count: 1001) : String(repeating: "a ", count: 31)
            let query = ListQuery.with { $0.filter = text }
            let error = #expect(throws: ServeError.self) { try catalogue.window(query, from: 0, count: 1) }
            #expect(error?.code == code)
        }
    }

    // MARK: - Orders

    @Test(
        "Pages are sorted, those without a value last",
        arguments: [
            // "ä" is behind "z" in the order of scalars.
            (.title, false, "abcd"), (.title, true, "bcad"), (.bytes, false, "abcd"), (.bytes, true, "cbad"),
            (.status, false, "acbd"), (.date, true, "dcba"), (.url, true, "dcba"), (nil, false, "abcd"),
        ] as [(ListQuery.Sort?, Bool, String)]
    ) func orders(_ sort: ListQuery.Sort?, _ isDescending: Bool, _ expected: String) async throws {
        try await withTemporaryFolder { folder in
            let catalogue = try CatalogueSample.open(folder)
            let rows: [JSONValue] = [
                ("a", "Zebra", 200, 1, 1), ("b", "äpfel", 404, 2, 2), ("c", "ÄPFEL", 200, 3, 3),
                ("d", nil, nil, nil, 4),
            ].map { (name: String, title: String?, status: Int?, bytes: Int?, date: Int64) in
                CatalogueSample.row(
                    "http://x.example/\(name)",
                    [
                        .init("title", JSONValue(title)), .init("status", JSONValue(status)),
                        .init("bytes", JSONValue(bytes)), .init("received_ms", .integer(date)),
                    ]
                )
            }
            try catalogue.apply(folder: "00", answer: CatalogueSample.answer(rows))
            for isGrouped in [true, false] {
                let query = ListQuery.with {
                    ($0.sort, $0.isDescending, $0.isGrouped) = (sort, isDescending, isGrouped)
                }
                let found = try catalogue.rows(query).filter { $0.hasPrefix("http") }.compactMap(\.last)
                #expect(String(found) == expected)
            }
        }
    }

    // MARK: - Hostile rows

    @Test("Rows that do not fit are left out, or counted as damaged")
    func hostileRows() async throws {
        try await withTemporaryFolder { folder in
            let catalogue = try CatalogueSample.open(folder)
            let long = "http://a.example/" + String(repeating: "x", count: 9000)
            let title = JSONValue.string(String(repeating: "\u{1F600}", count: 400))
            let rows: [JSONValue] = [
                CatalogueSample.row(long), CatalogueSample.row("http://a.example/\u{0}"),
                CatalogueSample.row("x\ny"),
                CatalogueSample.row("", stem: "0"),
                CatalogueSample.row(
                    "http://a.example/",
                    [
                        .init("title", title), .init("status", .integer(.max)),
                        .init("bytes", .integer(.min)),
                        .init("received_ms", .number(1e300)), .init("expires_ms", .number(.nan)),
                    ]
                ),
                CatalogueSample.row("http://b.example/", stem: "../x"),
                CatalogueSample.row("http://b.example/", stamp: ""), .null, .array([]), "x",
                ["stem": "aa", "stamp": "1:2", "url": .null, "damaged": "cut off"],
            ]
            let (changed, skipped) = try catalogue.apply(folder: "00", answer: CatalogueSample.answer(rows))
            #expect((changed, skipped) == (6, 5))
            let window = try catalogue.window(ListQuery(), from: 0, count: 10)
            #expect((window.pages, window.damaged) == (1, 5))
            #expect(try catalogue.known(folder: "00").count == 6)
            let page = try #require(catalogue.kept(["http://a.example/"]).first)
            #expect(page.title?.unicodeScalars.count == 300)
            #expect((page.status, page.bytes, page.expires) == (nil, 0, 0))
            #expect(throws: ServeError.self) { try catalogue.apply(folder: "../x", rows: [], gone: []) }
        }
    }

    @Test("What is gone from a folder goes from the list, and its stamp is known at the next start")
    func folders() async throws {
        try await withTemporaryFolder { folder in
            let catalogue = try CatalogueSample.open(folder)
            let url = "http://a.example/"
            let stem = CatalogueSample.stem(url)
            try catalogue.apply(
                folder: "0f",
                answer: CatalogueSample.answer([CatalogueSample.row(url)]),
                stamp: .max
            )
            let other = try CatalogueSample.open(folder)
            #expect(try other.folderStamps() == ["0f": .max])
            #expect(try other.known(folder: "0f").map(\.stem) == [stem])
            let damaged: JSONValue = ["stem": .string(stem), "stamp": "2:2", "url": .null, "damaged": "x"]
            try other.apply(folder: "0f", answer: CatalogueSample.answer([damaged]))
            #expect(try other.window(ListQuery(), from: 0, count: 9).damaged == 1)
            #expect(try catalogue.known(folder: "0f").map(\.stamp) == ["2:2"])
            try other.apply(folder: "0f", answer: CatalogueSample.answer([CatalogueSample.row(url)]))
            #expect(try catalogue.rows(ListQuery()) == ["a.example+1", url])
            try other.apply(folder: "0f", answer: CatalogueSample.answer([], gone: [stem, "none"]))
            #expect(try catalogue.refresh())
            #expect(try !catalogue.refresh())
            #expect(try catalogue.rows(ListQuery()).isEmpty)
            #expect(try catalogue.known(folder: "0f").isEmpty)
        }
    }
}
