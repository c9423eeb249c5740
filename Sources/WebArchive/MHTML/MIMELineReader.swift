import WebStandards

/// Reads a message line by line; of a long line only the beginning is kept.
struct MIMELineReader: ~Copyable {
    private var cursor: FileCursor

    /// The beginning of the line, without its end.
    private(set) var bytes: [UInt8] = []
    /// Where the line begins.
    private(set) var start = 0
    /// Where what is before its line end ends.
    private(set) var contentEnd = 0

    init(_ file: ArchiveFile, at offset: Int = 0) { cursor = FileCursor(file, at: offset) }

    /// Where the next line begins.
    var offset: Int { cursor.offset }

    mutating func seek(to offset: Int) { cursor.seek(to: offset) }

    mutating func skipByteOrderMark() throws(ArchiveError) { _ = try cursor.skip("\u{FEFF}") }

    /// Reads a line; returns whether there is one.
    mutating func next(keeping maximum: Int = 1024) throws(ArchiveError) -> Bool {
        bytes.removeAll(keepingCapacity: true)
        start = cursor.offset
        var last: UInt8 = 0
        while try cursor.fill() {
            let piece = unsafe cursor.piece
            let end = unsafe piece.firstIndex(of: 0x0A)
            let line = unsafe piece[..<(end ?? piece.count)]
            unsafe bytes.append(contentsOf: line.prefix(max(0, maximum - bytes.count)))
            if let byte = unsafe line.last { last = byte }
            unsafe cursor.advance(by: line.count)
            guard end != nil else { continue }
            contentEnd = cursor.offset
            cursor.advance()
            if last == 0x0D, contentEnd > start {
                contentEnd -= 1
                if bytes.count > contentEnd - start { bytes.removeLast() }
            }
            return true
        }
        contentEnd = cursor.offset
        return contentEnd > start
    }
}
