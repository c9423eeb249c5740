import TestSupport
import Testing
import WebArchive
import WebStandards

struct HARWriterTests {
    /// An exchange as the writers take it.
    static func exchange(
        _ body: [UInt8]?,
        type: String = "text/html; charset=utf-8",
        url: String = "http://user:word@a.example/p?a=b%20c&d"
    ) throws -> ArchivedExchange {
        var exchange = ArchivedExchange(
            url: try WebURL(url),
            date: Timestamp(millisecondsSince1970: 1_612_173_600_042),
            status: 200
        )
        exchange.reason = "OK"
        exchange.requestFields = [
            ("cookie", Array("secret=1; b=2".utf8)), ("Authorization", Array("Basic secret".utf8)),
            ("Referer", Array("http://user:word@a.example/".utf8)),
        ]
        exchange.responseFields = [
            ("Content-Type", Array(type.utf8)), ("Set-Cookie", Array("secret=1; Path=/".utf8)),
            ("X-Latin", [0xE4]),
        ]
        exchange.body = body.map { .bytes($0) }
        return exchange
    }

    private func written(_ exchanges: [ArchivedExchange], withSecrets: Bool = false) throws -> [UInt8] {
        var bytes: [UInt8] = []
        var writer = try unsafe HARWriter(withSecrets: withSecrets) { piece throws(ArchiveError) in
            unsafe bytes.append(contentsOf: piece)
        }
        for exchange in exchanges { try writer.append(exchange) }
        try writer.finish()
        return bytes
    }

    @Test(
        "A body reads back byte for byte, whatever its type says",
        arguments: [
            "text/html; charset=utf-8", "text/html; charset=iso-8859-1", "text/html; charset=utf-16",
            "image/png",
            "text/plain; charset=iso-2022-jp", "",
        ],
        Abbreviated.each(
            [
                [], Array("<p>\"Grüße\" \\ 漢 😀\r\n\t\u{1}\u{7F}".utf8), Array("plain".utf8),
                [0xFF, 0x00, 0x80],
                [0x1B, 0x28, 0x4A, 0x5C], Array("漢".utf8.dropLast()), Array(repeating: 0xE4, count: 200_000),
                Array(String(repeating: "aö漢😀", count: 30_000).utf8),
            ] as [[UInt8]]
        )
    )
    func readsBack(type: String, body: Abbreviated<[UInt8]>) throws {
        let body = body.value
        let archive = try ReadArchive(HARContents(bytes: try written([try Self.exchange(body, type: type)])))
        #expect(archive.bodies == [body])
        #expect(archive.verified.isEmpty)
    }

    @Test("A content coding is undone")
    func decodes() throws {
        // "hello" in gzip, stored.
        let coded: [UInt8] =
            [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3, 1, 5, 0, 0xFA, 0xFF] + Array("hello".utf8)
            + [0x86, 0xA6, 0x10, 0x36, 5, 0, 0, 0]
        var exchange = try Self.exchange(coded)
        exchange.responseFields.append(("content-encoding", Array("gzip".utf8)))
        #expect(try ReadArchive(HARContents(bytes: try written([exchange]))).texts == ["hello"])
        exchange.body = .bytes(Array(coded.dropLast(9)))
        #expect(try ReadArchive(HARContents(bytes: try written([exchange]))).bodies == [nil])
    }

