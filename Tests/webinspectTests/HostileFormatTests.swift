import Foundation
import TestSupport
import Testing
import WebLoader

/// Documents that are made of a page's texts, read by readers of their formats: whatever a text says, it stays text.
///
/// A page is written twice, the second time with letters for all that could mean something. Apart from texts, readers
/// have to find the same.
@Suite(.timeLimit(.minutes(20)))
struct HostileFormatTests {
    private static let words = [
        "</title></textarea></script></style><script>x</script>", "--><x><!--", "]]><x/><![CDATA[",
        "a<b>c&d\"e'f",
        "&lt;&#60;&#x3c;&quot;", "\" onclick=\"x\" y=\"", "' onclick='x' y='", "`onclick=x`",
        "<?x y?><!DOCTYPE x>",
        "\u{1B}[31mx\u{7F}\u{85}\u{9B}y", "x\u{202E}y\u{2028}z\u{2066}", "x\u{FFFE}y\u{FFFF}z\u{1FFFE}",
        "x\\\"y\\u0000\\",
        "a\u{301}\u{FEFF}b\u{200D}", "javascript:x//", "{{x}}${y}%s%n",
    ]

    /// A page that says a word wherever text can stand.
    private static func page(_ word: String) -> String {
        let text = word.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(
            "\"",
            with: "&quot;"
        )
        let json = word.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing(
            "<",
            with: "\\u003c"
        )
        return """
            <!doctype html><html lang=en><meta charset=utf-8><title>\(text)</title>
            <meta name=description content="\(text)"><meta property="og:title" content="\(text)">
            <meta name=author content="\(text)"><link rel=next href="/\(text)" title="\(text)">
            <script type=application/ld+json>{"@type":"Article","headline":"\(json)"}</script>
            <h1 id=a>\(text)</h1><nav aria-label="\(text)"><a href="/\(text)">\(text)</a></nav><h3>\(text)</h3>
            <img src="/\(text)" alt="\(text)"><img src=b><form action="/\(text)"><input name="n\(text)" value="\(text)">
            <select name=s><option value="\(text)">\(text)</select><textarea name=t>\(text)</textarea></form>
            <div itemscope itemtype="http://schema.org/X"><b itemprop=name>\(text)</b></div>
            <p class=h-card><span class=p-name>\(text)</span></p><p id=a>\(text)<a href="#\(text)">\(text)</a>
            <table><caption>\(text)</caption><tr><th>\(text)<td>\(text)</table>
            """
    }

    /// The same length of letters; what is an error in any page, and reported as one, stays.
    private static func harmless(_ word: String) -> String {
        let scalars = word.unicodeScalars.map { scalar -> Unicode.Scalar in
            let isError =
                scalar.properties.generalCategory == .control || scalar.properties.isNoncharacterCodePoint
            return isError ? scalar : "x"
        }
        return String(String.UnicodeScalarView(scalars))
    }

    /// Returns a command's output for a page that contains a word.
    private func output(_ word: String, _ arguments: [String]) async throws -> String {
        try await withTemporaryFolder { folder in
            let file = folder.appendingPathComponent("page.html")
            try Self.page(word).write(to: file, atomically: true, encoding: .utf8)
            let line =
                arguments.map { $0 == "FILE" ? file.path : $0 } + [
                    "--base-url", "http://h.test/", "--no-store",
                ]
            let outcome = try await Command.run("webinspect", line)
            #expect(outcome.status == 0, "\(outcome.errors)")
            return outcome.text
        }
    }

    @Test(arguments: words)
    func theReportHasTheElementsOfOneOfLetters(word: String) async throws {
        func elements(_ word: String) async throws -> [String] {
            let report = try await output(word, ["report", "FILE"])
            let page = try await PageLoader(configuration: .init()).loadHTMLString(
                report,
                baseURL: .aboutBlank
            ).parsed()
            let document = try #require(page.document)
            return try document.querySelectorAll("*").map { node in
                "\(node.name) \(node.attributes.map(\.name).joined(separator: " "))"
            }
        }
        #expect(try await elements(word) == elements(Self.harmless(word)))
    }

    @Test(arguments: words)
    func findingsForTestRunnersHaveTheElementsOfThoseOfLetters(word: String) async throws {
        func elements(_ word: String) async throws -> [String] {
            let text = try await output(word, ["url", "FILE", "--format", "junit"])
            return try ElementReader.elements(of: text).map {
                "\($0.name) \($0.attributes.keys.sorted().joined(separator: " "))"
            }
        }
        #expect(try await elements(word) == elements(Self.harmless(word)))
    }

    @Test(arguments: words, [["--format", "sarif"], ["--json", "--findings"]])
    func documentsOfJSONHaveTheMembersOfThoseOfLetters(word: String, flags: [String]) async throws {
        func names(_ word: String) async throws -> [String] {
            let text = try await output(word, ["url", "FILE"] + flags)
            return Self.names(try JSONSerialization.jsonObject(with: Data(text.utf8)), "")
        }
        #expect(try await names(word) == names(Self.harmless(word)))
    }

    /// The paths of all members and items of a document.
    private static func names(_ value: Any, _ path: String) -> [String] {
        if let object = value as? [String: Any] {
            return object.sorted { $0.key < $1.key }.flatMap { names($0.value, "\(path).\($0.key)") }
        }
        if let items = value as? [Any] { return items.flatMap { names($0, "\(path)[]") } }
        return [path]
    }
}
