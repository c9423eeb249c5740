import TestSupport
import Testing

/// A command that causes an error of docs/exit-codes.md.
struct Provocation: CustomTestStringConvertible, Sendable {
    let code: String
    /// The line that bash runs, in a folder of its own: `$SERVER` is the server's URL, `$BIN` the folder of the
    /// programs.
    let line: String
    /// The server's response to each request.
    var answer: [RawServer.Step] = []
    /// The fields of `recipe.yaml`, in YAML.
    var recipe: String?

    var testDescription: String { "\(code): \(line)" }
}

extension Provocation {
    private static let redirect = "HTTP/1.1 302 Found\r\nConnection: close\r\nContent-Length: 0\r\nLocation: "
    private static let ok = "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/html\r\n"
    private static let extract = "webinspect extract -r recipe.yaml 'data:text/html,<h1>x</h1>'"
    private static let crawl = "webinspect extract -r recipe.yaml $SERVER"
    private static let pixel = "'data:image/png;base64,iVBORw0KGgo='"

    /// Opens a page in a session, and does something there.
    private static func session(_ html: String, _ command: String) -> String {
        "printf 'open data:text/html,\(html)\\n\(command)\\n' | webinspect session"
    }

    /// Makes a WARC of one record: a body in a coding that it is not in, or a revisit of what is not there.
    private static func archive(_ kind: String, _ fields: String, _ block: String) -> String {
        let head =
            "WARC/1.1\\r\\nWARC-Type: \(kind)\\r\\nWARC-Record-ID: <urn:uuid:1>\\r\\nWARC-Date: 2024-01-01T00:00:00Z\\r\\n"
        let rest =
            "WARC-Target-URI: http://a.test/\\r\\nContent-Type: application/http; msgtype=response\\r\\n\(fields)"
        // Of each escape a byte is left.
        let length = block.replacing(/\\\\(?:[rn]|[0-7]{3})/, with: "x").utf8.count
        return "printf '\(head)\(rest)Content-Length: \(length)\\r\\n\\r\\n\(block)\\r\\n\\r\\n' > a.warc; "
    }

    private static let damagedBody = archive(
        "response",
        "",
        "HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\nContent-Encoding: gzip\\r\\n\\r\\n\\037\\213\\010\\000xxxxxxxxxxxx"
    )
    private static let lostOriginal = archive(
        "revisit",
        "WARC-Refers-To: <urn:uuid:2>\\r\\n",
        "HTTP/1.1 200 OK\\r\\n\\r\\n"
    )
    private static let wholeBody = archive(
        "response",
        "",
        "HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\n\\r\\nabc"
    )

