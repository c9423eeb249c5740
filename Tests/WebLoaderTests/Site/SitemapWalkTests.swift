import Testing
import WebSite
import WebStandards

struct SitemapWalkTests {
    private static func url(_ name: String) throws -> WebURL { try WebURL("http://site.example/\(name)") }

    @Test func eachSitemapComesOnce() throws {
        var walk = SitemapWalk([try Self.url("a"), try Self.url("b"), try Self.url("a#x")])
        var maps: [SitemapWalk.Map] = []
        while let map = walk.next() {
            maps.append(map)
            walk.add([try Self.url("a"), try Self.url("c#y"), map.url], foundIn: map)
        }
        #expect(maps.map(\.url.path) == ["/a", "/b", "/c"])
        #expect(maps.map(\.depth) == [0, 0, 1])
        #expect(walk.leftOutCount == 0)
    }

    @Test func whereARedirectEndsIsNotFetchedAgain() throws {
        var walk = SitemapWalk([try Self.url("a"), try Self.url("b")])
        let map = walk.next()
        let isNew = [walk.markRedirect(to: try Self.url("b")), walk.markRedirect(to: try Self.url("c"))]
        #expect(isNew == [false, true])
        let addition = walk.add(try Self.url("c"), foundIn: try #require(map))
        #expect(addition == .known)
    }

    @Test func depthIsBounded() throws {
        var walk = SitemapWalk([try Self.url("0")], maximumDepth: 3)
        var count = 0
        while let map = walk.next() {
            count += 1
            walk.add([try Self.url("\(map.depth + 1)")], foundIn: map)
        }
        #expect(count == 4)
        #expect(walk.leftOutCount == 1)
    }

    @Test func theNumberIsBounded() throws {
        var walk = SitemapWalk([try Self.url("0")], maximumCount: 5)
        var additions: [SitemapWalk.Addition] = []
        var count = 0
        while let map = walk.next() {
            count += 1
            guard count == 1 else { continue }
            for name in 1...6 { additions.append(walk.add(try Self.url("\(name)"), foundIn: map)) }
        }
        #expect(count == 5)
        #expect(additions == [.added, .added, .added, .added, .tooMany, .tooMany])
        #expect(walk.leftOutCount == 2)
    }
}
