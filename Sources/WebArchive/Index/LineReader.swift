import WebStandards

/// Reads the lines of a text, from anywhere in it.
struct LineReader {
    /// A line, and where it begins.
    struct Line {
        let offset: Int
        /// Without its line end; cut off where it is too long.
        let bytes: ArraySlice<UInt8>
        let isTooLong: Bool
    }

    private let file: ArchiveFile
    private let pieceLength: Int
    private var buffer: [UInt8] = []
    /// The next byte of the buffer.
    private var index = 0
    /// Where the buffer begins in the file.
    private var start: Int
    private var isAtEnd = false

    /// Bytes of a line that are kept.
    static let maximumLength = 1 << 20

    init(_ file: ArchiveFile, at offset: Int = 0, pieceLength: Int = 256 << 10) {
        self.file = file
        self.pieceLength = pieceLength
        start = offset
    }

    /// Where the next line begins.
    var offset: Int { start + index }

    /// The next line; nil at the end.
    mutating func next() throws(ArchiveError) -> Line? {
        let offset = offset
        if let end = lineEnd(from: index) { return line(offset, to: end) }
        while true {
            let searched = buffer.count - index
            guard try fill() else {
                guard index < buffer.count else { return nil }
                return line(offset, to: buffer.count)
            }
            if let end = lineEnd(from: index + searched) { return line(offset, to: end) }
            if buffer.count - index > Self.maximumLength { return try passLongLine(offset) }
        }
    }

    private mutating func line(_ offset: Int, to end: Int) -> Line {
        var bytes = buffer[index..<end]
        index = min(end + 1, buffer.count)
        if bytes.last == 0x0D { bytes.removeLast() }
        return Line(offset: offset, bytes: bytes, isTooLong: false)
    }

    private mutating func passLongLine(_ offset: Int) throws(ArchiveError) -> Line {
        let bytes = buffer[index...].prefix(4096)
        index = buffer.count
        while try fill() {
            if let end = lineEnd(from: index) {
                index = end + 1
                break
            }
            index = buffer.count
        }
        return Line(offset: offset, bytes: bytes, isTooLong: true)
    }

    private func lineEnd(from place: Int) -> Int? { buffer[place...].firstIndex(of: 0x0A) }

    /// Reads more, and forgets what was passed; returns whether there was any.
    private mutating func fill() throws(ArchiveError) -> Bool {
        guard !isAtEnd else { return false }
        let more = try file.bytes(at: start + buffer.count, count: pieceLength)
        isAtEnd = more.count < pieceLength
        guard !more.isEmpty else { return false }
        start += index
        buffer.removeSubrange(..<index)
        index = 0
        buffer += more
        return true
    }
}
