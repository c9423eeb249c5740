import ArgumentParser
import WebLoader

/// The flags of every command that parses a page.
struct ContentArguments: ParsableArguments {
    @Option(help: ArgumentHelp("The URL that references are relative to.", valueName: "url"))
    var baseURL: String?

    @Option(
        name: .customLong("mime"),
        help: ArgumentHelp("The MIME type, overriding the server's.", valueName: "type")
    )
    var mimeType: String?

    @Option(help: ArgumentHelp("The encoding, overriding the server's.", valueName: "label"))
    var encoding: String?

    @Option(
        help:
            "The parser for HTML: \(HTMLParserKind.allCases.map(\.rawValue).joined(separator: ", ")).",
        completion: .list(HTMLParserKind.allCases.map(\.rawValue))
    )
    var parser = HTMLParserKind.html5.rawValue

    @Option(
        name: .customLong("max-depth"),
        help: ArgumentHelp("Maximum nesting depth of elements (512).", valueName: "n")
    )
    var maximumDepth: String?

    @Option(
        name: .customLong("max-nodes"),
        help: ArgumentHelp("Maximum number of nodes (5000000).", valueName: "n")
    )
    var maximumNodes: String?

    @Option(
        name: .customLong("max-tree-memory"),
        help: ArgumentHelp("Maximum memory for a tree (24M plus 32 times the page).", valueName: "bytes")
    )
    var maximumTreeMemory: String?

    /// Adds the flags' values to the options.
    func set(_ options: inout LoadingOptions) throws(Failure) {
        options.baseURL = baseURL
        options.mimeType = mimeType
        options.encoding = encoding
        options.parser = try LoadingOptions.parser(parser)
        options.maximumDepth = try maximumDepth.map { (text) throws(Failure) in
            try LoadingOptions.count("--max-depth", text)
        }
        options.maximumNodes = try maximumNodes.map { (text) throws(Failure) in
            try LoadingOptions.count("--max-nodes", text)
        }
        options.maximumTreeMemory = try maximumTreeMemory.map(LoadingOptions.size)
    }
}
