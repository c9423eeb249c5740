import Glibc
import WebStandards

/// The positions of the lines of a file that grows; a line is included once its end is in the file.
struct LineIndex {
    /// The text that a line must contain to count; `nil` for all lines.
    private let needle: Needle?
    /// The positions of lines: of each that counts, or of every 64th of all lines.
    private var places: [Int] = []
    /// The number of lines that count.
    private(set) var count = 0
    /// The position of the line that has not ended yet.
    private var next = 0

    /// The bytes that are read at once; of a longer line, the beginning decides whether it counts.
    private static let pieceLength = 1 << 20
    private static let newline: Int32 = 0x0A
    /// There are 64 lines between two known positions: as a shift, and as a mask.
    private static let strideBits = 6
    private static let strideMask = 63

    init(_ needle: Needle? = nil) {
        self.needle = needle
    }

    // MARK: - Growing

    /// Updates the index to the current size of the file, also if that was truncated.
    ///
    /// - Throws: ``File/Failure``.
    mutating func extend(_ file: borrowing File, size: Int) throws(File.Failure) {
        if next > size { self = LineIndex(needle) }
        if next > 0, try file.read(1, at: next - 1) != [UInt8(truncatingIfNeeded: Self.newline)] {
            self = LineIndex(needle)
        }
        while next < size {
            let piece = try file.read(min(Self.pieceLength, size - next), at: next)
            var start = 0
            while let end = Self.newline(in: piece, from: start) {
                add(piece, start..<end, at: next + start)
                start = end + 1
            }
            if start == 0 {
                guard let end = try Self.newline(in: file, from: next + piece.count, to: size) else { return }
                add(piece, 0..<piece.count, at: next)
                start = end + 1 - next
            }
            next += start
        }
    }

    private mutating func add(_ piece: [UInt8], _ range: Range<Int>, at place: Int) {
        if let needle {
            let isIn = unsafe piece.withUnsafeBufferPointer { bytes in
                unsafe needle.isIn(UnsafeBufferPointer(rebasing: bytes[range]))
            }
            guard isIn else { return }
        }
        if needle != nil || count & Self.strideMask == 0 { places.append(place) }
        count += 1
    }

    private static func newline(in bytes: [UInt8], from start: Int) -> Int? {
        unsafe bytes.withUnsafeBytes { bytes in
            guard start < bytes.count, let base = bytes.baseAddress,
                let found = unsafe memchr(base + start, newline, bytes.count - start)
            else { return nil }
            return unsafe base.distance(to: UnsafeRawPointer(found))
        }
    }

    private static func newline(
        in file: borrowing File,
        from start: Int,
        to size: Int
    ) throws(File.Failure) -> Int? {
        var start = start
        while start < size {
            let piece = try file.read(min(pieceLength, size - start), at: start)
            if let end = newline(in: piece, from: 0) { return start + end }
            guard !piece.isEmpty else { return nil }
            start += piece.count
        }
        return nil
    }

    // MARK: - Reading

    /// Returns some of the lines that count, each cut to a maximum length.
    ///
    /// - Throws: ``File/Failure``.
    func lines(
        _ file: borrowing File,
        from: Int,
        count: Int,
        longest: Int
    ) throws(File.Failure) -> [String] {
        let end = min(self.count, from + count)
        guard from < end else { return [] }
        guard needle != nil else {
            let place = places[from >> Self.strideBits]
            return try Self.lines(
                file,
                at: place,
                skipping: from & Self.strideMask,
                count: end - from,
                longest
            )
        }
        var lines: [String] = []
        for place in places[from..<end] {
            lines += try Self.lines(file, at: place, skipping: 0, count: 1, longest)
        }
        return lines
    }

    private static func lines(
        _ file: borrowing File,
        at place: Int,
        skipping skipped: Int,
        count: Int,
        _ longest: Int
    ) throws(File.Failure) -> [String] {
        let length = min(pieceLength, (skipped + count) *| 1024)
        var (place, skipped) = (place, skipped)
        var lines: [String] = []
        var line: [UInt8] = []
        while lines.count < count {
            let piece = try file.read(length, at: place)
            guard !piece.isEmpty else { break }
            place += piece.count
            var start = 0
            while lines.count < count, start < piece.count {
                let end = newline(in: piece, from: start)
                if skipped == 0 { line += piece[start..<(end ?? piece.count)].prefix(longest - line.count) }
                guard let end else { break }
                start = end + 1
                if skipped > 0 {
                    skipped -= 1
                } else {
                    lines.append(String(decoding: line, as: UTF8.self))
                    line.removeAll(keepingCapacity: true)
                }
            }
        }
        return lines
    }
}
