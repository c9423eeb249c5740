import ArgumentParser
import Testing

@testable import webinspect

/// The commonest lines are read by hand; ArgumentParser has to read the same out of them.
@Suite struct HotArgumentsTests {
    @Test(arguments: [
        ["page.html"],
        ["url", "page.html"],
        ["page.html", "--json"],
        ["--json", "page.html"],
        ["-"],
        ["http://h/", "--cache-only", "--cache-dir", "/tmp/c", "--json"],
        ["http://h/", "--offline"],
        ["http://h/", "--prefer-cache", "-v"],
        ["http://h/", "--refresh", "--no-store", "-s"],
        ["http://h/", "--revalidate", "--fail"],
        ["http://h/", "--keep"],
        ["http://h/", "--cache-only", "--refresh"],
        ["page.html", "--base-url", "http://h/", "--mime", "text/html", "--encoding", "koi8-r", "-o", "out"],
        ["page.html", "--output", "out", "-f", "--verbose", "--silent"],
        [
            "http://h/", "--timeout", "5", "--connect-timeout", "1s", "-m", "9.5", "--max-filesize", "10MB",
            "--max-redirs", "3",
        ],
        ["http://h/", "-H", "A: b", "--header", "C:", "-A", "me", "--no-location", "--parser", "libxml2"],
        ["http://h/", "--policy", "returnCacheDataElseLoad"],
    ])
    func `both readers understand a common line alike`(_ line: [String]) throws {
        let command = try #require(HotArguments.read(line))
        let parsed = try InspectCommand.parse(Array(line.drop { $0 == "url" }))
        #expect(command == .inspect(try parsed.options().0, source: parsed.source))
    }

    @Test(arguments: [
        ["fetch", "http://h/"],
        ["fetch", "http://h/", "-X", "PUT", "-d", "a=1", "--json"],
        [
            "fetch", "--method", "HEAD", "http://h/", "--policy", "reloadRevalidatingCacheData", "--max-time",
            "3",
        ],
        ["fetch", "--data", "", "http://h/"],
    ])
    func `both readers understand a fetch alike`(_ line: [String]) throws {
        let command = try #require(HotArguments.read(line))
        let parsed = try FetchCommand.parse(Array(line.dropFirst()))
        let fetch = FetchOptions(url: parsed.url, method: parsed.method, data: parsed.data)
        #expect(command == .fetch(try parsed.loading.options(), fetch))
    }

    @Test(arguments: [
        ["title", "page.html"],
        ["title", "page.html", "--json"],
        ["title", "-", "-a", "href", "--first", "--strict"],
        ["-1", "title", "http://h/", "--cache-only", "--html", "--count"],
        ["--xpath", "//a", "page.html", "--path", "--explain", "--budget-time", "2s"],
        [
            "-e", "a=b", "-e", "c=d=e", "page.html", "--jsonl", "-t", "--namespace", "s=urn:x", "--parser",
            "libxml2",
        ],
    ])
    func `both readers understand a selection alike`(_ line: [String]) throws {
        let command = try #require(HotArguments.read(["select"] + line))
        let parsed = try SelectCommand.parse(line)
        var options = try parsed.loading.options()
        try parsed.content.set(&options)
        #expect(command == .select(options, try parsed.selectOptions()))
    }

    @Test(arguments: [
        ["page.html"], ["-", "--markdown"], ["http://h/", "--all", "--json", "--offline"],
        [
            "--markdown", "--all", "page.html", "--base-url", "http://h/", "--encoding", "koi8-r", "-o",
            "out", "-s",
        ],
    ])
    func `both readers understand a line for text alike`(_ line: [String]) throws {
        let command = try #require(HotArguments.read(["text"] + line))
        let parsed = try TextCommand.parse(line)
        var options = try parsed.loading.options()
        try parsed.content.set(&options)
        #expect(command == .text(options, parsed.textOptions()))
    }

    @Test(arguments: [
        ["-r", "r.yaml", "page.html", "--json"], ["--recipe", "r", "a", "b", "--jsonl"],
        ["-e", "a=b", "-e", "c[]=d", "-"],
        [
            "-r", "r", "a", "--budget-time", "200ms", "--budget-memory", "10MB", "--base-url", "http://h/",
            "--json",
        ],
        ["-r", "r", "--stdin-jsonl", "--worker-reuse", "10", "--provenance"],
        ["-r", "r", "a", "--no-worker", "--offline"],
    ])
    func `both readers understand an extraction alike`(_ line: [String]) throws {
        let command = try #require(HotArguments.read(["extract"] + line))
        let parsed = try ExtractCommand.parse(line)
        var options = try parsed.loading.options()
        try parsed.content.set(&options)
        #expect(command == .extract(options, try parsed.extractOptions()))
    }

    @Test(arguments: [
        ["extract", "-r"], ["extract", "a", "--budget-time", "soon"],
        ["extract", "a", "--worker-reuse", "x"],
        ["extract", "a", "--unknown"],
        ["text"], ["text", "a", "b"], ["text", "a", "--format", "md"], ["text", "a", "--encoding"],
        ["select"], ["select", "a"], ["select", "a", "b", "c"], ["select", "a", "b", "--html", "--text"],
        ["select", "-e", "x", "b"], ["select", "a", "b", "--css"], ["select", "a", "b", "-a"],
        [], ["fetch"], ["help"], ["--help"], ["page.html", "--timeout", "soon"], ["a.html", "b.html"],
        ["page.html", "--method", "PUT"], ["fetch", "http://h/", "--mime", "text/html"],
        ["page.html", "--policy", "never"],
        ["page.html", "--cache-dir"], ["page.html", "--cache-dir", "--json"], ["page.html", "--json=1"],
        ["-js", "a"],
        ["page.html", "--unknown"], ["--", "page.html"], ["--version"],
    ])
    func `what is not common is left to ArgumentParser`(_ line: [String]) {
        #expect(HotArguments.read(line) == nil)
    }

    @Test func `every command is known not to be a source`() {
        let names = RootCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        #expect(Set(RootCommand.subcommandNames).isSuperset(of: names))
    }
}
