import Testing

@testable import WebStandards

struct EntityTagTests {
    @Test(
        "A tag is to the letter or none (RFC 9110, 8.8.3)",
        arguments: [
            ("\"x\"", "x", false), ("W/\"x\"", "x", true), ("\"\"", "", false), (" \"a,b\" ", "a,b", false),
            ("\"a\\b\"", "a\\b", false), ("\"ü\"", "ü", false),
        ]
    )
    func tags(field: String, opaque: String, isWeak: Bool) throws {
        let tag = try #require(EntityTag(field))
        #expect(tag.opaque == opaque)
        #expect(tag.isWeak == isWeak)
    }

    @Test(arguments: [
        "", "x", "\"x", "x\"", "w/\"x\"", "W\"x\"", "W/x", "\"x\" y", "\"x\"y\"", "\"a b\"", "W/", "*",
    ])
    func othersAreNone(field: String) {
        #expect(EntityTag(field) == nil)
    }

    @Test(
        "Lists leave out what is malformed",
        arguments: [
            ("\"a\"", ["a"]), ("\"a\",\"b\"", ["a", "b"]), (" , W/\"a\" ,, \"b,c\" ,", ["a", "b,c"]),
            ("a, \"b\"", ["b"]), ("\"a\" x, \"b\"", ["b"]), ("", []), ("\"a", []),
        ]
    )
    func lists(field: String, opaque: [String]) {
        #expect(EntityTag.list(field).map(\.opaque) == opaque)
    }

    @Test(
        "Weak tags match what means the same only (8.8.3.2)",
        arguments: [
            ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false),
            ("W/\"1\"", "\"1\"", false, true), ("\"1\"", "\"1\"", true, true),
        ]
    )
    func comparison(a: String, b: String, strongly: Bool, weakly: Bool) throws {
        let (a, b) = (try #require(EntityTag(a)), try #require(EntityTag(b)))
        #expect(a.strongly(matches: b) == strongly)
        #expect(a.weakly(matches: b) == weakly)
    }
}
