import Glibc
import Synchronization
package import WebStandards

/// The bytes of an archive: a file, a part of one, something that is read like one, as a pipe, or bytes in memory.
///
/// A regular file is read at any place. A pipe is read forwards only, but for its first bytes, so that its format can be
/// detected. Its calls block.
package final class ArchiveFile: Sendable {
    /// The name for messages.
    package let path: String

    /// The number of bytes; nil for what is read like a file.
    package let size: Int?

    private let source: Source
    /// Where a part begins in the file.
    private let start: Int

    private enum Source: Sendable {
        case file(OpenFile)
        case stream(ByteStream)
        case memory([UInt8])
    }

    /// Opens a path that the user named: a regular file, a pipe or a device; symbolic links are followed.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - patience: Seconds to wait for the next bytes of a pipe or a device.
    ///   - isCancelled: Whether to stop waiting for them.
    /// - Throws: ``ArchiveError``, with the codes of ``FileError``.
    package init(
        path: String,
        patience: Double = 60,
        isCancelled: (@Sendable () -> Bool)? = nil
    ) throws(ArchiveError) {
        self.path = path
        start = 0
        do throws(File.Failure) {
            let file = try OpenFile(path)
            let status = try file.file.status()
            guard status.kind != .directory else { throw .isDirectory }
            let isRegular = status.kind == .regular
            size = isRegular ? status.size : nil
            if isRegular { file.hold(status) }
            source =
                isRegular
                ? .file(file) : .stream(ByteStream(file, patience: patience, isCancelled: isCancelled))
        } catch {
            throw ArchiveError(path, error)
        }
    }

    /// Bytes in memory.
    package init(bytes: [UInt8], path: String) {
        self.path = path
        size = bytes.count
        start = 0
        source = .memory(bytes)
    }

    private init(path: String, _ source: Source, start: Int, size: Int) {
        self.path = path
        self.source = source
        self.start = start
        self.size = size
    }

    /// Whether it can be read at any place, and more than once.
    package var isSeekable: Bool { size != nil }

    /// Reads into memory what is there: at least a byte before the end, and 0 bytes at the end or past it.
    ///
    /// - Parameters:
    ///   - offset: Where to begin, not negative; of a pipe the place where the last read ended, or one in its first 64 KiB.
    ///   - buffer: Where the bytes go.
    /// - Returns: How many bytes were read.
    /// - Throws: ``ArchiveError`` if that is impossible, also if the file has become shorter than it was when it was opened.
    package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(ArchiveError) -> Int
    {
        do throws(File.Failure) {
            return unsafe try readBytes(at: offset, into: buffer)
        } catch {
            throw ArchiveError(path, error)
        }
    }

    private func readBytes(
        at offset: Int,
        into buffer: UnsafeMutableRawBufferPointer
    ) throws(File.Failure) -> Int {
        let room = size.map { min(buffer.count, max(0, $0 -| offset)) } ?? buffer.count
        guard room > 0, offset >= 0 else { return 0 }
        let buffer = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer.prefix(room))
        switch source {
        case .stream(let stream):
            return unsafe try stream.read(at: offset, into: buffer)
        case .memory(let bytes):
            let first = start + offset
            unsafe buffer.copyBytes(from: bytes[first..<(first + room)])
            return room
        case .file(let file):
            // One with a hole in it may be much longer than anybody waits.
            try WaitLimit.current.check()
            let count = unsafe try file.file.read(into: buffer, at: start + offset)
            guard count > 0 else { throw .becameShorter }
            return count
        }
    }

    /// Up to `count` bytes from an offset; fewer only at the end.
    package func bytes(at offset: Int, count: Int) throws(ArchiveError) -> [UInt8] {
        let count = size.map { min(count, max(0, $0 -| offset)) } ?? count
        guard count > 0 else { return [] }
        var failure: ArchiveError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            do throws(ArchiveError) {
                while filled < count {
                    let rest = unsafe UnsafeMutableRawBufferPointer(
                        UnsafeMutableBufferPointer(rebasing: buffer[filled..<count])
                    )
                    let got = unsafe try read(at: offset + filled, into: rest)
                    if got == 0 { return }
                    filled += got
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// A part of it, such as a member of a ZIP that is stored.
    ///
    /// - Parameters:
    ///   - offset: Where it begins.
    ///   - length: Its bytes; it ends with the file at the latest.
    ///   - name: The name for messages; that of the file if nil.
    /// - Returns: The part; nil if it does not begin in the file, or the file cannot be read at any place.
    package func slice(_ offset: Int, length: Int, name: String? = nil) -> ArchiveFile? {
        guard let size, 0...size ~= offset, length >= 0 else { return nil }
        return ArchiveFile(
            path: name ?? path,
            source,
            start: start + offset,
            size: min(length, size - offset)
        )
    }
}

/// An open file, closed with its last reference.
private final class OpenFile: Sendable {
    let file: File
    /// The identity that it holds in ``FilesInUse``; `nil` if it holds none.
    private let held = Mutex<FileStatus.Identity?>(nil)

    init(_ path: String) throws(File.Failure) {
        file = try File(reading: path)
    }

    deinit {
        if let identity = held.withLock({ $0 }) { FilesInUse.release(identity) }
    }

    /// Keeps outputs from replacing the file for as long as it is open.
    func hold(_ status: FileStatus) {
        held.withLock { $0 = status.identity }
        FilesInUse.add(status.identity)
    }
}

/// A pipe or a device: it can be read once, but for its first bytes.
private final class ByteStream: Sendable {
    private struct State {
        /// Its first bytes, as far as they have been read.
        var head: [UInt8] = []
        /// The bytes that have been read.
        var position = 0
    }

    private let file: OpenFile
    private let patience: Double
    private let isCancelled: (@Sendable () -> Bool)?
    private let state = Mutex(State())

    private static let headLength = 64 << 10

    init(_ file: OpenFile, patience: Double, isCancelled: (@Sendable () -> Bool)?) {
        self.file = file
        self.patience = patience
        self.isCancelled = isCancelled
    }

    func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws(File.Failure) -> Int {
        try state.withLock { state throws(File.Failure) in
            if offset < state.head.count {
                let piece = state.head[offset...].prefix(buffer.count)
                unsafe buffer.copyBytes(from: piece)
                return piece.count
            }
            guard offset == state.position else { throw .isNoFile }
            let limit = WaitLimit(seconds: patience, isCancelled: isCancelled).and(.current)
            let count = unsafe try file.file.read(into: buffer, within: limit)
            let rest = Self.headLength - state.head.count
            if rest > 0 { unsafe state.head += buffer.prefix(min(count, rest)) }
            state.position += count
            return count
        }
    }
}

extension File.Failure {
    fileprivate static var isDirectory: Self { Self(errno: EISDIR) }
    fileprivate static var becameShorter: Self {
        Self(errno: EIO, "the file became shorter while it was read")
    }
    fileprivate static var isNoFile: Self {
        Self(errno: ESPIPE, "it can be read once only: save it as a file first")
    }
}

extension ArchiveError {
    /// The error of a file that the user named.
    package init(_ path: String, _ failure: File.Failure) {
        let error = FileError(path, failure)
        self.init(Code(rawValue: error.code.rawValue), error.message)
    }
}
