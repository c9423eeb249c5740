package import WebDatabase
import Glibc
import WebStandards

/// The lock of a job, which one process holds at a time; its file contains the process ID.
///
/// The file beside the database is removed with the lock. A file that was left by a killed process is taken over.
package struct JobLock: ~Copyable {
    private let file: File
    private let path: String

    /// Takes the lock.
    ///
    /// - Throws: ``StateError``, `state.busy` with the holder's process ID if another process holds the lock, and
    ///   `file.write` if the file has any other content than a process ID; it is then left unchanged.
    package init(_ path: String) throws(StateError) {
        let (folder, name) = Directory.split(path)
        let directory: Directory
        do throws(File.Failure) {
            directory = try Directory(folder)
        } catch {
            throw .unwritable(path, error)
        }
        file = try Self.take(name, in: directory, path)
        self.path = path
    }

    private static func open(
        _ name: String,
        in directory: borrowing Directory,
        _ path: String
    ) throws(StateError) -> OwnFile {
        do throws(File.Failure) {
            return try OwnFile(updating: name, in: directory)
        } catch {
            throw .unwritable(path, error)
        }
    }

    private static func take(
        _ name: String,
        in directory: borrowing Directory,
        _ path: String
    ) throws(StateError) -> File {
        for _ in 0..<maximumAttempts {
            var own = try open(name, in: directory, path)
            let isFree: Bool
            do throws(File.Failure) {
                isFree = try own.file.lock()
            } catch {
                throw .unwritable(path, error)
            }
            guard isFree else { throw StateError(.busy, "\(path): \(holder(own.file)) works on this job") }
            // The former holder may have removed the file after it was opened and before it was locked.
            guard directory.status(name)?.identity == own.status.identity else { continue }
            do throws(File.Failure) {
                guard try isLock(own.file) else {
                    throw File.Failure(
                        errno: EEXIST,
                        "there is something in it that this program did not write"
                    )
                }
                // A full disk must not leave another process's ID in the file.
                guard ftruncate(own.file.descriptor, 0) == 0 else { throw File.Failure(errno: errno) }
                try own.file.write(Array("\(getpid())\n".utf8), at: 0)
            } catch {
                throw .unwritable(path, error)
            }
            return own.takingFile()
        }
        throw .unwritable(path, File.Failure(errno: ESTALE, "it is removed or replaced again and again"))
    }

    /// The maximum number of attempts to lock the file that is at the path.
    private static let maximumAttempts = 1000

    deinit {
        let (folder, name) = Directory.split(path)
        guard let directory = try? Directory(folder), let own = try? file.status(),
            directory.status(name)?.identity == own.identity
        else { return }
        _ = directory.remove(name)
    }

    /// Whether a file is empty, or contains only a process ID or a part of one.
    private static func isLock(_ file: borrowing File) throws(File.Failure) -> Bool {
        let bytes = try file.read(20, at: 0)
        let digits = bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
        return digits.count < 11 && digits.allSatisfy(\.isASCIIDigit) && bytes.first != 0x0A
    }

    /// Returns a description of the holder.
    private static func holder(_ file: borrowing File) -> String {
        // A holder that has not written its ID yet is another process all the same.
        guard let bytes = try? file.read(20, at: 0),
            let process = Int(bounded: bytes.prefix { $0.isASCIIDigit }), process > 0
        else { return "another process" }
        return process == Int(getpid()) ? "this process already" : "process \(process)"
    }
}
