import Foundation
import TestSupport
import Testing

/// Pages that were made to take long, or much memory, under the commands that look at them.
@Suite struct HostilePageTests {
    /// A page, and the name of its file.
    struct Page: Sendable, CustomTestStringConvertible {
        let name: String
        let text: @Sendable () -> String
        var testDescription: String { name }
    }

    /// Bytes that a page has, about.
    private static let size = 500_000

    private static func repeated(_ unit: String, _ head: String = "") -> String {
        head + String(repeating: unit, count: size / unit.utf8.count)
    }

    private static func names(_ count: Int, _ prefix: String = "a") -> String {
        (0..<count).map { "\(prefix)\($0)" }.joined(separator: " ")
    }

    /// A base URL of half the page, and references to it.
    private static func longBase(_ unit: String) -> String {
        let base = String(repeating: "b", count: size / 2)
        let units = String(repeating: unit, count: size / 2 / unit.utf8.count)
        return "<base href='http://h/\(base)/'>\(units)"
    }

    static let pages: [Page] = [
        // Nested elements.
        Page(name: "deep.html") { repeated("<div>") },
        Page(name: "headings.html") { repeated("<section><h2>x") },
        Page(name: "microformats.html") { repeated("<div class='h-card p-author h-entry'>") },
        Page(name: "items.html") { repeated("<div itemscope><div itemprop=a>x") },
        // One text under many names.
        Page(name: "itemprop.html") {
            "<div itemscope><b itemprop='\(names(1000))'>\(repeated("x"))"
        },
        Page(name: "rdfa.html") { "<div property='\(names(1000, "og:a"))'>\(repeated("x"))" },
        Page(name: "mf-names.html") {
            "<div class=h-card><b class='\(names(1000, "e-"))'>\(repeated("x"))"
        },
        Page(name: "labels.html") {
            repeated(
                "<nav aria-labelledby=x></nav>",
                "<h1 id=x>\(String(repeating: "y", count: 100_000))</h1>"
            )
        },
        // One long URL under many references.
        Page(name: "links.html") { longBase("<a href=a>x</a>") },
        Page(name: "images.html") { longBase("<img src=a srcset='b, c 2x'>") },
        Page(name: "forms.html") { longBase("<form action=a><input name=b value=c></form>") },
        Page(name: "meta.html") { longBase("<meta property=og:image content=a><link rel=icon href=b>") },
        // Many of what is small.
        Page(name: "many.html") { repeated("<h1><a href=a><img src=b>") },
        Page(name: "json-ld.html") {
            "<script type=application/ld+json>[\(repeated("{\"@id\":1},"))1]</script>"
        },
        Page(name: "paragraphs.html") { repeated("<p>x") },
        Page(name: "anchors.html") { repeated("<b><a href=x>") },
        Page(name: "anchors-text.html") { repeated("<a href=a>x</a>") },
        Page(name: "lists.html") { repeated("<ul><li>x") },
        Page(name: "breaks.html") { repeated("x<br>") },
        Page(name: "formatting.html") { repeated("<b><i><u><p>x") },
        Page(name: "candidates.html") { "<img srcset='\(names(100_000, "a 1w, b"))'>" },
        Page(name: "sources.html") {
            repeated("http: ", "<meta http-equiv=content-security-policy content=\"script-src ") + "\">"
        },
        Page(name: "headers.html") { repeated("<th>x", "<table>") },
        // Cells that cover much.
        Page(name: "spans.html") { repeated("<tr><td rowspan=65534 colspan=1000>x", "<table>") },
        Page(name: "tables.html") { repeated("<table><tr><td colspan=1000>x<tr><tr><tr></table>") },
        // Documents that libxml2 parses slowly.
        Page(name: "defaults.xml") {
            "<!DOCTYPE x [" + (0..<20_000).map { "<!ATTLIST x a\($0) CDATA 'v'>" }.joined() + "]><x/>"
        },
        Page(name: "few-defaults.xml") {
            let attributes = (0..<1000).map { "<!ATTLIST x a\($0) CDATA 'v'>" }.joined()
            return "<!DOCTYPE x [\(attributes)]><r>\(repeated("<x/>"))</r>"
        },
        Page(name: "enumeration.xml") {
            "<!DOCTYPE x [<!ATTLIST x n (\((0..<60_000).map { "n\($0)" }.joined(separator: "|"))) #IMPLIED>]><x/>"
        },
        Page(name: "parameters.xml") {
            "<!DOCTYPE x [<!ENTITY % p0 '<!ENTITY x \"y\">'>"
                + (1..<12).map { level in
                    "<!ENTITY % p\(level) '\(String(repeating: "&#37;p\(level - 1);", count: 10))'>"
                }.joined() + "%p11;]><r/>"
        },
    ]

    static let commands: [[String]] = [
        ["url", "--json"], ["report"], ["links"], ["text", "--markdown"], ["tables", "--json"],
        ["select", "*", "--html"], ["select", "//*", "--xpath", "--path"], ["url", "--findings"],
        ["extract", "-e", "a[]=a"],
    ]

    /// Each command on each page: some of the pairs, so that all commands and all pages are met.
    static let pairs: [(Page, [String])] = pages.enumerated().flatMap { index, page in
        (0..<3).map { (page, commands[(index + 3 * $0) % commands.count]) }
    }

    @Test(.timeLimit(.minutes(20)), arguments: pairs)
    func aCommandEndsWithItsTimeAndWithinMemory(page: Page, command: [String]) async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent(page.name)
            let text = page.text()
            try text.write(to: file, atomically: true, encoding: .utf8)
            var arguments = command
            arguments.insert(file.path, at: command[0] == "select" ? 2 : 1)
            let cost = try await MeasuredCommand.run(
                "webinspect",
                arguments + ["--no-store", "--max-time", "1", "--base-url", "http://a/"]
            )
            // One that does not end is killed.
            #expect(cost.status < 10, "\(cost)")
            guard !Sanitizer.ownsMemory else { return }
            #expect(cost.peakMemory > 1 << 20, "not measured")
            // A debug build takes some more by itself.
            #expect(cost.peakMemory < 80 << 20 + 40 * text.utf8.count, "\(cost)")
        }
    }

    // MARK: - The clock of the command

    @Test(.timeLimit(.minutes(20)))
    func timeForTheCommandCoversItsInput() async throws {
        let outcome = try await Command.shell(Self.endlessInput)
        #expect(outcome.status == 6)
        #expect(outcome.errors.contains("(limit.time)"))
        #expect(outcome.text.contains(#""code":"limit.time""#))
    }

    private static let endlessInput = "sleep 30 | $WEBINSPECT - --json --max-time 0.2"

    @Test(.timeLimit(.minutes(20)))
    func timeForTheCommandCoversItsOutput() async throws {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("x.html")
            try Self.repeated("<a href=a>x</a>").write(to: file, atomically: true, encoding: .utf8)
            // Nobody reads: what a pipe holds is 64 KiB.
            let line =
                "{ $WEBINSPECT links \(file.path) --base-url http://a/ --max-time 0.5; echo $? >&2; } | sleep 3"
            let outcome = try await Command.shell(line)
            #expect(outcome.errors.hasSuffix("6\n"))
            #expect(outcome.errors.contains("(limit.time)"))
        }
    }
}

extension Command {
    /// Runs a shell in whose lines `$WEBINSPECT` is the executable.
    fileprivate static func shell(_ line: String) async throws -> Outcome {
        try await run(
            "/bin/bash",
            ["-c", line],
            environment: ["WEBINSPECT": try file("webinspect").path],
            seconds: 50
        )
    }
}
