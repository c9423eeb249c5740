import CArchive
import Glibc
import WebStandards

/// The bytes of a file without the gzip or Zstandard around them, as a window that moves forwards.
///
/// Positions count unpacked bytes from where it began. Memory is bounded by the window and a buffer of packed bytes. It
/// knows where members (of gzip) and frames (of Zstandard) begin, both called members here.
@safe final class UnpackedStream {
    enum Packing { case none, gzip, zstandard }

    /// A member, of which bytes are in the window, or were until just now.
    struct Member {
        /// Where it begins and ends in the file; the end is nil until it is reached.
        let offset: Int
        var endOffset: Int?
        /// Where it begins and ends among the unpacked bytes.
        let start: Int
        var end: Int?
    }

    /// The damage that ended the stream before the file's end.
    struct Damage {
        let code: ArchiveFinding.Code
        let offset: Int
        let message: String
    }

    enum Phase { case between, inMember, ended, damaged }

    let file: ArchiveFile
    let packing: Packing

    // The window: bytes of `buffer` from `start` to `end`, the first of which is at `position`.
    var buffer: UnsafeMutableRawPointer
    var capacity = 1 << 20
    var start = 0
    var end = 0
    var position = 0

    /// Where the window's end is in the file, if nothing is packed; else where the packed bytes begin.
    var fileOffset: Int
    let packed: UnsafeMutableRawPointer
    var packedStart = 0
    var packedEnd = 0
    var isFileAtEnd = false
    var readSize = 64 << 10

    var phase = Phase.between
    var members: ArraySlice<Member> = []
    let inflater: OpaquePointer?
    let decoder: OpaquePointer?
    var damage: Damage?
    /// Packed bytes that were looked at again after damage.
    var lookedAgain = 0
    static let mostLookedAgain = 256 << 20
    /// Packed bytes that tell whether a member begins with a record.
    static let trialLength = 1024

    /// The most bytes that the window holds.
    static let largestWindow = 32 << 20
    static let packedCapacity = 2 << 20
    static let packedMinimum = 512 << 10

    /// Begins at an offset, which is the start of a member if the file is packed.
    ///
    /// - Throws: ``ArchiveError`` if it cannot be read, or the library that unpacks it is not there.
    init(_ file: ArchiveFile, at offset: Int, packing: Packing) throws(ArchiveError) {
        self.file = file
        self.packing = packing
        fileOffset = offset
        let inflater = packing == .gzip ? unsafe webl_inflater_create() : nil
        let decoder = packing == .zstandard ? unsafe webl_unzstd_create() : nil
        unsafe self.inflater = inflater
        unsafe self.decoder = decoder
        unsafe buffer = .allocate(byteCount: capacity, alignment: 64)
        unsafe packed = .allocate(byteCount: packing == .none ? 1 : Self.packedCapacity, alignment: 64)
        switch packing {
        case .none: break
        case .gzip:
            guard unsafe inflater != nil else {
                throw ArchiveError(.unavailable, "gzip needs zlib, which is not there")
            }
        case .zstandard:
            guard unsafe decoder != nil else {
                throw ArchiveError(.unavailable, "Zstandard needs libzstd, which is not there")
            }
            try readDictionary()
        }
    }

    deinit {
        unsafe buffer.deallocate()
        unsafe packed.deallocate()
        unsafe webl_inflater_free(inflater)
        unsafe webl_unzstd_free(decoder)
    }

    /// How a file is packed at an offset, by its first bytes.
    static func packing(of file: ArchiveFile, at offset: Int) throws(ArchiveError) -> Packing {
        let head = try file.bytes(at: offset, count: 4)
        if head.starts(with: [0x1F, 0x8B]) { return .gzip }
        return isZstandard(head) ? .zstandard : .none
    }

    /// Whether four bytes are the magic number of a frame, or of a skippable one.
    static func isZstandard(_ bytes: [UInt8]) -> Bool {
        bytes == [0x28, 0xB5, 0x2F, 0xFD] || isSkippable(bytes)
    }

    static func isSkippable(_ bytes: [UInt8]) -> Bool {
        bytes.count == 4 && bytes[0] & 0xF0 == 0x50 && bytes[1...] == [0x2A, 0x4D, 0x18]
    }

    // MARK: - The window

