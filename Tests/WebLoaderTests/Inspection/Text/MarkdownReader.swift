import Foundation
import TestSupport

@testable import WebDocument

/// What a CommonMark reader of others makes of Markdown: Debian's cmark-gfm, with all that GitHub switches on.
///
/// It is the program and not its library: nothing is linked, and the script that reads whole folders runs the same.
enum MarkdownReader {
    private static let program = "/usr/bin/cmark-gfm"

    static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

    private static let extensions = ["table", "strikethrough", "autolink", "tasklist", "footnotes"]

    /// The HTML that it makes, with what is HTML in the Markdown.
    static func html(_ markdown: String) async throws -> String {
        let read = try await Command.run(
            program,
            ["--unsafe", "-t", "html"] + extensions.flatMap { ["-e", $0] },
            input: Data(markdown.utf8)
        )
        guard read.status == 0 else { throw TestServerError(message: read.errors) }
        return read.text
    }

    /// The words of text: what stands between characters that are neither letters nor digits.
    static func words(_ text: String) -> [Substring] {
        text.split { !($0.isLetter || $0.isNumber) }
    }
}
