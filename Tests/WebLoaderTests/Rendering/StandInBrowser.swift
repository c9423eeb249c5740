import Foundation
import TestSupport
import Testing

@testable import WebRendering

/// A script in place of a browser, and what it has and says.
struct StandInBrowser {
    let process: BrowserProcess

    /// Starts a script in a folder, in which its own folder is made too.
    ///
    /// - Parameters:
    ///   - script: The script that the shell, or the interpreter, runs.
    ///   - interpreter: The path of the interpreter.
    ///   - flags: Its last arguments.
    ///   - folder: The folder.
    /// - Returns: The stand-in, which runs.
    /// - Throws: ``RenderingError``, or the error of writing the script.
    static func start(
        _ script: String,
        by interpreter: String = "/bin/sh",
        flags: [String] = [],
        in folder: URL
    ) async throws -> StandInBrowser {
        let file = folder.appendingPathComponent("browser-\(UUID().uuidString)")
        // It is closed before anything is started: what is open for writing cannot be run.
        try Data("#!\(interpreter)\n\(script)\n".utf8).write(to: file)
        #expect(unsafe chmod(file.path, 0o700) == 0)
        let program = try BrowserProgram.find(file.path)
        while true {
            let result: Result<BrowserProcess, RenderingError>
            do throws(RenderingError) {
                result = .success(try await BrowserProcess.start(program, flags, in: folder.path))
            } catch {
                result = .failure(error)
            }
            // Another test may have forked a process while it was open, which has not come to its program yet.
            if case .failure(let error) = result, error.message.hasSuffix("Text file busy") { continue }
            return StandInBrowser(process: try result.get())
        }
    }

    /// Returns the next line that it writes to its descriptor 4: up to a line feed, or to its end.
    func line() async -> String {
        let output = process.output
        return await onThread {
            var bytes: [UInt8] = []
            var byte: UInt8 = 0
            while unsafe read(output, &byte, 1) == 1, byte != UInt8(ascii: "\n") { bytes.append(byte) }
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    /// Returns everything that it writes there.
    func text() async -> String {
        var lines: [String] = []
        while true {
            let line = await line()
            if line.isEmpty { return lines.joined(separator: "\n") }
            lines.append(line)
        }
    }

    /// Ends it, and closes the ways to it.
    func end() async {
        await process.ended()
        close(process.input)
        close(process.output)
    }

    /// The folders of browsers in a folder.
    static func folders(in folder: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasPrefix("webinspect-browser-") }
    }
}