    @Test("What HAR requires is there, and what was measured")
    func hasMembers() throws {
        var exchange = try Self.exchange(Array("x".utf8))
        exchange.version = "2"
        exchange.method = "POST"
        exchange.requestBody = Array("a=b".utf8)
        exchange.address = "192.0.2.1"
        var timing = LoadTiming()
        timing.nameLookup = .milliseconds(1)
        timing.connect = .milliseconds(3)
        timing.tls = .milliseconds(7)
        timing.firstByte = .milliseconds(17)
        timing.total = .milliseconds(20)
        exchange.timing = timing
        let log = try #require(try JSONValue(parsing: try written([exchange], withSecrets: true))["log"])
        guard case .array(let entries)? = log["entries"], let entry = entries.first else {
            Issue.record("there are no entries")
            return
        }
        #expect(log["version"]?.string == "1.2")
        #expect(log["creator"]?["name"]?.string == "WebLoader")
        #expect(entry["startedDateTime"]?.string == "2021-02-01T10:00:00.042Z")
        #expect(entry["time"]?.number == 20)
        #expect(entry["serverIPAddress"]?.string == "192.0.2.1")
        #expect(entry["timings"]?["connect"]?.number == 6)
        #expect(entry["timings"]?["ssl"]?.number == 4)
        #expect(entry["timings"]?["wait"]?.number == 10)
        #expect(entry["timings"]?["receive"]?.number == 3)
        #expect(entry["cache"] == .object([]))
        let request = try #require(entry["request"])
        #expect(request["httpVersion"]?.string == "HTTP/2")
        #expect(request["postData"]?["text"]?.string == "a=b")
        #expect(
            request["queryString"] == [["name": "a", "value": "b c"], ["name": "d", "value": ""]] as JSONValue
        )
        let response = try #require(entry["response"])
        for name in ["status", "statusText", "cookies", "headers", "redirectURL", "headersSize", "bodySize"] {
            #expect(response[name] != nil, "\(name)")
        }
        #expect(response["content"]?["size"]?.number == 1)
    }

    @Test(
        "What was posted is left out, whatever its type",
        arguments: [
            "application/x-www-form-urlencoded", "multipart/form-data; boundary=b", "text/plain", "",
        ],
        [Array("pw=hidden".utf8), [0xFF] + Array("hidden".utf8)]
    )
    func leavesOutWhatWasPosted(type: String, body: [UInt8]) throws {
        var exchange = try Self.exchange(Array("x".utf8))
        exchange.method = "POST"
        exchange.requestFields.append(("Content-Type", Array(type.utf8)))
        exchange.requestBody = body
        let text = String(decoding: try written([exchange]), as: UTF8.self)
        #expect(!text.contains("hidden") && !text.contains(Base64.encode(body)))
        #expect(text.contains("\"bodySize\":\(body.count)"))
        let full = String(decoding: try written([exchange], withSecrets: true), as: UTF8.self)
        #expect(full.contains("hidden") || full.contains(Base64.encode(body)))
    }

    @Test(
        "URLs in fields have no credentials",
        arguments: ["http://a:hidden@b/", "//a:hidden@b/", "http:\\\\a:hidden@b/"]
    )
    func leavesOutCredentialsOfFields(value: String) throws {
        var exchange = try Self.exchange(Array("x".utf8))
        exchange.responseFields.append(("Location", Array(value.utf8)))
        #expect(!String(decoding: try written([exchange]), as: UTF8.self).contains("hidden"))
    }

    @Test("Cookies and credentials are left out, unless they are wanted")
    func leavesOutSecrets() throws {
        let exchange = try Self.exchange(Array("x".utf8))
        let text = String(decoding: try written([exchange]), as: UTF8.self)
        #expect(!text.contains("secret"))
        #expect(!text.contains("word"))
        let log = try JSONValue(parsing: try written([exchange], withSecrets: true))["log"]
        guard case .array(let entries)? = log?["entries"] else {
            Issue.record("there are no entries")
            return
        }
        #expect(entries.first?["request"]?["url"]?.string?.contains("user:word@") == true)
        #expect(
            entries.first?["request"]?["cookies"]
                == [["name": "secret", "value": "1"], ["name": "b", "value": "2"]] as JSONValue
        )
        #expect(entries.first?["response"]?["cookies"] == [["name": "secret", "value": "1"]] as JSONValue)
    }

    @Test("A body that is not known is missing, and nothing is a HAR too")
    func writesNothing() throws {
        let archive = try ReadArchive(HARContents(bytes: try written([try Self.exchange(nil)])))
        #expect(archive.bodies == [nil])
        #expect(archive.urls == ["http://a.example/p?a=b%20c&d"])
        #expect(try ReadArchive(HARContents(bytes: try written([]))).verified.isEmpty)
    }

    @Test("An error of the output ends it")
    func passesError() throws {
        #expect(throws: ArchiveError(.unwritable, "full")) {
            _ = try unsafe HARWriter { _ throws(ArchiveError) in throw ArchiveError(.unwritable, "full") }
        }
    }
}
