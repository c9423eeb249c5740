import Foundation
import TestSupport
import Testing
import WebDatabase
import WebStandards

@testable import webinspect_server

/// The file of the catalogue: shared, damaged, out of reach.
@Suite(.timeLimit(.minutes(20)))
struct CatalogueFileTests {
    /// A catalogue with something of everything.
    private static func fill(_ folder: URL) throws {
        let catalogue = try CatalogueSample.open(folder, (0..<300).map { "http://\($0 % 7).example/\($0)" })
        let list = try catalogue.createList(name: "mine")
        try catalogue.addToList(list, urls: CatalogueTests.urls, before: nil)
        try catalogue.putRecipe(name: "r", text: "x", now: 1)
        try catalogue.setSettings(["zoom": 2])
        try catalogue.putJob(nil, "{}")
        try catalogue.setFold(host: "1.example", isClosed: true)
        _ = try catalogue.remove(urls: ["http://2.example/2"], hosts: [], now: 0)
    }

    private static func check(_ catalogue: Catalogue) throws {
        #expect(try catalogue.lists().map(\.name) == ["mine"])
        let list = try #require(try catalogue.lists().first)
        #expect(list.count == CatalogueTests.urls.count)
        #expect(try catalogue.entries(list.id) == CatalogueTests.urls)
        #expect(try catalogue.recipes().map(\.name) == ["r"])
        #expect(try catalogue.settings() == ["zoom": 2])
        #expect(try catalogue.jobs().map(\.id) == [1])
    }

