import Glibc

/// Reads the lines of standard input, as many at a time as are there.
struct LineReader {
    private static var maximumLineLength: Int { 64 << 20 }

    private var buffer: [UInt8] = []
    private var isAtEnd = false

    /// The next lines, without their ends; nil when there are no more.
    ///
    /// Waits until there is one.
    ///
    /// - Throws: ``Failure`` if standard input cannot be read, or a line is longer than 64 MiB.
    mutating func next() throws(Failure) -> [ArraySlice<UInt8>]? {
        guard !isAtEnd else { return nil }
        var searched = buffer.count
        while true {
            let count = try fill()
            if count == 0 {
                isAtEnd = true
                let rest = buffer
                buffer = []
                return rest.isEmpty ? nil : [rest[...]]
            }
            if let last = buffer[searched...].lastIndex(of: 0x0A) {
                let lines = buffer[..<last].split(separator: 0x0A, omittingEmptySubsequences: false)
                buffer = Array(buffer[(last + 1)...])
                return lines
            }
            searched = buffer.count
            guard buffer.count < Self.maximumLineLength else {
                throw Failure(
                    subject: "standard input",
                    "a line is longer than \(Self.maximumLineLength) bytes",
                    code: "input.line",
                    status: .limit
                )
            }
        }
    }

    /// Reads what is there; the number of bytes, 0 at the end.
    private mutating func fill() throws(Failure) -> Int {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe chunk.withUnsafeMutableBytes { unsafe read(0, $0.baseAddress, $0.count) }
            if count >= 0 {
                buffer += chunk[..<count]
                return count
            }
            guard errno != EINTR else { continue }
            // Somebody has made the stream one that does not block.
            guard errno != EAGAIN else {
                Output.wait(for: POLLIN, 0)
                continue
            }
            let reason = unsafe strerror(errno).map { unsafe String(cString: $0) } ?? "error"
            throw Failure(subject: "standard input", reason, code: "file.unreadable", status: .file)
        }
    }
}
