import Foundation
import TestSupport
import Testing

@testable import WebRendering

struct BrowserProgramTests {
    /// Files in a folder, which can be run.
    private func install(_ names: String..., in folder: URL) throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for name in names {
            let path = folder.appendingPathComponent(name).path
            #expect(FileManager.default.createFile(atPath: path, contents: nil))
            #expect(unsafe chmod(path, 0o755) == 0)
        }
    }

    @Test func thatOfAPathComesBeforeTheVariableAndThatBeforeWhatIsInstalled() async throws {
        try await withTemporaryFolder { folder in
            try install("chromium", "mine", "theirs", in: folder)
            var variables = ["PATH": folder.path]
            func path(_ named: String? = nil) throws -> String {
                try BrowserProgram.find(named) { variables[$0] }.path
            }
            #expect(try path() == folder.path + "/chromium")
            variables["WEBINSPECT_BROWSER"] = ""
            #expect(try path() == folder.path + "/chromium")
            variables["WEBINSPECT_BROWSER"] = folder.path + "/theirs"
            #expect(try path() == folder.path + "/theirs")
            #expect(try path(folder.path + "/mine") == folder.path + "/mine")
            #expect(try path("mine") == folder.path + "/mine")
        }
    }

    @Test func theOrderIsThatOfTheNamesAndThenThatOfTheFolders() async throws {
        try await withTemporaryFolder { folder in
            let (one, other) = (folder.appendingPathComponent("1"), folder.appendingPathComponent("2"))
            try install("headless_shell", "google-chrome", in: one)
            try install("chromium-browser", "google-chrome", in: other)
            let path = "\(one.path):\(other.path)"
            func found() throws -> String { try BrowserProgram.find { $0 == "PATH" ? path : nil }.path }
            #expect(try found() == other.path + "/chromium-browser")
            try FileManager.default.removeItem(at: other.appendingPathComponent("chromium-browser"))
            #expect(try found() == one.path + "/google-chrome")
        }
    }

    @Test func aPathFromTheFolderOfTheMomentIsOneFromTheRoot() throws {
        let folder = FileManager.default.currentDirectoryPath
        let up = String(repeating: "../", count: folder.split(separator: "/").count)
        let program = try BrowserProgram.find(up + "bin/sh") { _ in nil }
        #expect(program.path == "\(folder)/\(up)bin/sh")
    }

    @Test func whereNoneIsTheErrorSaysWhatWasLookedForAndWhatToInstall() async throws {
        try await withTemporaryFolder { folder in
            // A file that cannot be executed is not a program, and neither is a folder, nor a file outside of the
            // list's folders.
            try Data().write(to: folder.appendingPathComponent("chromium"))
            try FileManager.default.createDirectory(
                at: folder.appendingPathComponent("chrome"),
                withIntermediateDirectories: true
            )
            let error = #expect(throws: RenderingError.self) {
                try BrowserProgram.find { $0 == "PATH" ? "\(folder.path)::." : nil }
            }
            #expect(error?.code == .unavailable)
            let message = try #require(error?.message)
            for name in BrowserProgram.names { #expect(message.contains(name)) }
            #expect(message.contains("apt install chromium"))
        }
    }

    @Test(arguments: ["/no/such/browser", "/etc/passwd", "/tmp", "no-such-browser", ""])
    func whatIsNoProgramIsUnavailable(path: String) {
        let error = #expect(throws: RenderingError.self) { try BrowserProgram.find(path) }
        #expect(error?.code == .unavailable)
        #expect(throws: RenderingError.self) { try BrowserProgram.find(path + "\0") }
        guard !path.isEmpty else { return }
        #expect(throws: RenderingError.self) {
            try BrowserProgram.find { $0 == "WEBINSPECT_BROWSER" ? path : nil }
        }
    }
}
