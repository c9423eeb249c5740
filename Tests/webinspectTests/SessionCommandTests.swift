import Foundation
import TestSupport
import Testing

/// A session as a script runs it.
@Suite(.timeLimit(.minutes(20)))
struct SessionCommandTests {
    /// A page may make any field one that takes files.
    @Test(arguments: [("note.txt", Int32(2)), ("./note.txt", 0), ("", 0)])
    func aWordIsNoFile(_ value: String, _ status: Int32) async throws {
        try await withTemporaryFolder { folder in
            try Data("secret".utf8).write(to: folder.appending(path: "note.txt"))
            try Data("<form><input type=file name=user></form>".utf8).write(
                to: folder.appending(path: "page.html")
            )
            let outcome = try await Command.run(
                "webinspect",
                ["session"],
                input: Data("open page.html\nfill user \(value)\nforms\n".utf8),
                folder: folder
            )
            #expect(outcome.status == status, "\(outcome.errors)")
            #expect(outcome.errors.contains("(form.value)") == (status != 0))
            #expect(outcome.text.contains("note.txt") == (value == "./note.txt"), "\(outcome.text)")
        }
    }
}
