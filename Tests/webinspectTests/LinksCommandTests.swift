import FlyingFox
import Foundation
import TestSupport
import Testing

struct LinksCommandTests {
    private static let page = Data(
        """
        <title>T</title><a href=one>One, "1"</a><a href=http://other.test/>Other</a><img src=one>
        <a href=one>Again</a><a href=mailto:a@b.test>Mail</a><a href='http://['>Bad</a>
        """.utf8
    )

    private func links(_ arguments: String..., input: Data = page) async throws -> Command.Outcome {
        try await Command.run(
            "webinspect",
            ["links", "-", "--base-url", "http://h.test/d/"] + arguments,
            input: input
        )
    }

    @Test func textIsOneURLALine() async throws {
        let outcome = try await links()
        #expect(outcome.status == 0)
        #expect(
            outcome.text == """
                http://h.test/d/one
                http://other.test/
                http://h.test/d/one
                http://h.test/d/one
                mailto:a@b.test

                """
        )
        #expect(outcome.errors.contains("1 references are not valid URLs"))
    }

    @Test func linksAreChosen() async throws {
        #expect(try await links("--kind", "image").text == "http://h.test/d/one\n")
        #expect(
            try await links("--kind", "image", "--kind", "navigation", "--unique").text
                == "http://h.test/d/one\nhttp://other.test/\nmailto:a@b.test\n"
        )
        #expect(try await links("--external").text == "http://other.test/\n")
        #expect(try await links("--internal", "--unique").text == "http://h.test/d/one\n")
    }

    @Test func nothingFoundIsOne() async throws {
        #expect(try await links("--kind", "script").status == 1)
        let json = try await links("--kind", "script", "--format", "json")
        #expect(json.status == 1)
        #expect(try json.json()["links"] as? [String] == [])
    }

    @Test(arguments: [
        ["--kind", "nothing"], ["--format", "xml"], ["--internal", "--external"],
        ["--format", "csv", "--json"],
    ])
    func mistakesAreUsage(arguments: [String]) async throws {
        let outcome = try await Command.run("webinspect", ["links", "-"] + arguments)
        #expect(outcome.status == 2)
    }

    @Test func jsonHasAllOfALink() async throws {
        let report = try await links("--json").json()
        #expect(report["schema"] as? Int == 1)
        #expect(report["base_url"] as? String == "http://h.test/d/")
        let links = try #require(report["links"] as? [[String: Any]])
        #expect(links.count == 6)
        #expect(links[0]["text"] as? String == "One, \"1\"")
        #expect(links[0]["line"] as? Int == 1)
        #expect(links[0]["column"] as? Int == 17)
        #expect(links[0]["kind"] as? String == "navigation")
        #expect(links[5]["url"] is NSNull)
        #expect((links[5]["failure"] as? String)?.hasPrefix("IPv6-unclosed") == true)
    }

    @Test func jsonLinesAndCSVHaveALineALink() async throws {
        let lines = try await links("--format", "jsonl").text.split(separator: "\n")
        #expect(lines.count == 6)
        let csv = try await links("--format", "csv").text.split(separator: "\n")
        #expect(csv.count == 7)
        #expect(csv[0] == "url,kind,element,attribute,field,rel,text,reference,line,column,inert,failure")
        #expect(csv[1] == #"http://h.test/d/one,navigation,a,href,,,"One, ""1""",one,1,17,false,"#)
    }

    @Test func aColumnSaysWhatIsCached() async throws {
        let cache = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: cache) }
        try await withTestServer({ _ in
            .init(
                statusCode: .ok,
                headers: [.contentType: "text/html", .init("Cache-Control"): "max-age=60"],
                body: Data("<a href=/page#x>A</a><a href=/other>B</a>".utf8)
            )
        }) { server in
            let arguments = ["links", server.url("/page"), "--cache-dir", cache.path]
            let first = try await Command.run("webinspect", arguments)
            #expect(first.text == "\(server.url("/page"))#x\tcached\n\(server.url("/other"))\tabsent\n")
            let json = try await Command.run("webinspect", arguments + ["--cache-only", "--json"]).json()
            #expect((json["links"] as? [[String: Any]])?.map { $0["cached"] as? Bool } == [true, false])
        }
    }
}
