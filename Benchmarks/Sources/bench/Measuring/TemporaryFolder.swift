import Glibc

/// Folders and files in `/tmp` for the duration of a benchmark.
enum TemporaryFolder {
    static func make() throws -> String {
        var template = Array("/tmp/webloader-bench-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw BenchmarkError("no folder to be had in /tmp") }
        return String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    static func remove(_ folder: String) throws {
        _ = try Shell.output("rm -rf '\(folder)'")
    }

    /// Writes a file, and returns its path.
    static func write(_ bytes: [UInt8], to path: String) throws -> String {
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw BenchmarkError("\(path): cannot be written") }
        defer { close(descriptor) }
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(
                    descriptor,
                    buffer.baseAddress?.advanced(by: written),
                    buffer.count - written
                )
            }
            guard count > 0 else { throw BenchmarkError("\(path): cannot be written") }
            written += count
        }
        return path
    }
}
