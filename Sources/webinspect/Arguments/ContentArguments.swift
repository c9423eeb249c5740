import ArgumentParser
import WebLoader

/// The flags of every command that parses a page.
struct ContentArguments: ParsableArguments {
    @Option(help: ArgumentHelp("The URL that references are relative to.", valueName: "url"))
    var baseURL: String?

    @Option(
        name: .customLong("mime"),
        help: ArgumentHelp("The MIME type, whatever the server says.", valueName: "type")
    )
    var mimeType: String?

    @Option(help: ArgumentHelp("The encoding, whatever the server says.", valueName: "label"))
    var encoding: String?

    @Option(
        help:
            "Which parser makes a tree of HTML: \(HTMLParserKind.allCases.map(\.rawValue).joined(separator: ", ")).",
        completion: .list(HTMLParserKind.allCases.map(\.rawValue))
    )
    var parser = HTMLParserKind.html5.rawValue

    @Option(
        name: .customLong("max-depth"),
        help: ArgumentHelp("Elements inside each other at most (512).", valueName: "n")
    )
    var maximumDepth: String?

    @Option(name: .customLong("max-nodes"), help: ArgumentHelp("Nodes at most (5000000).", valueName: "n"))
    var maximumNodes: String?

    @Option(
        name: .customLong("max-tree-memory"),
        help: ArgumentHelp("Memory at most for a tree (24M and 32 times the page).", valueName: "bytes")
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
