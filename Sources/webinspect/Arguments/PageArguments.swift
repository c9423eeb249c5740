import ArgumentParser
import WebLoader

/// The flags of every command that loads a page and parses it.
struct PageArguments: FlagGroup {
    static let flags = LoadingArguments.flags + CommandFlag.content + CommandFlag.rendering
    var given = GivenFlags(flags)

    /// The options of a command that has other flags besides.
    func options(and others: [GivenFlags] = []) throws(Failure) -> LoadingOptions {
        try LineOptions([], [given] + others).loading
    }
}

extension CommandFlag {
    /// The flags about type, encoding and parsing.
    static let content: [CommandFlag] = [
        .value("--base-url", value: "url", help: "The URL that references are relative to.") {
            $0.loading.baseURL = $1
        },
        .value("--mime", value: "type", help: "The MIME type, overriding the server's.") {
            $0.loading.mimeType = $1
        },
        .value("--encoding", value: "label", help: "The encoding, overriding the server's.") {
            $0.loading.encoding = $1
        },
        .value(
            "--parser",
            default: HTMLParserKind.html5.rawValue,
            help: "The parser for HTML: \(HTMLParserKind.allCases.map(\.rawValue).joined(separator: ", ")).",
            choices: { HTMLParserKind.allCases.map(\.rawValue) },
            read: LoadingOptions.parser
        ) { $0.loading.parser = $1 },
        .value("--max-depth", value: "n", help: "Maximum nesting depth of elements (512).") {
            (line, text) throws(Failure) in
            line.loading.maximumDepth = try LoadingOptions.count("--max-depth", text)
        },
        .value("--max-nodes", value: "n", help: "Maximum number of nodes (5000000).") {
            (line, text) throws(Failure) in
            line.loading.maximumNodes = try LoadingOptions.count("--max-nodes", text)
        },
        .value(
            "--max-tree-memory",
            value: "bytes",
            help: "Maximum memory for a tree (24M plus 32 times the page).",
            read: LoadingOptions.size
        ) { $0.loading.maximumTreeMemory = $1 },
    ]
}
