import Foundation
import TestSupport
import Testing
import WebDatabase
import WebStandards

@testable import webinspect_server

/// Lists of one's own, and what else the page remembers.
@Suite(.timeLimit(.minutes(20)))
struct CatalogueListTests {
    private static func url(_ name: Character) -> String { "http://x.example/\(name)" }

    @Test(
        "URLs are put before others",
        arguments: [
            ("abc", "d", nil, "abcd"), ("abc", "de", "a", "deabc"), ("abc", "de", "b", "adebc"),
            ("abc", "b", nil, "abc"), ("abc", "ba", nil, "abc"), ("abc", "c", "a", "cab"),
            ("abc", "cb", "a", "cba"),
            ("abc", "ab", "b", "abc"), ("abc", "xa", "c", "bxac"), ("abc", "d", "z", "abcd"),
            ("", "ab", "z", "ab"),
            ("abc", "bca", "b", "bca"), ("abc", "dd", nil, "abcd"), ("abcd", "bc", "b", "abcd"),
        ] as [(String, String, Character?, String)]
    ) func adding(_ start: String, _ added: String, _ before: Character?, _ expected: String) async throws {
        try await withTemporaryFolder { folder in
            let catalogue = try CatalogueSample.open(folder)
            let list = try catalogue.createList(name: "mine")
            try catalogue.addToList(list, urls: start.map(Self.url), before: nil)
            for _ in 0..<2 {
                try catalogue.addToList(list, urls: added.map(Self.url), before: before.map(Self.url))
                #expect(try catalogue.entries(list) == expected.map(Self.url))
                #expect(try catalogue.lists().map(\.count) == [expected.count])
            }
        }
    }

    @Test("Moves end as in a model, also where there is no room left", arguments: PropertySeeds.first(3))
    func moves(seed: Int) async throws {
        try await withTemporaryFolder { folder in
            let catalogue = try CatalogueSample.open(folder)
            let list = try catalogue.createList(name: "mine")
            var model = "abcdefgh".map(Self.url)
            try catalogue.addToList(list, urls: model, before: nil)
            var generator = SeededGenerator(seed: UInt64(seed))
            for step in 0..<150 {
                // Always between the same two: each halves the room.
                let moved = step < 60 ? model[2] : model.randomElement(using: &generator) ?? ""
                let before =
                    step < 60 ? model[1] : Bool.random(using: &generator) ? model.randomElement() : nil
                try catalogue.moveInList(list, url: moved, before: before)
                let place = model.firstIndex(of: moved) ?? 0
                guard before != moved else { continue }
                model.remove(at: place)
                model.insert(moved, at: before.flatMap { model.firstIndex(of: $0) } ?? model.count)
                #expect(try catalogue.entries(list) == model)
            }
        }
    }