    /// The bytes that are at hand.
    var count: Int { end - start }

    /// The bytes that are at hand, as long as the stream is not asked for more.
    var window: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: buffer + start, count: end - start)
    }

    /// Has at least so many bytes at hand; false if that many are not left, or more than the window can hold.
    func fill(_ minimum: Int) throws(ArchiveError) -> Bool {
        while count < minimum {
            guard minimum <= Self.largestWindow, phase != .ended, phase != .damaged else { return false }
            if packing == .none { try readPlain(minimum) } else { try unpack(minimum) }
        }
        return true
    }

    /// Passes over bytes that are at hand.
    func drop(_ count: Int) {
        start += count
        position += count
        while members.count > 1, let end = members.first?.end, end < position { members.removeFirst() }
    }

    /// Passes over bytes, whether they are at hand or not; returns how many there were.
    func skip(_ count: Int) throws(ArchiveError) -> Int {
        var left = count
        while left > 0 {
            let piece = min(left, self.count)
            drop(piece)
            left -= piece
            if left == 0 { break }
            if packing == .none, let size = file.size {
                let jump = min(left, max(0, size - fileOffset))
                fileOffset += jump
                position += jump
                left -= jump
                if jump == 0 { break }
            } else if try !fill(1) {
                break
            }
        }
        return count - left
    }

    /// Where the member of the window's first byte begins in the file, or where that byte is if nothing is packed.
    var offset: Int {
        if packing == .none { return fileOffset - count }
        return members.last { $0.start <= position }?.offset ?? members.first?.offset ?? packedOffset
    }

    /// Whether a packed member begins with the window's first byte.
    var beginsMember: Bool { members.contains { $0.start == position } }

    /// Where a member's unpacked bytes end at the earliest after a position, nil if that is not known (yet).
    func memberEnd(after position: Int) -> Int? {
        members.first { ($0.end ?? Int.largestBounded) > position }?.end
    }

    /// Where the first member that ends at a position ends in the file; nil if none does.
    func endOffset(at position: Int) -> Int? {
        members.first { $0.end == position }?.endOffset
    }

    /// The bytes of the file in which packed bytes begin that are not unpacked yet.
    var packedOffset: Int { fileOffset - (packedEnd - packedStart) }

    /// Bytes that are left of a file that is not packed; nil if that is not known.
    var bytesLeft: Int? {
        packing == .none ? file.size.map { max(0, $0 - fileOffset) + count } : nil
    }

    /// Bytes at a distance from the window's start, of a file that is not packed; nil if they are out of reach.
    func peek(_ distance: Int, count: Int) throws(ArchiveError) -> [UInt8]? {
        if distance + count <= self.count {
            return unsafe Array(window[distance..<(distance + count)])
        }
        guard packing == .none, file.isSeekable else { return nil }
        return try file.bytes(at: offset +| distance, count: count)
    }

    // MARK: - Room

    /// Makes room behind the window, for so many bytes in it at least.
    func makeRoom(_ minimum: Int) {
        if start == end { (start, end) = (0, 0) }
        let wanted = max(minimum, min(count + (64 << 10), Self.largestWindow + (64 << 10)))
        if capacity - start >= wanted, capacity - end >= 64 << 10 { return }
        moveToFront()
        if capacity - end < 64 << 10 || capacity < wanted { grow(max(wanted, capacity *| 2)) }
    }

    func moveToFront() {
        guard start > 0 else { return }
        unsafe _ = memmove(buffer, buffer + start, count)
        (start, end) = (0, count)
    }

    func grow(_ size: Int) {
        let larger = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 64)
        unsafe larger.copyMemory(from: buffer + start, byteCount: count)
        unsafe buffer.deallocate()
        unsafe buffer = unsafe larger
        (start, end) = (0, count)
        capacity = size
    }

    func readPlain(_ minimum: Int) throws(ArchiveError) {
        makeRoom(minimum)
        let room = min(capacity - end, max(readSize, minimum - count))
        readSize = min(1 << 20, readSize * 2)
        let got = unsafe try file.read(
            at: fileOffset,
            into: UnsafeMutableRawBufferPointer(start: buffer + end, count: room)
        )
        if got == 0 { phase = .ended }
        end += got
        fileOffset += got
    }
}
