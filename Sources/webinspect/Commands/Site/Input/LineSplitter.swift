import WebLoader

/// Splits bytes into lines, of which each takes bounded memory, however long it is.
struct LineSplitter {
    /// A line without its end.
    enum Line: Sendable {
        case whole(ArraySlice<UInt8>)
        /// It has more bytes than are kept; none is.
        case tooLong
    }

    /// A line and its place among all.
    struct Numbered: Sendable {
        /// From 1.
        let number: Int
        /// Where it begins, in bytes.
        let offset: Int
        /// Its bytes without the line feed, also of one that is not kept.
        let length: Int
        let line: Line
    }

    /// The most bytes of a line.
    static let maximumLength = 64 << 20

    private let maximumLength: Int
    private var rest: [UInt8] = []
    /// Bytes of the line that is read, kept or not.
    private var length = 0
    private var number = 0
    private var offset = 0

    init(maximumLength: Int = Self.maximumLength) {
        self.maximumLength = maximumLength
    }

    /// How many bytes wait for the end of their line.
    var unfinishedCount: Int { rest.count }

    /// Goes on from the beginning of a line that is not the first.
    mutating func begin(at offset: Int, after number: Int) {
        self.offset = offset
        self.number = number
    }

    /// Takes bytes, and returns the lines that end in them.
    mutating func add(_ bytes: [UInt8]) -> [Numbered] {
        var lines: [Numbered] = []
        var start = 0
        while let end = bytes[start...].firstIndex(of: 0x0A) {
            let piece = bytes[start..<end]
            if rest.isEmpty, length == 0 {
                length = piece.count
                lines.append(finished(piece.count <= maximumLength ? .whole(piece) : .tooLong))
            } else {
                keep(piece)
                lines.append(finish())
            }
            start = end + 1
        }
        keep(bytes[start...])
        return lines
    }

    /// The last line, if something is behind the last line feed.
    mutating func end() -> Numbered? { length > 0 ? finish() : nil }

    private mutating func keep(_ piece: ArraySlice<UInt8>) {
        length = length +| piece.count
        if length <= maximumLength {
            rest += piece
        } else {
            rest = []
        }
    }

    private mutating func finish() -> Numbered {
        let line: Line = length <= maximumLength ? .whole(rest[...]) : .tooLong
        rest = []
        return finished(line)
    }

    private mutating func finished(_ line: Line) -> Numbered {
        number += 1
        defer {
            offset = offset +| length +| 1
            length = 0
        }
        return Numbered(number: number, offset: offset, length: length, line: line)
    }
}

extension LineSplitter.Numbered {
    /// The input on the line; `nil` if the line is empty.
    var input: PageInput? {
        switch line {
        case .whole(let bytes):
            // A byte order mark is no part of the first line.
            let hasMark = number == 1 && bytes.starts(with: [0xEF, 0xBB, 0xBF])
            return PageInput(hasMark ? bytes.dropFirst(3) : bytes, number: number)
        case .tooLong:
            let message = "the line is longer than \(LineSplitter.maximumLength) bytes"
            return PageInput(number: number, .failure(Failure(input: message, code: "input.line")))
        }
    }
}
