import Foundation
import TestSupport

@testable import WebDocument

/// A CommonMark reader of another project: Debian's cmark-gfm, with all extensions that GitHub enables.
///
/// The program is used and not its library: nothing is linked, and the script that reads whole folders runs the same
/// program.
enum MarkdownReader {
    private static let program = "/usr/bin/cmark-gfm"

    static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

    private static let extensions = ["table", "strikethrough", "autolink", "tasklist", "footnotes"]

    /// Returns the HTML for Markdown, including HTML that is in the Markdown.
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
