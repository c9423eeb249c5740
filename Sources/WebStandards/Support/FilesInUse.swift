import Glibc
import Synchronization

/// The regular files that this process reads as archives, or appends to: an output must not take their place.
///
/// A file is known by its device and its inode, whatever it was called when it was opened.
package enum FilesInUse {
    private static let counts = Mutex<[FileStatus.Identity: Int]>([:])

    /// Notes that a file is in use, until ``release(_:)``, which has to be called as often.
    package static func add(_ identity: FileStatus.Identity) {
        counts.withLock { $0[identity, default: 0] += 1 }
    }

    /// Notes that a file is in use no more.
    package static func release(_ identity: FileStatus.Identity) {
        counts.withLock { counts in
            guard let count = counts[identity] else { return }
            counts[identity] = count > 1 ? count - 1 : nil
        }
    }

    /// Throws if a file is in use.
    package static func check(_ identity: FileStatus.Identity) throws(File.Failure) {
        if counts.withLock({ $0[identity] != nil }) { throw .isInput }
    }

    /// Throws if an output's path refers to one of the input files, even if these are not open yet.
    package static func check(_ output: String, against inputs: [String]) throws(File.Failure) {
        // A missing file, or one that is not regular, is reported by the function that opens it.
        guard let status = FileStatus(output, followsLinks: true), status.kind == .regular else { return }
        for input in inputs where FileStatus(input, followsLinks: true)?.identity == status.identity {
            throw .isInput
        }
    }
}

extension File.Failure {
    fileprivate static let isInput = File.Failure(
        errno: EBUSY,
        "it is a file that this command reads or appends to: name another output"
    )
}
