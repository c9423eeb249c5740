import ArgumentParser
import WebLoader

/// The flags of every command that makes a page of what it has loaded.
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
            "Which parser makes a tree of HTML: \(HTMLParserChoice.allCases.map(\.rawValue).joined(separator: ", ")).",
        completion: .list(HTMLParserChoice.allCases.map(\.rawValue))
    )
    var parser = HTMLParserChoice.html5.rawValue

    /// Adds what they say to the options.
    func set(_ options: inout LoadingOptions) throws(Failure) {
        options.baseURL = baseURL
        options.mimeType = mimeType
        options.encoding = encoding
        options.parser = try LoadingOptions.parser(parser)
    }
}
