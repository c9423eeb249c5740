package import WebDatabase
import Glibc
import WebStandards

/// The lock of a job, which one process holds at a time; its file says which.
///
/// It is a file of its own beside the database, and stays when the job ends: a lock on a file that is removed is worth nothing to
/// who has just opened it.
package struct JobLock: ~Copyable {
    private let file: File

    /// Takes the lock.
    ///
    /// - Throws: ``StateError``, `state.busy` with the holder's process ID if another process has it, and `file.write` for a file
    ///   that has something else in it than a process ID, which stays as it is.
    package init(_ path: String) throws(StateError) {
        var own: OwnFile
        do throws(File.Failure) {
            let (folder, name) = Directory.split(path)
            own = try OwnFile(updating: name, in: Directory(folder))
        } catch {
            throw .unwritable(path, error)
        }
        let isFree: Bool
        do throws(File.Failure) {
            isFree = try own.file.lock()
        } catch {
            throw .unwritable(path, error)
        }
        guard isFree else { throw StateError(.busy, "\(path): \(Self.holder(own.file)) works on this job") }
        do throws(File.Failure) {
            guard try Self.isLock(own.file) else {
                throw File.Failure(errno: EEXIST, "there is something in it that this program did not write")
            }
            // A full disk must not leave another process's ID there.
            guard ftruncate(own.file.descriptor, 0) == 0 else { throw File.Failure(errno: errno) }
            try own.file.write(Array("\(getpid())\n".utf8), at: 0)
        } catch {
            throw .unwritable(path, error)
        }
        file = own.takingFile()
    }

    /// Whether a file has nothing in it but a process ID, or a part of one.
    private static func isLock(_ file: borrowing File) throws(File.Failure) -> Bool {
        let bytes = try file.read(20, at: 0)
        let digits = bytes.last == 0x0A ? bytes.dropLast() : bytes[...]
        return digits.count < 11 && digits.allSatisfy(\.isASCIIDigit) && bytes.first != 0x0A
    }

    /// Who holds it, for people.
    private static func holder(_ file: borrowing File) -> String {
        // A holder that has not written its ID yet is another process all the same.
        guard let bytes = try? file.read(20, at: 0),
            let process = Int(bounded: bytes.prefix { $0.isASCIIDigit }), process > 0
        else { return "another process" }
        return process == Int(getpid()) ? "this process already" : "process \(process)"
    }
}
