public import Foundation

/// Runs the package's executables, as built beside the tests.
public struct Command {
    /// What a run left behind.
    public struct Outcome: Sendable {
        /// The exit status, or 128 and the signal.
        public let status: Int32
        /// What was written to stdout.
        public let output: Data
        /// What was written to stderr.
        public let errors: String

        /// What was written to stdout, as text.
        public var text: String { String(decoding: output, as: UTF8.self) }

        /// What was written to stdout, as a JSON object.
        public func json() throws -> [String: Any] {
            guard let object = try JSONSerialization.jsonObject(with: output) as? [String: Any] else {
                throw TestServerError(message: "stdout is no JSON object")
            }
            return object
        }
    }

    /// The file of an executable of the package: what stands in the folder that `WEBINSPECT_BINARIES` names, which is where the gate has
    /// the release, else what was built beside the tests.
    public static func file(_ name: String) throws -> URL {
        if let named = ProcessInfo.processInfo.environment["WEBINSPECT_BINARIES"] {
            let file = URL(fileURLWithPath: named).appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: file.path) { return file }
        }
        let tests = URL(
            fileURLWithPath: try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        )
        var folder = tests.deletingLastPathComponent()
        while folder.path != "/" {
            let file = folder.appendingPathComponent(name)
            if FileManager.default.isExecutableFile(atPath: file.path) { return file }
            folder.deleteLastPathComponent()
        }
        throw TestServerError(message: "\(name) is not built beside the tests")
    }

    /// So many run at once; each has six descriptors here.
    private static let turns = Turns(32)

    /// Runs an executable to its end; after `seconds` it is ended, which shows as a signal.
    public static func run(
        _ name: String,
        _ arguments: [String],
        input: Data = Data(),
        environment: [String: String] = [:],
        folder: URL? = nil,
        seconds: Double = 300
    ) async throws -> Outcome {
        let process = Process()
        process.executableURL = name.hasPrefix("/") ? URL(fileURLWithPath: name) : try file(name)
        process.arguments = arguments
        process.currentDirectoryURL = folder
        process.environment = ProcessInfo.processInfo.environment
            .merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }.merging(environment) { $1 }
        // Where a process has some 1,300 descriptors, Foundation reads beyond the list of them when it starts another.
        await turns.begin()
        defer { turns.end() }
        let (standardInput, output, errors) = (Pipe(), Pipe(), Pipe())
        process.standardInput = standardInput
        process.standardOutput = output
        process.standardError = errors
        // A command may end without having read its input; that is no reason for the tests to end.
        signal(SIGPIPE, SIG_IGN)
        try process.run()
        let watchdog = Task {
            try await Task.sleep(for: .seconds(seconds))
            process.terminate()
        }
        async let written: Void = onThread {
            // Its input may go unread.
            try? standardInput.fileHandleForWriting.write(contentsOf: input)
            try? standardInput.fileHandleForWriting.close()
        }
        async let outputData = onThread { output.fileHandleForReading.readDataToEndOfFile() }
        async let errorData = onThread { errors.fileHandleForReading.readDataToEndOfFile() }
        let (data, errorText) = await (outputData, String(decoding: errorData, as: UTF8.self))
        await written
        await onThread { process.waitUntilExit() }
        watchdog.cancel()
        let status = process.terminationStatus + (process.terminationReason == .uncaughtSignal ? 128 : 0)
        return Outcome(status: status, output: data, errors: errorText)
    }
}