    static let all: [Provocation] = [
        Provocation(code: "watch.invalid", line: "echo 'x: 1' > pages; webinspect watch pages"),
        Provocation(code: "form.missing", line: session("x", "fill a b")),
        Provocation(code: "form.value", line: session("<form><input type=number name=a></form>", "fill a b")),
        Provocation(code: "form.invalid", line: session("<form><input name=a required></form>", "submit")),
        Provocation(code: "form.unsent", line: session("<form method=dialog></form>", "submit")),
        Provocation(
            code: "form.limit",
            line: "(echo '<form>'; yes '<input><button></button>' | head -40000) > p.html; "
                + "printf 'open p.html\\nsubmit\\n' | webinspect session"
        ),
        Provocation(code: "session.empty", line: "echo title | webinspect session"),
        Provocation(code: "session.link", line: session("x", "follow 1")),
        Provocation(code: "session.nowhere", line: session("x", "back")),
        Provocation(code: "find.none", line: session("x", "find y")),
        Provocation(code: "select.none", line: session("x", "select h1")),
        Provocation(code: "sitemap.kind", line: "webinspect sitemap /dev/null"),
        Provocation(
            code: "sitemap.limit",
            line: "echo $'http://a.test/1\nhttp://a.test/2' | webinspect sitemap - --max-urls 1"
        ),
        Provocation(code: "archive.format", line: "webinspect archive ls /dev/null"),
        Provocation(code: "archive.miss", line: "\(wholeBody)webinspect http://b.test/ --from a.warc"),
        Provocation(
            code: "archive.body-missing",
            line: "\(lostOriginal)webinspect http://a.test/ --from a.warc"
        ),
        Provocation(code: "archive.body", line: "\(damagedBody)webinspect http://a.test/ --from a.warc"),
        Provocation(
            code: "limit.archive",
            line: "\(wholeBody)webinspect archive extract a.warc -o out --max-size 2"
        ),
        Provocation(
            code: "limit.record",
            line: "webinspect fetch \"$SERVER?$(printf %070000d 0)\" --record a.warc",
            answer: [.send("\(ok)Content-Length: 0\r\n\r\n")]
        ),
        Provocation(code: "file.write", line: "\(wholeBody)webinspect archive extract a.warc -o a.warc"),
        Provocation(code: "request.invalid", line: "webinspect fetch http://127.0.0.1:1/ --method 'G E T'"),
        Provocation(code: "url.unsupported", line: "webinspect ftp://127.0.0.1/"),
        Provocation(
            code: "network.redirect",
            line: "webinspect $SERVER",
            answer: [.send("\(redirect)ftp://127.0.0.1/\r\n\r\n")]
        ),
        Provocation(code: "network.dns", line: "webinspect http://nothing.invalid/"),
        Provocation(code: "network.connect", line: "webinspect http://127.0.0.1:1/"),
        Provocation(
            code: "network.lost",
            line: "webinspect $SERVER",
            answer: [.send("\(ok)Content-Length: 100\r\n\r\nno more")]
        ),
        Provocation(
            code: "network.timeout",
            line: "webinspect $SERVER --timeout 0.3",
            answer: [.pause(seconds: 60)]
        ),
        // The server waits for the end of a request's fields, and TLS has none.
        Provocation(
            code: "network.timeout.connect",
            line: "webinspect ${SERVER/http/https} --connect-timeout 0.3"
        ),
        Provocation(
            code: "network.timeout.total",
            line: "webinspect $SERVER --max-time 0.3",
            answer: [.pause(seconds: 60)]
        ),
        Provocation(
            code: "network.protocol",
            line: "webinspect $SERVER",
            answer: [.send("\(ok)Content-Length: much\r\n\r\n")]
        ),
        Provocation(
            code: "network.decoding",
            line: "webinspect $SERVER",
            answer: [.send("\(ok)Content-Encoding: gzip\r\n\r\nnot compressed")]
        ),
        Provocation(
            code: "network.too-many-redirects",
            line: "webinspect $SERVER --max-redirs 2",
            answer: [.send("\(redirect)/\r\n\r\n")]
        ),
        // The first file that is found is not a library.
        Provocation(
            code: "network.unavailable",
            line:
                "for i in '' -gnutls; do echo > libcurl$i.so.4; done; LD_LIBRARY_PATH=. webinspect http://127.0.0.1:1/"
        ),
        Provocation(
            code: "limit.size",
            line: "webinspect $SERVER --max-filesize 4",
            answer: [.send("\(ok)\r\nfive.")]
        ),
        Provocation(
            code: "limit.headers",
            line: "webinspect $SERVER",
            answer: [.send(ok), .sendRepeatedly("X: \(String(repeating: "x", count: 1000))\r\n", times: 300)]
        ),
        Provocation(
            code: "limit.fields",
            line: "webinspect $SERVER",
            answer: [.send(ok), .sendRepeatedly("X: x\r\n", times: 1100), .send("\r\n")]
        ),
        Provocation(
            code: "limit.interim",
            line: "webinspect $SERVER",
            answer: [.sendRepeatedly("HTTP/1.1 103 Early Hints\r\n\r\n", times: 20), .send("\(ok)\r\n")]
        ),
        Provocation(code: "cache.miss", line: "webinspect http://127.0.0.1:1/ --cache-only"),
        Provocation(code: "file.not-found", line: "webinspect none.html"),
        Provocation(code: "file.directory", line: "webinspect ."),
        // Even the superuser, without the capabilities to read what is not to be read.
        Provocation(
            code: "file.permission",
            line: """
                echo x > x.html; chmod 000 x.html
                [ "$(id -u)" != 0 ] || as="setpriv --bounding-set -dac_override,-dac_read_search"
                $as webinspect x.html
                """
        ),
        Provocation(code: "file.path", line: "webinspect file://host/x"),
        Provocation(code: "file.unreadable", line: "webinspect /proc/self/mem"),
        Provocation(
            code: "limit.attributes",
            line: "(printf '<x'; printf ' a%d=\"\"' {1..5000}; echo '/>') > x.xml; webinspect x.xml"
        ),
        Provocation(code: "parse.xml", line: "webinspect 'data:text/xml,<'"),
        Provocation(code: "limit.depth", line: "webinspect 'data:text/html,<p><b><i>x' --max-depth 2"),
        Provocation(code: "limit.nodes", line: "webinspect 'data:text/html,<p>x' --max-nodes 3"),
        Provocation(
            code: "limit.time",
            line: "yes '<p>text' | head -c 30000000 > x.html; webinspect x.html --max-time 0.01 -o /dev/null"
        ),
        Provocation(
            code: "limit.formatting",
            line: """
                (printf '<p>'; printf '<b id=%d>' {1..600}; echo '</p><p>x') > x.html
                webinspect x.html --max-depth 5000
                """
        ),
        Provocation(
            code: "limit.entities",
            line: """
                (echo '<!DOCTYPE x [<!ENTITY a0 "aaaaaaaaaa">'
                for i in {1..12}; do a="&a$((i - 1));"; echo "<!ENTITY a$i \\"$a$a$a$a$a$a$a$a$a$a\\">"; done
                echo ']><x>&a12;</x>') > x.xml; webinspect x.xml
                """
        ),
        Provocation(
            code: "limit.declarations",
            line:
                "webinspect \"data:text/xml,<!DOCTYPE x [<!ENTITY %25 p '<!ENTITY a \\\"b\\\">'>%25p;]><x/>\""
        ),
        Provocation(
            code: "limit.inspection",
            line: """
                (printf "<base href='http://h/"; yes b | head -c 800000 | tr -d '\\n'; echo "/'>"
                yes '<a href=a>b</a>' | head -c 100000) > x.html; webinspect links x.html -o /dev/null
                """
        ),
        Provocation(code: "selector.invalid", line: "webinspect select '[' 'data:text/html,x'"),
        Provocation(
            code: "selector.limit",
            line:
                "webinspect select \"$(printf ':not(%.0s' {1..40})a$(printf ')%.0s' {1..40})\" 'data:text/html,x'"
        ),
        Provocation(code: "xpath.invalid", line: "webinspect select --xpath '//[' 'data:text/html,x'"),
        Provocation(
            code: "xpath.limit",
            line:
                "webinspect select --xpath \"$(printf '(%.0s' {1..200})1$(printf ')%.0s' {1..200})\" 'data:text/html,x'"
        ),
        Provocation(code: "select.type", line: "webinspect select h1 \(pixel)"),
        Provocation(
            code: "budget.time",
            line: "\(extract) --budget-time 200ms",
            recipe: "{a: {script: 'while true do end'}}"
        ),
        Provocation(code: "rule.invalid", line: extract, recipe: "{a: '['}"),
        Provocation(code: "rule.failed", line: extract, recipe: "{a: {script: 'error(1)'}}"),
        Provocation(code: "rule.drift", line: extract, recipe: "{a: {select: h2, required: true}}"),
        Provocation(
            code: "budget.memory",
            line: "\(extract) --budget-memory 1MB",
            recipe: "{a: {script: 'return string.rep(\"x\", 100000000)'}}"
        ),
        Provocation(
            code: "budget.output",
            line: extract,
            recipe: "{a: {const: x, transform: [{repeat: 2000000}]}}"
        ),
        Provocation(
            code: "budget.log",
            line: extract,
            recipe: "{a: {script: 'for i = 1, 10000 do log(string.rep(\"x\", 100)) end'}}"
        ),
        Provocation(
            code: "budget.pages",
            line: crawl,
            answer: [
                .send("\(ok)\r\n"), .send((1...150).map { "<a href=\($0)>\($0)</a>" }.joined()),
            ],
            recipe: "{a: {select: a, all: true, follow: {pages: 150, fields: {b: title}}}}"
        ),
        Provocation(
            code: "budget.depth",
            line: crawl,
            answer: [.send("\(ok)\r\n<a href=x/>deeper</a>")],
            recipe: "{a: {select: a, follow: {depth: 50, pages: 50, fields: {b: title}}}}"
        ),
        // A program that begins, and dies.
        Provocation(
            code: "worker.crash",
            line: """
                cp $BIN/webinspect . && printf '#!/bin/sh\\nkill -SEGV $$\\n' > webinspect-worker && chmod +x webinspect-worker
                ./\(extract)
                """,
            recipe: "{a: h1}"
        ),
        Provocation(
            code: "worker.unavailable",
            line: "cp $BIN/webinspect . && ./\(extract)",
            recipe: "{a: h1}"
        ),
        Provocation(
            code: "serve.unavailable",
            line: "cp $BIN/webinspect . && ./webinspect serve --cache-dir c"
        ),
        Provocation(
            code: "render.unavailable",
            line: "WEBINSPECT_BROWSER=/no/such/browser webinspect data:text/html,x --render"
        ),
        Provocation(
            code: "serve.port",
            line: "port=${SERVER##*:}; webinspect serve --port ${port%%/*} --cache-dir c"
        ),
        Provocation(code: "url.invalid", line: "webinspect 'http://[/'"),
        Provocation(code: "url.data", line: "webinspect 'data:no comma'"),
        Provocation(code: "usage", line: "webinspect --unknown"),
        Provocation(
            code: "copy.empty",
            line: "webinspect save 'data:text/html,<p>x' -o x.html --select table"
        ),
        Provocation(code: "parse.kind", line: "webinspect \(pixel) --format html"),
        Provocation(code: "config.invalid", line: "echo 'timeot: 1' > .webinspect.yml; webinspect data:,x"),
        Provocation(code: "findings", line: "webinspect 'data:text/html,x' --fail-on note"),
        Provocation(
            code: "http.status",
            line: "webinspect $SERVER --fail",
            answer: [.send("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n")]
        ),
        Provocation(
            code: "input.line",
            line: "head -c 68000000 /dev/zero | tr '\\0' x | webinspect resolve --jsonl"
        ),
        Provocation(code: "system.descriptors", line: "ulimit -n 8; exec webinspect data:,x"),
        Provocation(code: "file.write", line: "webinspect data:,x -o /nowhere/at/all"),
    ]
}
