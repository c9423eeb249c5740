import WebStandards

/// Reads an archive's bytes one after the other, from any place, a buffer at a time.
@safe struct FileCursor: ~Copyable {
    let file: ArchiveFile
    private let buffer: UnsafeMutableRawBufferPointer
    /// Where the buffer's bytes begin in the file.
    private var base = 0
    /// The bytes of the buffer that are used up, and those that it has.
    private var position = 0
    private var count = 0

    init(_ file: ArchiveFile, at offset: Int = 0) {
        self.file = file
        base = offset
        unsafe buffer = .allocate(byteCount: 64 << 10, alignment: 1)
    }

    deinit { unsafe buffer.deallocate() }

    /// Where the next byte is in the file.
    var offset: Int { base + position }

    /// Goes to a place of the file.
    mutating func seek(to offset: Int) {
        if base...(base + count) ~= offset {
            position = offset - base
        } else {
            base = offset
            position = 0
            count = 0
        }
    }

    /// Reads on if the buffer is used up; returns whether there is a byte.
    @inline(__always)
    mutating func fill() throws(ArchiveError) -> Bool {
        if position < count { return true }
        return try refill()
    }

    private mutating func refill() throws(ArchiveError) -> Bool {
        base += count
        position = 0
        count = 0
        count = unsafe try file.read(at: base, into: buffer)
        return count > 0
    }

    /// The next byte, which stays; nil at the end.
    @inline(__always)
    mutating func peek() throws(ArchiveError) -> UInt8? {
        guard try fill() else { return nil }
        return unsafe buffer[position]
    }

    /// Passes over bytes that ``peek()`` or ``piece`` has shown.
    @inline(__always)
    mutating func advance(by number: Int = 1) { position = min(position + number, count) }

    /// The unread bytes of the buffer, after a call of ``fill()``; valid until the buffer is filled again.
    @inline(__always)
    var piece: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[position..<count])
    }

    /// Passes over bytes if they come next.
    mutating func skip(_ bytes: StaticString) throws(ArchiveError) -> Bool {
        let start = offset
        for index in 0..<bytes.utf8CodeUnitCount {
            guard try peek() == (unsafe bytes.utf8Start[index]) else {
                seek(to: start)
                return false
            }
            advance()
        }
        return true
    }
}

extension ArchiveFile {
    /// The file if it can be read at any place; else its bytes, read into memory.
    ///
    /// - Throws: ``ArchiveError/Code/limit`` if they are more than 256 MiB.
    func inMemoryIfNeeded() throws(ArchiveError) -> ArchiveFile {
        if isSeekable { return self }
        let limit = 256 << 20
        var cursor = FileCursor(self)
        var bytes: [UInt8] = []
        while try cursor.fill() {
            let piece = unsafe cursor.piece
            guard piece.count <= limit - bytes.count else {
                throw ArchiveError(
                    .limit,
                    "\(path): more than \(limit >> 20) MiB can be read from a file only"
                )
            }
            unsafe bytes.append(contentsOf: piece)
            cursor.advance(by: piece.count)
        }
        return ArchiveFile(bytes: bytes, path: path)
    }
}
