import Glibc

/// Runs shell commands.
enum Shell {
    /// Returns the standard output of a command; throws an error if the command fails.
    static func output(_ command: String) throws -> String {
        guard let pipe = unsafe popen(command, "re") else { throw BenchmarkError("cannot run \(command)") }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe fread(&buffer, 1, buffer.count, pipe)
            guard count > 0 else { break }
            bytes += buffer[..<count]
        }
        guard unsafe pclose(pipe) == 0 else { throw BenchmarkError("failed: \(command)") }
        return String(decoding: bytes, as: UTF8.self)
    }
}
