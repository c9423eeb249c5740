import Glibc
import WebLoader

/// The standard streams.
///
/// Data goes to stdout, everything else to stderr. Output to a terminal is made safe here, so that no command
/// can forget it.
enum Output {
    /// Whether somebody looks at stdout.
    static let isTerminal = isatty(1) == 1

    /// Opens the standard streams that are closed, so that files which are opened later do not take their
    /// places.
    ///
    /// A folder is opened in their place, which can be neither read nor written: a use fails as if the stream
    /// were closed.
    static func openClosedStreams() {
        for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) == -1 {
            // The lowest number that is free is taken. Where not even this can be opened, nothing else can.
            _ = unsafe open("/", O_RDONLY | O_DIRECTORY)
        }
    }

    /// Writes data to stdout or to a file, which is replaced as a whole or stays as it was.
    ///
    /// A reader that has gone away (`| head`) ends the command quietly; any other failure is an error. On a terminal
    /// what could steer it is replaced.
    ///
    /// - Parameters:
    ///   - bytes: The data.
    ///   - path: The file; nil and "-" for stdout.
    ///   - isStyled: Whether the data is text with styles of ``Terminal``, which stay.
    /// - Throws: ``Failure`` if it cannot be written.
    static func write(
        _ bytes: [UInt8],
        to path: String? = nil,
        isStyled: Bool = false
    ) throws(Failure) {
        ProgressLine.clear()
        guard let path, path != "-" else {
            TimeBudget.noteOutput()
            let shown = isTerminal ? TerminalText.shown(bytes, keepingStyles: isStyled) : bytes
            guard try write(shown, 1, "standard output") else { _exit(ExitStatus.done.rawValue) }
            return
        }
        do throws(FileError) {
            try FileWriter.write(bytes, to: path) { TerminalText.shown($0, keepingStyles: isStyled) }
        } catch {
            throw Failure(subject: path, error.reason, code: error.code.rawValue, status: .file)
        }
    }

    /// Ends the process once standard output has no reader any more, as writing to it would: nobody waits for
    /// the rest of the loads.
    static func endWithoutReader() {
        Task.detached {
            await BlockingWork.threads.run {
                var stream = pollfd(fd: 1, events: 0, revents: 0)
                while unsafe poll(&stream, 1, -1) < 0, errno == EINTR {}
                if stream.revents & Int16(truncatingIfNeeded: POLLERR | POLLHUP) != 0 {
                    _exit(ExitStatus.done.rawValue)
                }
            }
        }
    }

    /// Writes a line to stderr, whatever is in it.
    ///
    /// If even that fails there is nobody left to tell.
    static func message(_ line: String) {
        ProgressLine.clear()
        _ = try? write(Array("\(TerminalText.visible(line))\n".utf8), 2, "standard error")
    }

    /// Writes to stderr what stands before a line that is to be typed.
    static func prompt(_ text: String) {
        ProgressLine.clear()
        _ = try? write(Array(text.utf8), 2, "standard error")
    }

    /// Writes all of it, waiting where the stream takes nothing now; false if its reader has gone away.
    private static func write(_ bytes: [UInt8], _ descriptor: Int32, _ name: String) throws(Failure) -> Bool {
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes.withUnsafeBytes {
                unsafe Glibc.write(descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written)
            }
            if count >= 0 {
                written += count
            } else {
                switch errno {
                case EPIPE: return false
                case EINTR: continue
                // Somebody has made the stream one that does not block.
                case EAGAIN: wait(for: POLLOUT, descriptor)
                default: throw failure(name, errno)
                }
            }
        }
        return true
    }

    /// Waits until something can be read from a stream that does not block, or written to it.
    ///
    /// An error is reported by the next attempt.
    static func wait(for events: Int32, _ descriptor: Int32) {
        var stream = pollfd(fd: descriptor, events: Int16(truncatingIfNeeded: events), revents: 0)
        _ = unsafe poll(&stream, 1, -1)
    }

    private static func failure(_ name: String, _ code: Int32) -> Failure {
        let reason = unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        return Failure(subject: name, reason, code: "file.write", status: .file)
    }
}
