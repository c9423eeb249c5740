import Foundation
import HTTPTypes
import TestSupport
import Testing

@testable import WebTransport

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

    @Test func whatAnotherHostAnswersIsForItAlone() async throws {
        try await withTemporaryFolder { folder in
            let setup = CachingSetup(folder, CachingSetup.server())
            let other = HTTPField(name: try #require(HTTPField.Name("Host")), value: "inside.test")
            let inside = try await setup.fetch { $0.headerFields.append(other) }
            #expect(inside.source == .network)
            #expect(try await setup.fetch { $0.headerFields.append(other) }.source == .cache)
            #expect(try await setup.fetch().source == .network)
        }
    }

    @Test(arguments: ["Authorization", "Cookie", "Proxy-Authorization", "X-Api-Key", "X-Anything", "Referer"])
    func whatMayBeASecretIsKeptAsADigest(name: String) throws {
        let request = try CachingSample.request(.useProtocolCachePolicy, [(name, "secret")])
        let fields = VaryingFields.of(request, HTTPFields(lines: [("Vary", name)]))
        #expect(fields.map(\.name) == [name.lowercased()])
        let value = try #require(fields.first?.value)
        #expect(!value.contains("secret"))
        #expect(value.hasPrefix("sha256:") && value.utf8.count == 39)
        // Another URL has another digest of it.
        var other = request
        other.url = try WebURL("http://other.test/")
        #expect(VaryingFields.of(other, HTTPFields(lines: [("Vary", name)])).first?.value != value)
        #expect(!VaryingFields.isStoredInClear((name.lowercased(), value)))
        #expect(VaryingFields.isStoredInClear((name.lowercased(), "secret")))
    }

    /// Before digests, values of fields that are no credentials stood as they were.
    @Test func anEntryThatSaysASecretIsReplacedByTheNext() async throws {
        try await withTemporaryFolder { folder in
            let store = DiskCacheStore(directory: folder.path)
            let request = try CachingSample.request(.useProtocolCachePolicy, [("X-Api-Key", "SECRET")])
            var entry = StoredResponse(
                key: StoredResponse.key(for: request.url),
                varyingFields: [("x-api-key", "SECRET")],
                requestTime: .now,
                responseTime: .now,
                status: 200,
                headerFields: HTTPFields(lines: [("Vary", "X-Api-Key")]),
                body: .bytes([1])
            )
            _ = try store.store(entry)
            entry.varyingFields = VaryingFields.of(request, entry.headerFields)
            _ = try store.store(entry)
            guard case .found(let found) = store.lookUp(entry.key, for: request) else {
                Issue.record("it is not found")
                return
            }
            #expect(VaryingFields.match(found, request))
            for case let file as URL in try #require(
                FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
            ) where !file.hasDirectoryPath {
                #expect(try !Data(contentsOf: file).contains(Data("SECRET".utf8)))
            }
        }
    }
}
