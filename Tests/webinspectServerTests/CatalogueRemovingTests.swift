import Foundation
import TestSupport
import Testing
import WebDatabase
import WebStandards

@testable import webinspect_server

/// Pages that are removed, and brought back.
@Suite(.timeLimit(.minutes(20)))
struct CatalogueRemovingTests {
    @Test("What is removed is gone at once, and comes back after a restart too")
    func undo() async throws {
        try await withTemporaryFolder { folder in
            var catalogue = try CatalogueSample.open(folder, CatalogueTests.urls)
            let before = try catalogue.rows(ListQuery())
            let urls = ["http://b.example/1", "http://b.example/1", "http://none.example/", "\0"]
            let (undo, count) = try catalogue.remove(urls: urls, hosts: ["a.example", "none"], now: 1000)
            #expect(count == 3)
            #expect(
                try catalogue.rows(ListQuery())
                    == ["b.example+1", "http://b.example/2", "c.example+1", "https://c.example/x"]
            )
            #expect(
                try catalogue.kept(CatalogueTests.urls).map(\.url) == [
                    CatalogueTests.urls[0], CatalogueTests.urls[3],
                ]
            )
            // Pages that are already removed are not removed again.
            let again = try catalogue.remove(urls: urls, hosts: ["a.example"], now: 1000)
            #expect((again.undo, again.count) == (nil, 0))
            catalogue = try CatalogueSample.open(folder)
            #expect(try catalogue.rows(ListQuery()).count == 4)
            #expect(try catalogue.due(now: 60_999).isEmpty)
            #expect(try catalogue.undo(#require(undo)) == 3)
            #expect(try catalogue.rows(ListQuery()) == before)
            let error = #expect(throws: ServeError.self) { try catalogue.undo(undo ?? 0) }
            #expect(error?.code == "undo.unknown")
        }
    }

    @Test("After a minute it is due once, and then cannot be undone")
    func due() async throws {
        try await withTemporaryFolder { folder in
            let catalogue = try CatalogueSample.open(folder, CatalogueTests.urls)
            let other = try CatalogueSample.open(folder)
            let undo = try #require(try catalogue.remove(urls: [], hosts: ["b.example"], now: 1000).undo)
            let due = try catalogue.due(now: 61_000)
            #expect(due.map(\.id) == [undo])
            #expect(Set(due.flatMap(\.urls)) == Set(CatalogueTests.urls.prefix(2)))
            // Another process does not get it, until the first one is taken for dead.
            #expect(try other.due(now: 61_001).isEmpty)
            #expect(throws: ServeError.self) { try other.undo(undo) }
            #expect(try other.due(now: 121_000).map(\.id) == [undo])
            // One of them is there anew meanwhile.
            let fresh = CatalogueSample.row(CatalogueTests.urls[0], stamp: "2:2")
            try other.apply(folder: "ab", answer: CatalogueSample.answer([fresh]), stamp: 7)
            try catalogue.purged(undo)
            try other.purged(undo)
            #expect(
                try catalogue.kept(CatalogueTests.urls).map(\.url)
                    == [0, 2, 3, 4].map { CatalogueTests.urls[$0] }
            )
            #expect(try catalogue.due(now: .max).isEmpty)
            // The folder is to be read again.
            #expect(try catalogue.folderStamps().isEmpty)
        }
    }

    @Test("Many are handed out a part at a time, also where the clock was set back")
    func parts() async throws {
        try await withTemporaryFolder { folder in
            let urls = (0..<2500).map { "http://a.example/\($0)" }
            let catalogue = try CatalogueSample.open(folder, urls)
            _ = try catalogue.remove(urls: [], hosts: ["a.example"], now: 1_000_000_000)
            #expect(try catalogue.due(now: 5000).isEmpty)
            var purged: [String] = []
            var now: Int64 = 65_000
            while let due = try catalogue.due(now: now).first {
                #expect(due.urls.count <= 1000)
                purged += due.urls
                try catalogue.purged(due.id)
                now += 1
            }
            #expect(purged.count == 2500)
            #expect(Set(purged) == Set(urls))
            #expect(try catalogue.window(.with { $0.kind = .all }, from: 0, count: 1).pages == 0)
        }
    }
}