    @Test(
        "One that is of no use is renamed, and what can be read of it kept",
        arguments: ["version", "table", "wal", "pages"]
    ) func useless(_ damage: String) async throws {
        try await withTemporaryFolder { folder in
            try Self.fill(folder)
            let path = CatalogueSample.path(folder)
            if damage == "pages" {
                // The index that the list is sorted by is destroyed, which is not detected at the start.
                let database = try Database(path, .shared)
                let page = try #require(
                    try database.value("SELECT rootpage FROM sqlite_schema WHERE name = 'pages_by_url'")
                )
                var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
                let start = (Int(page.number) - 1) * 4096
                bytes.replaceSubrange(start..<start + 4096, with: Data(repeating: 0xFF, count: 4096))
                try bytes.write(to: URL(fileURLWithPath: path))
            } else {
                let database = try Database(path, damage == "wal" ? .writing : .shared)
                switch damage {
                case "version": try database.execute("PRAGMA user_version = 99")
                case "table":
                    try database.execute("CREATE TRIGGER x AFTER DELETE ON pages BEGIN SELECT 1; END")
                default: try database.execute("DELETE FROM folders")
                }
            }
            let catalogue = try CatalogueSample.open(folder)
            if damage == "pages" {
                #expect(catalogue.takeNotice() == nil)
                let error = #expect(throws: StateError.self) { try catalogue.rows(ListQuery()) }
                #expect(error?.code == .damaged)
            }
            #expect(catalogue.takeNotice()?.contains("serve.sqlite.damaged-1") == true)
            #expect(catalogue.takeNotice() == nil)
            #expect(FileManager.default.fileExists(atPath: path + ".damaged-1"))
            #expect(try catalogue.folderStamps().isEmpty)
            try Self.check(catalogue)
            try catalogue.apply(
                folder: "00",
                answer: CatalogueSample.answer([CatalogueSample.row("http://1.example/1")])
            )
            #expect(try catalogue.rows(ListQuery()) == ["1.example-1"])
            // The next start finds nothing wrong.
            #expect(try CatalogueSample.open(folder).takeNotice() == nil)
        }
    }

    @Test("No bytes in the file do harm", arguments: PropertySeeds.first(40))
    func fuzzed(seed: Int) async throws {
        try await withTemporaryFolder { folder in
            try Self.fill(folder)
            let path = CatalogueSample.path(folder)
            var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
            var generator = SeededGenerator(seed: UInt64(seed))
            for _ in 0..<Int.random(in: 1...30, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                // Heads of pages say where everything is.
                let head = Bool.random(using: &generator) ? place / 4096 * 4096 + place % 32 : place
                bytes[head] = UInt8.random(in: 0...255, using: &generator)
            }
            if seed.isMultiple(of: 8) { bytes.removeLast(Int.random(in: 1..<bytes.count, using: &generator)) }
            try bytes.write(to: URL(fileURLWithPath: path))
            let catalogue = try CatalogueSample.open(folder)
            // It is made anew three times at most.
            for _ in 0..<5 { Self.useAll(catalogue) }
            let last = try CatalogueSample.open(folder)
            Self.useAll(last)
        }
    }

    /// Does all there is to do; what fails has to fail as it should.
    private static func useAll(_ catalogue: Catalogue) {
        let row = CatalogueSample.answer([CatalogueSample.row("http://9.example/")])
        let attempts: [() throws -> Void] = [
            { _ = try catalogue.window(ListQuery(), from: 0, count: 1000) },
            { _ = try catalogue.window(.with { ($0.sort, $0.filter) = (.title, "a 1") }, from: 0, count: 9) },
            {
                _ = try catalogue.window(
                    .with { ($0.sort, $0.isGrouped) = (.date, false) },
                    from: 5,
                    count: 9
                )
            },
            { _ = try catalogue.window(.with { $0.filter = "status:2 host:e type:t" }, from: 5, count: 9) },
            { _ = try catalogue.window(.with { $0.list = 1 }, from: 0, count: 100) },
            { _ = try catalogue.window(.with { ($0.list, $0.sort) = (1, .url) }, from: 0, count: 100) },
            { _ = try catalogue.position(of: "http://3.example/3", in: ListQuery()) },
            { _ = try catalogue.kept(["http://3.example/3", "http://1.example/1"]) },
            { _ = try catalogue.known(folder: "ab") }, { _ = try catalogue.folderStamps() },
            { try catalogue.apply(folder: "ab", answer: row, stamp: 1) },
            { try catalogue.setFold(host: "3.example", isClosed: true) },
            { try catalogue.setFold(host: nil, isClosed: false) },
            { _ = try catalogue.remove(urls: ["http://3.example/3"], hosts: ["4.example"], now: 0) },
            { for due in try catalogue.due(now: 100_000) { try catalogue.purged(due.id) } },
            { _ = try catalogue.undo(1) }, { _ = try catalogue.lists() },
            { try catalogue.addToList(1, urls: ["http://q.example/"], before: "http://a.example/") },
            { try catalogue.moveInList(1, url: "http://q.example/", before: nil) },
            { try catalogue.takeFromList(1, urls: ["http://q.example/"]) },
            { try catalogue.deleteList(catalogue.createList(name: "x")) },
            { _ = try catalogue.recipes() }, { try catalogue.putRecipe(name: "s", text: "", now: 0) },
            { _ = try catalogue.settings() }, { try catalogue.setSettings(.object([])) },
            { _ = try catalogue.jobs() }, { try catalogue.putJob(nil, "") }, { _ = try catalogue.refresh() },
        ]
        for attempt in attempts {
            do {
                try attempt()
            } catch {
                #expect(error is StateError || error is ServeError, "\(error)")
            }
        }
    }

    @Test("Two servers see what the other does, and none loses anything")
    func shared() async throws {
        try await withTemporaryFolder { folder in
            let path = CatalogueSample.path(folder)
            _ = try CatalogueSample.open(folder)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<3 {
                    group.addTask {
                        let catalogue = try Catalogue(path: path)
                        for step in 0..<20 {
                            let row = CatalogueSample.row("http://\(number).example/\(step)")
                            try catalogue.apply(
                                folder: "0\(number)",
                                answer: CatalogueSample.answer([row])
                            )
                            _ = try catalogue.window(ListQuery(), from: 0, count: 100)
                        }
                    }
                }
                try await group.waitForAll()
            }
            let (first, second) = (try CatalogueSample.open(folder), try CatalogueSample.open(folder))
            #expect(try first.window(ListQuery(), from: 0, count: 0).pages == 60)
            let list = try second.createList(name: "x")
            #expect(try first.refresh())
            try first.addToList(list, urls: ["http://0.example/0"], before: nil)
            #expect(try second.entries(list) == ["http://0.example/0"])
            // Another file in its place.
            try FileManager.default.removeItem(atPath: path)
            #expect(try second.lists().isEmpty)
            _ = try second.createList(name: "y")
            #expect(try first.lists().map(\.name) == ["y"])
            #expect(!first.isTemporary)
        }
    }

    @Test("Where nothing can be written the list is in memory", arguments: ["missing", "link"])
    func temporary(_ obstacle: String) async throws {
        try await withTemporaryFolder { folder in
            let path = CatalogueSample.path(folder)
            if obstacle == "link" {
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: "/dev/null")
            }
            let place = obstacle == "link" ? path : folder.path + "/none/serve.sqlite"
            let catalogue = try Catalogue(path: place)
            #expect(catalogue.isTemporary)
            #expect(catalogue.takeNotice()?.contains("in memory") == true)
            let row = CatalogueSample.row("http://a.example/")
            try catalogue.apply(folder: "ab", answer: CatalogueSample.answer([row]))
            #expect(try catalogue.rows(ListQuery()) == ["a.example+1", "http://a.example/"])
            #expect(try !catalogue.refresh())
        }
    }

    @Test("Only this user can read it")
    func permissions() async throws {
        try await withTemporaryFolder { folder in
            _ = try CatalogueSample.open(folder)
            let path = CatalogueSample.path(folder)
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
            #expect(!FileManager.default.fileExists(atPath: path + "-shm"))
        }
    }
}
