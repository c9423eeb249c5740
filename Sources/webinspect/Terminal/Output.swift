import Glibc
import WebLoader

/// The standard streams.
///
/// Data goes to stdout, everything else to stderr.
enum Output {
    /// Writes data to stdout or to a file, which is replaced as a whole or stays as it was.
    ///
    /// A reader that has gone away (`| head`) ends the command quietly; any other failure is an error.
    static func write(_ bytes: [UInt8], to path: String? = nil) throws(Failure) {
        ProgressLine.clear()
        guard let path, path != "-" else { return try write(bytes, 1, "standard output") }
        do throws(FileError) {
            try FileWriter.write(bytes, to: path)
        } catch {
            throw Failure(subject: path, error.reason, code: error.code.rawValue, status: .file)
        }
    }

    /// Writes a line to stderr.
    ///
    /// If even that fails there is nobody left to tell.
    static func message(_ line: String) {
        ProgressLine.clear()
        try? write(Array("\(line)\n".utf8), 2, "standard error")
    }

    private static func write(_ bytes: [UInt8], _ descriptor: Int32, _ name: String) throws(Failure) {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written)
            }
            if count >= 0 {
                written += count
            } else if errno == EPIPE {
                _exit(ExitStatus.done.rawValue)
            } else if errno != EINTR {
                throw failure(name, errno)
            }
        }
    }

    private static func failure(_ name: String, _ code: Int32) -> Failure {
        let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return Failure(subject: name, reason, code: "file.write", status: .file)
    }
}
