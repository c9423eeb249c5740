public import Foundation

/// Runs the package's executables, as built beside the tests.
public struct Command {
    /// The outcome of a run.
    public struct Outcome: Sendable {
        /// The exit status, or 128 and the signal.
        public let status: Int32
        /// The bytes that were written to stdout.
        public let output: Data
        /// The text that was written to stderr.
        public let errors: String

        /// The standard output as text.
        public var text: String { String(decoding: output, as: UTF8.self) }

        /// Returns the standard output as a JSON object.
        public func json() throws -> [String: Any] {
            guard let object = try JSONSerialization.jsonObject(with: output) as? [String: Any] else {
                throw TestServerError(message: "stdout is no JSON object")
            }
            return object
        }
    }

    /// Returns the file of an executable of the package.
    ///
    /// It is in the folder that `WEBLOADER_BINARIES` names, which is where the gate has the release, or else was built
    /// beside the tests.
    public static func file(_ name: String) throws -> URL {
        if let named = ProcessInfo.processInfo.environment["WEBLOADER_BINARIES"] {
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

    /// So many run at once; each has three descriptors here.
    private static let turns = Turns(32)

    /// Runs an executable of the package, or one by its path, to its end.
    ///
    /// - Throws: An error, if there is no such program, or if it had to be ended with its group after so many seconds.
    public static func run(
        _ name: String,
        _ arguments: [String],
        input: Data = Data(),
        environment: [String: String] = [:],
        folder: URL? = nil,
        seconds: Double = 300
    ) async throws -> Outcome {
        await turns.begin()
        defer { turns.end() }
        return try await RunningCommand(
            name,
            arguments,
            input: input,
            environment: environment,
            folder: folder,
            seconds: seconds
        ).end()
    }
}
