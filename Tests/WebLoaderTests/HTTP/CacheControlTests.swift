import Testing

@testable import WebStandards

struct CacheControlTests {
    private func parse(_ lines: String...) -> CacheControl {
        CacheControl(fieldLines: lines)
    }

    // MARK: - Parsing

    @Test(
        "Directives have names in lowercase and arguments of either form",
        arguments: [
            ("", []), (" , ,, ", []), ("no-store", ["no-store"]), ("No-StOrE", ["no-store"]),
            ("a=b", ["a=b"]), ("a=\"b\"", ["a=b"]), ("A=B , c ,d=\"e, \\\"f\" ", ["a=B", "c", "d=e, \"f"]),
            ("a=\"\"", ["a="]), ("a;b=c", ["a!"]), ("a =b", ["a!"]), ("a= b", ["a!"]), ("a=", ["a!"]),
            ("a=,b", ["a!", "b"]),
            ("a=b c, d", ["a!", "d"]), ("a=\"b\"c, d", ["a!", "d"]), ("a=\"b, c", ["a!"]), ("a=b=c", ["a!"]),
            ("=a, b", ["b"]), ("\"a, b\", c", ["c"]), ("a \"b, c\", d", ["a!", "d"]), ("\u{E9}=1, b", ["b"]),
            ("\ta\t,\tb", ["a", "b"]), ("a, a, a", ["a", "a", "a"]),
        ] as [(String, [String])]
    )
    func parses(line: String, expected: [String]) {
        let written = CacheControl(fieldLines: [line]).directives.map { directive in
            switch directive.argument {
            case .none: directive.name.rawValue
            case .value(let value): "\(directive.name.rawValue)=\(value)"
            case .malformed: "\(directive.name.rawValue)!"
            }
        }
        #expect(written == expected)
    }

    @Test("Several lines count as one, and an open quote ends with its line")
    func severalLines() {
        let directives = parse("max-age=5", "a=\"b", "no-store")
        #expect(directives.maxAge == 5)
        #expect(directives.noStore)
        #expect(parse().directives.isEmpty)
    }

    // MARK: - Seconds

    @Test(
        "A lifetime is a number of seconds, at most 2^31, and 0 for anything else",
        arguments: [
            ("max-age=3600", 3600), ("max-age=0", 0), ("max-age=003600", 3600),
            ("max-age=\"3600\"", 3600), ("max-age=2147483647", 2_147_483_647),
            ("max-age=2147483648", 2_147_483_648), ("max-age=2147483649", 2_147_483_648),
            ("max-age=99999999999999999999999999999999999999", 2_147_483_648),
            ("max-age=-3600", 0), ("max-age=+3600", 0), ("max-age=3600.0", 0), ("max-age=1e3", 0),
            ("max-age=a3600", 0), ("max-age=3600a", 0), ("max-age='3600'", 0), ("max-age=\" 3600\"", 0),
            ("max-age =3600", 0), ("max-age= 3600", 0), ("max-age", 0), ("max-age=", 0), ("max-age=\"\"", 0),
            ("max-age=3600;x", 0), ("max-age:3600", 0), ("max-age=\u{FF13}", 0), ("max-age=\"3600", 0),
            ("foo, max-age=3600", 3600), ("foo=\"max-age=1\", max-age=3600", 3600),
            ("max-age=1, foo=\"max-age=3600\"", 1), ("foo=\"\\\", max-age=1\", max-age=3600", 3600),
            ("max-ages=1", nil), ("x-max-age=1", nil), ("foo=\"max-age=1\"", nil), ("", nil),
        ] as [(String, Int64?)]
    )
    func maxAge(line: String, expected: Int64?) {
        #expect(parse(line).maxAge == expected)
        #expect(parse(line.replacing("max-age", with: "s-maxage")).sMaxAge == expected)
    }

    @Test("max-age and s-maxage are not taken for each other")
    func sharedMaxAge() {
        #expect(parse("s-maxage=1").maxAge == nil)
        #expect(parse("max-age=1").sMaxAge == nil)
        #expect(parse("MaX-aGe=1, S-MAXAGE=2").maxAge == 1)
        #expect(parse("MaX-aGe=1, S-MAXAGE=2").sMaxAge == 2)
    }

    @Test("Of a repeated lifetime the shortest counts")
    func repeatedLifetime() {
        #expect(parse("max-age=1800, max-age=1").maxAge == 1)
        #expect(parse("max-age=1", "max-age=1800").maxAge == 1)
        #expect(parse("max-age=1800, max-age=x").maxAge == 0)
        #expect(parse("max-age=x, max-age=1800").maxAge == 0)
    }

