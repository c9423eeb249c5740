import WebStandards

/// Finds where the records of a WARC that is not compressed end.
enum PlainChain {
    /// Bytes that a record's head may have.
    private static let maximumHead = 1 << 20

    /// Bytes that are read of a head at first.
    private static let pieceLength = 4 << 10

    /// Goes through the records from a place to the file's end.
    static func end(
        of file: borrowing File,
        from start: Int,
        size: Int
    ) throws(File.Failure) -> MemberChain.End {
        var place = start
        while place < size {
            switch try recordEnd(of: file, at: place, size: size) {
            case .whole(let end): place = end
            case .unfinished: return .unfinished(at: place)
            case .damaged: return .damaged(at: place)
            }
        }
        return .whole
    }

    private enum Record {
        case whole(end: Int)
        case unfinished
        case damaged
    }

    private static func recordEnd(
        of file: borrowing File,
        at place: Int,
        size: Int
    ) throws(File.Failure) -> Record {
        var length = pieceLength
        while true {
            let head = try file.read(min(length, size - place), at: place)
            guard head.starts(with: WARCForm.plain.magic.prefix(head.count)) else { return .damaged }
            if let body = blockStart(head) {
                guard let count = MessageHead(bytes: Array(head[..<body])).contentLength else {
                    return .damaged
                }
                let end = place +| body +| count +| 4
                guard end <= size else { return .unfinished }
                let last = try file.read(4, at: end - 4)
                return last == [0x0D, 0x0A, 0x0D, 0x0A] ? .whole(end: end) : .damaged
            }
            if head.count < length { return .unfinished }
            guard length < maximumHead else { return .damaged }
            length *= 4
        }
    }

    /// Where the block begins after a head; nil if the head does not end here.
    private static func blockStart(_ bytes: [UInt8]) -> Int? {
        var place = 0
        while let line = bytes[place...].firstIndex(of: 0x0A) {
            if line == place || line == place + 1 && bytes[place] == 0x0D { return line + 1 }
            place = line + 1
        }
        return nil
    }
}

extension MessageHead {
    /// The value of Content-Length; nil if it is missing or no number.
    fileprivate var contentLength: Int? {
        guard let text = self["Content-Length"], !text.isEmpty, text.utf8.allSatisfy(\.isASCIIDigit) else {
            return nil
        }
        return Int(bounded: text)
    }
}
