import HTTPTypes
import Testing

@testable import WebLoader

struct VaryingFieldsTests {
    private func isMatch(
        _ vary: String,
        _ old: [(String, String)],
        _ new: [(String, String)],
        _ fields: [(String, String)] = []
    ) throws -> Bool {
        var stored = CachingSample.stored([("Vary", vary)] + fields)
        stored.varyingFields = VaryingFields.of(
            try CachingSample.request(.useProtocolCachePolicy, old),
            stored.headerFields
        )
        return VaryingFields.match(stored, try CachingSample.request(.useProtocolCachePolicy, new))
    }

    @Test(
        "Values that say the same are the same (4.1)",
        arguments: [
            ("Accept-Language", "en, de", "de, en", true), ("Accept-Language", "en, de", " EN ,  de", true),
            ("Accept-Language", "en, de;q=0.5", "de;q=0.50,en;q=1.0", true),
            ("Accept-Language", "en, de;q=0.5", "en;q=0.5, de", false),
            ("Accept-Language", "en", "en, de", false), ("Accept-Language", "en;q=x", "en;q=y", false),
            ("Accept-Encoding", "gzip, br", "br,gzip", true),
            ("Accept", "text/html;level=1", "text/html; level=1", true),
            ("Accept", "a/b;c=\"D\"", "a/b;c=\"d\"", false), ("X", "a, b", "b, a", false),
            ("X", "a", "A", false),
        ]
    )
    func normalization(name: String, old: String, new: String, matches: Bool) throws {
        #expect(try isMatch(name, [(name, old)], [(name, new)]) == matches)
    }

    @Test(
        "A response in the language that is wanted most will do",
        arguments: [
            ("de", "fr;q=0.5, de;q=1.0", true), ("DE", "de", true), ("de", "fr, de;q=0.5", false),
            ("de", "de, fr", false), ("de, en", "de", false), ("de-AT", "de", false), ("de", "*", false),
            ("de", "de;q=0", false),
        ]
    )
    func language(language: String, wanted: String, matches: Bool) throws {
        let isMatch = try isMatch(
            "Accept-Language",
            [("Accept-Language", "en, de")],
            [("Accept-Language", wanted)],
            [("Content-Language", language)]
        )
        #expect(isMatch == matches)
    }

    @Test(
        "What was for one set of credentials is for no other",
        arguments: [
            (nil, nil, true), ("a", "a", true), ("a", "b", false), ("a", nil, false), (nil, "a", false),
        ]
            as [(String?, String?, Bool)]
    )
    func authorization(old: String?, new: String?, matches: Bool) throws {
        let fields = { (value: String?) in value.map { [("Authorization", $0)] } ?? [] }
        #expect(try isMatch("", fields(old), fields(new)) == matches)
        #expect(try isMatch("X", fields(old), fields(new)) == matches)
    }

    @Test(arguments: ["Authorization", "Cookie"])
    func secretsAreKeptAsAHash(name: String) throws {
        let request = try CachingSample.request(.useProtocolCachePolicy, [(name, "secret")])
        let fields = VaryingFields.of(request, HTTPFields(lines: [("Vary", "authorization, Cookie")]))
        #expect(fields.map(\.name) == ["authorization", "cookie"])
        #expect(fields.allSatisfy { $0.value?.contains("secret") != true })
        #expect(fields.contains { $0.value?.utf8.count == 32 })
    }
}
