import ArgumentParser
import WebLoader

/// `webinspect resolve REF --base-url U`: resolves a reference as a browser does.
struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Resolve a reference to an absolute URL, offline, as a browser does.",
        discussion: """
            With --jsonl it reads lines as {"id":1,"input":"../x","base":"https://example.com/a/"} and answers each \
            with {"id":1,"href":"https://example.com/x"} or {"id":1,"failure":true,"reason":"..."}. The base may be \
            null or missing; then --base-url is used, if given.

            Examples:
              webinspect resolve ../x --base-url https://example.com/a/b
              webinspect resolve --jsonl < references.jsonl
            """
    )

    @Argument(help: ArgumentHelp("The reference; absolute unless there is a base.", valueName: "ref"))
    var reference: String?

    @Option(help: ArgumentHelp("The URL that it is relative to.", valueName: "url"))
    var baseURL: String?

    @Flag(help: "Read lines of JSON from standard input and answer each with one line.")
    var jsonl = false

    @Flag(help: "Write one JSON document.")
    var json = false

    func run() async throws {
        var base: WebURL?
        if let baseURL { base = try Source.parse(baseURL) }
        switch (jsonl, reference) {
        case (true, nil): try Self.answerLines(base)
        case (false, let reference?): try answer(reference, base)
        case (true, .some): throw Failure(usage: "--jsonl", "reads its references from standard input")
        case (false, nil): throw Failure(usage: "resolve", "a reference or --jsonl is missing")
        }
    }

    private func answer(_ reference: String, _ base: WebURL?) throws(Failure) {
        let url: WebURL
        do throws(WebURLError) {
            url = try WebURL(reference, base: base)
        } catch {
            throw Failure(
                usage: Source.redacted(reference),
                "not a URL: \(error)",
                code: "url.invalid",
                nsURLErrorCode: -1000
            )
        }
        let document: JSONValue = ["schema": .integer(PageReport.version), "href": .string(url.href)]
        try Output.write(json ? document.line : Array("\(url.href)\n".utf8))
    }

    // MARK: - Lines

    /// Answers the lines of standard input as soon as they arrive, so that a program can wait for each
    /// answer.
    private static func answerLines(_ base: WebURL?) throws(Failure) {
        var input = LineReader()
        while let lines = try input.next() {
            var output: [UInt8] = []
            for line in lines where !line.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) {
                output += answer(line, base).serialized()
                output.append(0x0A)
            }
            try Output.write(output)
        }
    }

    private static func answer(_ line: ArraySlice<UInt8>, _ base: WebURL?) -> JSONValue {
        let request: JSONValue
        do throws(JSONValue.ParsingError) {
            request = try JSONValue(parsing: line)
        } catch {
            return failure(.null, "not JSON: column \(error.column): \(error.message)")
        }
        let id = request["id"] ?? .null
        guard let input = request["input"]?.string else { return failure(id, "no \"input\"") }
        var base = base
        switch request["base"] {
        case nil, .null?: break
        case .string(let text)?:
            do throws(WebURLError) {
                base = try WebURL(text)
            } catch {
                return failure(id, "the base is not a valid URL: \(error)")
            }
        default: return failure(id, "\"base\" is not a string")
        }
        do throws(WebURLError) {
            return ["id": id, "href": .string(try WebURL(input, base: base).href)]
        } catch {
            return failure(id, "\(error)")
        }
    }

    private static func failure(_ id: JSONValue, _ reason: String) -> JSONValue {
        ["id": id, "failure": true, "reason": .string(reason)]
    }
}
