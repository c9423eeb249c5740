import CServer
import Glibc
import WebStandards

/// A file descriptor that is closed with its last owner.
final class Descriptor: Sendable {
    let number: Int32

    /// Takes a descriptor over, as a call has returned it.
    ///
    /// - Throws: The call's error, if it has returned none.
    init(_ number: Int32) throws(File.Failure) {
        guard number >= 0 else { throw File.Failure(errno: errno) }
        self.number = number
    }

    deinit { close(number) }

    /// Both ends of a pipe; what is read does not wait.
    static func pipe() throws(File.Failure) -> (reading: Descriptor, writing: Descriptor) {
        var ends: [Int32] = [-1, -1]
        let code = unsafe webl_pipe(&ends)
        guard code == 0 else { throw File.Failure(errno: code) }
        let (reading, writing) = (try Descriptor(ends[0]), try Descriptor(ends[1]))
        guard fcntl(reading.number, F_SETFL, O_NONBLOCK) == 0 else { throw File.Failure(errno: errno) }
        return (reading, writing)
    }
}
