import Glibc
import Synchronization
import WebLoader

/// A writer of a reader's answers to standard output, each preceded by its length.
final class ReaderFrames: Sendable {
    /// The kind of a frame's contents.
    enum Kind: String {
        /// JSON, before the answer.
        case event
        /// JSON, or HTML.
        case answer
        /// JSON: a code and a message.
        case error
    }

    /// Held while a frame is written: loads report their progress from other threads.
    private let isWriting = Mutex(())

    /// Writes a frame as a whole.
    ///
    /// If standard output is closed or cannot be written, nobody needs the reader: the process ends.
    ///
    /// - Parameters:
    ///   - kind: The kind of the contents.
    ///   - id: The number of the request; 0 for a line that is not a request.
    ///   - content: The bytes.
    func write(_ kind: Kind, _ id: Int64, _ content: [UInt8]) {
        let head = Array("\(kind.rawValue) \(id) \(content.count)\n".utf8)
        let failure: Failure? = isWriting.withLock { _ in
            do throws(Failure) {
                // Copying short contents costs less than another call.
                if content.count <= 1 << 16 {
                    try Output.write(head + content)
                } else {
                    try Output.write(head)
                    try Output.write(content)
                }
                return nil
            } catch {
                return error
            }
        }
        guard let failure else { return }
        Output.message(failure.line)
        _exit(failure.status.rawValue)
    }
}
