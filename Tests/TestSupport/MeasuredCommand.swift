import Foundation

/// Runs the package's executables to measure their resources; the output does not matter.
public enum MeasuredCommand {
    /// The resources that a run used.
    public struct Cost: Sendable {
        /// The exit status, or 128 and the signal.
        public let status: Int32
        /// The most memory that it had at any time, in bytes.
        public let peakMemory: Int
    }

    /// Runs an executable to its end, its output thrown away; again, if it had ended before it was looked at.
    ///
    /// - Throws: An error, if there is no such program, if it had to be ended after so many seconds, or was never seen.
    public static func run(_ name: String, _ arguments: [String], seconds: Double = 60) async throws -> Cost {
        for _ in 0..<20 {
            let cost = try await runOnce(name, arguments, seconds)
            if cost.peakMemory > 0 { return cost }
        }
        throw TestServerError(message: "\(name) always ended before its memory was measured")
    }

    private static func runOnce(_ name: String, _ arguments: [String], _ seconds: Double) async throws -> Cost
    {
        let file = try Command.file(name)
        let program = try StartedProgram(file.path, arguments)
        return try await onThread {
            let path = file.resolvingSymlinksInPath().path
            let end = DispatchTime.now() + seconds
            var peak = 0
            // The system's figures for a process that has ended include those of its parent.
            while program.exitStatus == nil, .now() < end {
                // For a moment after it has started, its memory is still said to be that of its parent.
                if Self.program(of: program.id) == path { peak = max(peak, peakMemory(of: program.id)) }
                usleep(2000)
            }
            return Cost(status: try program.wait(within: 0), peakMemory: peak)
        }
    }

    /// The file of the program that a process runs; nil for one that is gone.
    private static func program(of process: pid_t) -> String? {
        try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/\(process)/exe")
    }

    /// The most memory that a process had so far, in bytes; 0 for one that is gone.
    private static func peakMemory(of process: pid_t) -> Int {
        // One that has ended has no file.
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("VmHWM:") })
        else { return 0 }
        return (line.split(whereSeparator: { !$0.isNumber }).first.flatMap { Int($0) } ?? 0) << 10
    }
}