    @Test("An invalid grace is none, and of a repeated one the shortest counts")
    func grace() {
        #expect(parse("stale-while-revalidate=5").staleWhileRevalidate == 5)
        #expect(parse("stale-while-revalidate=5, stale-while-revalidate=3").staleWhileRevalidate == 3)
        #expect(parse("stale-while-revalidate=5, stale-while-revalidate").staleWhileRevalidate == nil)
        #expect(parse("stale-while-revalidate").staleWhileRevalidate == nil)
        #expect(parse("stale-if-error=60").staleIfError == 60)
        #expect(parse("stale-if-error=-1").staleIfError == nil)
        #expect(parse("stale-if-error=0").staleIfError == 0)
        #expect(parse("").staleIfError == nil)
    }

    @Test("Seconds of other fields are parsed as strictly")
    func deltaSeconds() {
        #expect(CacheControl.deltaSeconds("7200") == 7200)
        #expect(CacheControl.deltaSeconds("4294967296") == 2_147_483_648)
        for invalid in ["", " 1", "1 ", "-1", "7200.0", "abc", "7200;a=b"] {
            #expect(CacheControl.deltaSeconds(invalid) == nil)
        }
    }

    // MARK: - Requests

    @Test("The directives of requests are read")
    func requests() {
        let all = parse(
            "max-age=1, max-stale=2, min-fresh=3, no-cache, no-store, no-transform, only-if-cached"
        )
        #expect(all.maxAge == 1)
        #expect(all.maxStale == 2)
        #expect(all.minFresh == 3)
        #expect(all.noCache == .message)
        #expect(all.noStore && all.noTransform && all.onlyIfCached)
        let none = parse("x")
        #expect(none.maxStale == nil)
        #expect(none.minFresh == nil)
        #expect(!none.noStore && !none.noTransform && !none.onlyIfCached)
    }

    @Test("max-stale without an argument accepts any age; of several values the strictest counts")
    func maxStale() {
        #expect(parse("max-stale").maxStale == .max)
        #expect(parse("max-stale, max-stale=5").maxStale == 5)
        #expect(parse("max-stale=x").maxStale == nil)
        #expect(parse("max-stale=").maxStale == nil)
        #expect(parse("max-stale=5, max-stale=x").maxStale == nil)
        #expect(parse("min-fresh=5, min-fresh=9, min-fresh=x").minFresh == 9)
        #expect(parse("min-fresh=x").minFresh == nil)
    }

    // MARK: - Responses

    @Test("The directives of responses are read")
    func responses() {
        let all = parse(
            "public, private, must-revalidate, must-understand",
            "proxy-revalidate, s-maxage=7, immutable, no-transform"
        )
        #expect(all.public && all.private == .message && all.mustRevalidate && all.mustUnderstand)
        #expect(all.proxyRevalidate && all.immutable && all.noTransform)
        #expect(all.sMaxAge == 7)
        let none = parse("x")
        #expect(!none.public && none.private == .absent && !none.mustRevalidate && !none.mustUnderstand)
        #expect(!none.proxyRevalidate && !none.immutable && none.noCache == .absent && none.sMaxAge == nil)
    }

    @Test("A malformed directive still restricts and no longer permits")
    func malformed() {
        let malformed = parse("no-store x, must-revalidate=, public =, immutable x")
        #expect(malformed.noStore && malformed.mustRevalidate)
        #expect(!malformed.public && !malformed.immutable)
        #expect(parse("immutable=1, public=\"x\"").immutable)
    }

    @Test(
        "no-cache and private may be bound to fields",
        arguments: [
            ("no-cache", .message), ("no-cache=\"Set-Cookie\"", .fields(["set-cookie"])),
            ("no-cache=\"a, B ,, c\"", .fields(["a", "b", "c"])), ("no-cache=a", .fields(["a"])),
            ("no-cache=\"a\", no-cache=\"b\"", .fields(["a", "b"])), ("no-cache=\"a\", no-cache", .message),
            ("no-cache=\"\"", .message), ("no-cache=\" , \"", .message), ("no-cache=\"a b\"", .message),
            ("no-cache=\"a", .message), ("no-cache=", .message), ("no-cache=\"a\"x", .message), ("", .absent),
        ] as [(String, CacheControl.Scope)]
    )
    func scopes(line: String, expected: CacheControl.Scope) {
        #expect(parse(line).noCache == expected)
        #expect(parse(line.replacing("no-cache", with: "private")).private == expected)
    }

    @Test("Megabytes take linear time", .timeLimit(.minutes(20)))
    func large() {
        #expect(parse(String(repeating: "a,", count: 1 << 18) + "max-age=1").maxAge == 1)
        #expect(parse(String(repeating: "\"", count: 1 << 20)).directives.isEmpty)
        #expect(
            parse("max-age=" + String(repeating: "9", count: 1 << 20)).maxAge
                == CacheControl.largestDeltaSeconds
        )
        #expect(parse(String(repeating: "=\\", count: 1 << 20)).directives.isEmpty)
    }
}
