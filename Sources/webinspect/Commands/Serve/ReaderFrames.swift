import Glibc
import Synchronization
import WebLoader

/// Writes what a reader answers to standard output, each piece with its length before it.
final class ReaderFrames: Sendable {
    /// What a frame has in it.
    enum Kind: String {
        /// JSON, before the answer.
        case event
        /// JSON, or HTML.
        case answer
        /// JSON: a code and a message.
        case error
    }

    /// Held while a frame is written: what loads tell comes from other threads.
    private let isWriting = Mutex(())

    /// Writes a frame as a whole.
    ///
    /// Where nobody reads any more, or nothing can be written, there is nobody left to work for: the process ends.
    ///
    /// - Parameters:
    ///   - kind: What it has in it.
    ///   - id: The number of the request; 0 for a line that is none.
    ///   - content: The bytes.
    func write(_ kind: Kind, _ id: Int64, _ content: [UInt8]) {
        let head = Array("\(kind.rawValue) \(id) \(content.count)\n".utf8)
        let failure: Failure? = isWriting.withLock { _ in
            do throws(Failure) {
                // A copy of what is short costs less than another call.
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
