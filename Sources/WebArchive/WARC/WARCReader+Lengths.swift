import WebStandards

extension WARCReader {
    /// Looks whether the record ends where its length says; if not, where it does.
    func measure(_ head: inout RecordHead) throws(ArchiveError) {
        guard let length = head.length else {
            report(.length, head.lengthProblem ?? "the record has no length")
            let found = try lengthToNext(from: 0)
            // No more of it is read than was looked at.
            if found == nil, try stream.fill(stream.count + 1) { isCut = true }
            blockLeft = found ?? stream.count
            isMeasured = true
            isCorrected = true
            return
        }
        blockLeft = length
        if let left = stream.bytesLeft, length > left {
            let found = try lengthToNext(from: 0)
            if found == nil {
                // It is the last; what is there of it is read.
                isCut = true
                report(.truncated, "the record has \(left) bytes of \(length)")
            } else {
                report(.length, "the record does not have the \(length) bytes of its length")
            }
            blockLeft = found ?? left
            isMeasured = true
        } else if stream.packing == .none {
            guard let bytes = try stream.peek(length, count: 64) else {
                if length <= Self.longestLook, try stream.fill(length +| 64) || stream.count >= length {
                    try settle(length)
                }
                return
            }
            isMeasured = true
            if !Self.isEnd(bytes, isARC: isARC) { try correct(length) }
        } else if length <= Self.longestLook {
            _ = try stream.fill(max(1, length))
            try settle(length)
        }
    }

    /// Looks at the end of a block that is at hand, of a member.
    func settle(_ length: Int) throws(ArchiveError) {
        let position = stream.position
        let memberEnd = stream.memberEnd(after: position - (length == 0 ? 1 : 0)).map { $0 - position }
        if let memberEnd, memberEnd >= length {
            isMeasured = true
            let rest = unsafe Array(stream.window[length..<min(memberEnd, length + 64)])
            if !Self.isEnd(rest, isARC: isARC) { try correct(length) }
            return
        }
        if let memberEnd, stream.count <= memberEnd { _ = try stream.fill(memberEnd + 32) }
        if let memberEnd {
            let next = unsafe UnsafeRawBufferPointer(rebasing: stream.window[min(memberEnd, stream.count)...])
            if unsafe next.isEmpty && stream.damage == nil || RecordStart.isVersion(next) {
                report(.length, "the record's member ends before the \(length) bytes of its length")
                blockLeft = trimmedEnd(memberEnd, isFound: unsafe !next.isEmpty)
                isCut = unsafe next.isEmpty
                isMeasured = true
                return
            }
        }
        if memberEnd != nil { report(.length, Self.goesOn) }
        guard stream.count >= length else { return }
        _ = try stream.fill(length + 64)
        isMeasured = true
        let rest = unsafe Array(stream.window[length..<min(stream.count, length + 64)])
        if !Self.isEnd(rest, isARC: isARC) { try correct(length) }
    }

    static let goesOn = "the record goes on in another member, which should be a record's own"

    /// Whether bytes are what is behind a block: line ends, and then nothing or a record.
    static func isEnd(_ bytes: [UInt8], isARC: Bool) -> Bool {
        let rest = bytes.drop { isLineEnd($0) }
        if rest.isEmpty { return true }
        // Behind two empty lines may be damage of the next record.
        if !isARC, bytes.dropLast(rest.count).filter({ $0 == 0x0A }).count >= 2 { return true }
        if isARC {
            // A line of an ARC may be longer than what is looked at.
            return rest.count < bytes.count && rest[rest.startIndex].isASCIIAlpha
        }
        return rest.starts(with: "WARC/".utf8.prefix(rest.count))
    }

    /// Corrects a length that leads to no record's end.
    func correct(_ length: Int) throws(ArchiveError) {
        report(.length, "the record does not end where its length of \(length) bytes says")
        isCorrected = true
        let looked = min(length, Self.longestLook)
        _ = try stream.fill(looked)
        let window = unsafe UnsafeRawBufferPointer(rebasing: stream.window.prefix(looked))
        if let found = RecordStart.find(in: window, from: 0, isARC: isARC) {
            blockLeft = trimmedEnd(found, isFound: true)
        }
    }

    /// Bytes to the end of the block of a record whose length is not known, by what comes next; nil if nothing does.
    func lengthToNext(from start: Int) throws(ArchiveError) -> Int? {
        var start = start
        var size = 64 << 10
        while true {
            let isAll = try !stream.fill(size)
            let position = stream.position
            // The member's end, if the next begins with a record.
            if let end = stream.memberEnd(after: position).map({ $0 - position }), end <= stream.count {
                if end == stream.count { _ = try stream.fill(end + 32) }
                let inside = unsafe UnsafeRawBufferPointer(rebasing: stream.window[..<end])
                if let found = RecordStart.find(in: inside, from: 0, isARC: isARC) {
                    return trimmedEnd(found, isFound: true)
                }
                let next = unsafe UnsafeRawBufferPointer(rebasing: stream.window[end...])
                if unsafe next.isEmpty || RecordStart.isVersion(next) || isARC {
                    return trimmedEnd(end, isFound: true)
                }
            }
            let window = unsafe stream.window
            if let found = RecordStart.find(in: window, from: start, isARC: isARC),
                found + 16 <= window.count || isAll
            {
                return trimmedEnd(found, isFound: true)
            }
            if isAll { return nil }
            if size >= Self.longestLook { return nil }
            start = max(0, window.count - 64)
            // The next line may begin within what was looked at.
            while start > 0, unsafe window[start - 1] != 0x0A { start -= 1 }
            size = min(size * 4, Self.longestLook)
        }
    }

    /// A block's end before the two empty lines that stand before a place in the window.
    func trimmedEnd(_ place: Int, isFound: Bool) -> Int {
        guard isFound else { return place }
        var end = place
        let window = unsafe stream.window
        for _ in 0..<(isARC ? 1 : 2) {
            guard end > 0, unsafe window[end - 1] == 0x0A else { break }
            end -= 1
            if end > 0, unsafe window[end - 1] == 0x0D { end -= 1 }
        }
        return end
    }
}