    @Test("A list shows what the cache has of it, in its order or another")
    func shown() async throws {
        try await withTemporaryFolder { folder in
            let catalogue = try CatalogueSample.open(folder, CatalogueTests.urls)
            let list = try catalogue.createList(name: "mine")
            let none = "https://b.example/0"
            let (b, c, a) = (CatalogueTests.urls[0], CatalogueTests.urls[3], CatalogueTests.urls[2])
            try catalogue.addToList(list, urls: [b, none, c, a], before: nil)
            func query(_ change: (inout ListQuery) -> Void = { _ in }) -> ListQuery {
                .with {
                    ($0.list, $0.isGrouped) = (list, false)
                    change(&$0)
                }
            }
            #expect(try catalogue.rows(query()) == [b, "(\(none))", c, a])
            #expect(try catalogue.rows(query { $0.isDescending = true }) == [a, c, "(\(none))", b])
            #expect(try catalogue.rows(query { $0.sort = .url }) == [a, b, "(\(none))", c])
            #expect(try catalogue.rows(query { $0.sort = .date }) == [b, c, a, "(\(none))"])
            #expect(try catalogue.rows(query { $0.filter = "b.example" }) == [b, "(\(none))"])
            #expect(
                try catalogue.rows(query { $0.isGrouped = true })
                    == ["a.example+1", a, "b.example+2", b, "(\(none))", "c.example+1", c]
            )
            #expect(try catalogue.position(of: none, in: query()) == 1)
            #expect(try catalogue.position(of: none, in: ListQuery()) == nil)
            _ = try catalogue.remove(urls: [c], hosts: [], now: 0)
            #expect(try catalogue.rows(query()) == [b, "(\(none))", "(\(c))", a])
            try catalogue.takeFromList(list, urls: [b, "http://none.example/"])
            #expect(try catalogue.entries(list) == [none, c, a])
            try catalogue.deleteList(list)
            try catalogue.deleteList(list)
            let error = #expect(throws: ServeError.self) { try catalogue.rows(query()) }
            #expect(error?.code == "list.unknown")
        }
    }

    @Test("Names and numbers of lists")
    func names() async throws {
        try await withTemporaryFolder { folder in
            let catalogue = try CatalogueSample.open(folder)
            let first = try catalogue.createList(name: "a")
            #expect(try catalogue.createList(name: "a") == first)
            let second = try catalogue.createList(name: "b")
            func code(_ body: () throws -> Void) -> String? {
                do {
                    try body()
                    return nil
                } catch {
                    return (error as? ServeError)?.code
                }
            }
            #expect(code { try catalogue.renameList(first, to: "b") } == "list.exists")
            #expect(code { try catalogue.renameList(first, to: "a") } == nil)
            #expect(code { try catalogue.renameList(77, to: "x") } == "list.unknown")
            #expect(code { try catalogue.addToList(77, urls: [], before: nil) } == "list.unknown")
            #expect(code { try catalogue.addToList(first, urls: ["no URL"], before: nil) } == "url.invalid")
            #expect(code { try catalogue.moveInList(first, url: "x", before: nil) } == "url.unknown")
            #expect(code { _ = try catalogue.createList(name: " ") } == "name.invalid")
            #expect(code { _ = try catalogue.createList(name: "a\0") } == "name.invalid")
            #expect(
                code { _ = try catalogue.createList(name: String(repeating: "x", count: 201)) }
                    == "name.invalid"
            )
            try catalogue.deleteList(second)
            #expect(try catalogue.createList(name: "c") > second)
            for number in 2..<1000 { _ = try catalogue.createList(name: "list \(number)") }
            #expect(code { _ = try catalogue.createList(name: "one more") } == "limit.lists")
            #expect(try catalogue.lists().count == 1000)
        }
    }

    @Test("Recipes, settings and jobs are as they were after a restart")
    func memory() async throws {
        try await withTemporaryFolder { folder in
            var catalogue = try CatalogueSample.open(folder)
            #expect(try catalogue.settings() == .object([]))
            let settings: JSONValue = ["zoom": .number(1.5), "last": "/page?url=\u{202E}"]
            try catalogue.setSettings(settings)
            try catalogue.putRecipe(name: "b", text: "x: 1\0", now: 1)
            try catalogue.putRecipe(name: "a", text: "y", now: 2)
            try catalogue.putRecipe(name: "b", text: "z", now: 3)
            let job = try catalogue.putJob(nil, "{}")
            try catalogue.putJob(job, "{\"n\":1}")
            catalogue = try CatalogueSample.open(folder)
            #expect(try catalogue.settings() == settings)
            #expect(
                try catalogue.recipes().map { "\($0.name) \($0.text) \($0.changed)" } == ["a y 2", "b z 3"]
            )
            #expect(try catalogue.jobs().map { "\($0.id) \($0.json)" } == ["\(job) {\"n\":1}"])
            try catalogue.deleteRecipe(name: "b")
            try catalogue.deleteJob(job)
            // One that was removed does not come back.
            try catalogue.putJob(job, "{\"n\":2}")
            #expect(try catalogue.jobs().isEmpty)
            #expect(try catalogue.putJob(nil, "{}") > job)
            #expect(try catalogue.recipes().count == 1)
            let long = String(repeating: "x", count: 2 << 20)
            #expect(throws: ServeError.self) { try catalogue.putRecipe(name: "c", text: long, now: 0) }
            #expect(throws: ServeError.self) { try catalogue.setSettings(["x": .string(long)]) }
            #expect(throws: ServeError.self) { try catalogue.setSettings(.array([])) }
            #expect(throws: ServeError.self) { try catalogue.putJob(nil, long) }
        }
    }
}
