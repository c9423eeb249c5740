public import Foundation
import Glibc

/// An executable that runs, and whose output is read meanwhile.
public struct RunningCommand: Sendable {
    /// Its process.
    public let program: StartedProgram

    private let time: DispatchTime
    private let written: Task<Void, Never>
    private let output, errors: Task<(data: Data, isWhole: Bool), Never>

    /// Starts an executable of the package, or one by its path.
    ///
    /// - Throws: An error, if there is no such program.
    public init(
        _ name: String,
        _ arguments: [String],
        input: Data = Data(),
        environment: [String: String] = [:],
        folder: URL? = nil,
        seconds: Double = 300
    ) throws {
        let time = DispatchTime.now() + seconds
        let (standardInput, output, errors) = (try PipeEnds(), try PipeEnds(), try PipeEnds())
        let theirs = [standardInput.reading, output.writing, errors.writing]
        defer { theirs.forEach { close($0) } }
        do {
            program = try StartedProgram(
                name,
                arguments,
                descriptors: theirs,
                environment: environment,
                folder: folder
            )
        } catch {
            [standardInput.writing, output.reading, errors.reading].forEach { close($0) }
            throw error
        }
        self.time = time
        // A command may end without having read its input; that is no reason for the tests to end.
        signal(SIGPIPE, SIG_IGN)
        written = Task { await onThread { standardInput.write(input, until: time) } }
        self.output = Task { await onThread { output.read(until: time) } }
        self.errors = Task { await onThread { errors.read(until: time) } }
    }

    /// Waits until it has ended, and nobody writes to its output any more.
    ///
    /// - Throws: An error, if it had to be ended with its group since its seconds were over.
    public func end() async throws -> Command.Outcome {
        let (output, errors) = await (output.value, errors.value)
        await written.value
        let text = String(decoding: errors.data, as: UTF8.self)
        let now = DispatchTime.now()
        let left = now < time ? Double(time.uptimeNanoseconds - now.uptimeNanoseconds) / 1e9 : 0
        guard output.isWhole, errors.isWhole else {
            await program.endGroup()
            throw TestServerError(
                message: "a command went on for too long, and was ended; it had said: \(text.suffix(2000))"
            )
        }
        return Command.Outcome(status: try await program.end(within: left), output: output.data, errors: text)
    }
}
