import Foundation
import WebStandards

@testable import webinspect_server

/// Entries and lists for the tests of the catalogue.
enum CatalogueSample {
    /// A row as a reader gives it.
    static func row(
        _ url: String,
        stem: String? = nil,
        stamp: String = "1:1",
        _ members: [JSONValue.Member] = []
    ) -> JSONValue {
        let given = Set(members.map(\.name))
        let usual: [JSONValue.Member] = [
            .init("title", .null), .init("status", 200), .init("type", "text/html"), .init("bytes", 10),
            .init("received_ms", 1000), .init("expires_ms", .null), .init("is_page", true),
            .init("kept", false),
        ]
        let rest = usual.filter { !given.contains($0.name) } + members
        return .object(
            [
                .init("stem", .string(stem ?? Self.stem(url))), .init("stamp", .string(stamp)),
                .init("url", .string(url)),
            ] + rest
        )
    }

    /// A name of an entry's files, another for each URL.
    static func stem(_ url: String) -> String {
        let hash = url.utf8.reduce(14_695_981_039_346_656_037) { (hash: UInt64, byte) in
            (hash ^ UInt64(byte)) &* 1_099_511_628_211
        }
        return "\(hash)-\(url.utf8.count)"
    }

    static func answer(_ rows: [JSONValue], gone: [String] = []) -> JSONValue {
        ["rows": .array(rows), "gone": .array(gone.map { .string($0) })]
    }

    /// Opens a catalogue in a folder.
    static func open(_ folder: URL) throws -> Catalogue { try Catalogue(path: path(folder)) }

    static func path(_ folder: URL) -> String { folder.appendingPathComponent("serve.sqlite").path }

    /// A catalogue with pages of these URLs.
    static func open(_ folder: URL, _ urls: [String]) throws -> Catalogue {
        let catalogue = try open(folder)
        try catalogue.apply(folder: "ab", answer: answer(urls.map { row($0) }))
        return catalogue
    }
}

extension ListQuery {
    /// A query that differs from the usual one.
    static func with(_ change: (inout ListQuery) -> Void) -> ListQuery {
        var query = ListQuery()
        change(&query)
        return query
    }
}

extension Catalogue {
    /// All rows of a list in short: a section as "host+3" or, closed, "host-3", a page as its URL.
    func rows(_ query: ListQuery, from: Int = 0, count: Int = 1000) throws -> [String] {
        try window(query, from: from, count: count).rows.map { row in
            switch row {
            case .section(let host, let count, let isOpen): "\(host)\(isOpen ? "+" : "-")\(count)"
            case .page(let page): page.isStored ? page.url : "(\(page.url))"
            }
        }
    }

    /// The URLs of a list of one's own, in its order.
    func entries(_ list: Int64) throws -> [String] {
        let query = ListQuery.with { ($0.list, $0.isGrouped) = (list, false) }
        return try window(query, from: 0, count: 1000).rows.compactMap { row in
            if case .page(let page) = row { page.url } else { nil }
        }
    }
}
