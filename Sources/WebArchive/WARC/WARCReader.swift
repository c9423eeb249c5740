import WebStandards

/// Reads the records of a WARC or an ARC, one after the other, compressed by gzip or Zstandard or uncompressed.
///
/// Damaged bytes are skipped: reading continues at the next record that can be found.
///
/// [WARC 1.1](https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1-annotated/)
package final class WARCReader: RecordReader {
    let file: ArchiveFile
    var stream: UnpackedStream
    var findings: [ArchiveFinding] = []

    /// The head of the current record; nil before the first and after the last.
    var head: RecordHead?
    /// Where the current record begins.
    var offset = 0
    /// Bytes of its block that were not read yet.
    var blockLeft = 0
    /// Whether its length was found to be right, or was corrected.
    var isMeasured = false
    /// Whether it was said that its length is wrong, so that what is behind it need not be.
    var isCorrected = false
    /// The position where it begins.
    var startPosition = 0
    /// Whether a packed member begins with it.
    var beginsMember = false
    private var extents = RecordExtents()
    /// Where the members begin that follow each other up to the file's end; negative as long as nothing was damaged.
    private var intactOffset = -1
    /// Bytes of the HTTP head at the block's start, the empty line included.
    var messageHeadLength = 0
    /// Whether that head is longer than what is read of it, so that nobody knows where the body begins.
    var isMessageHeadTooLong = false
    var framing: BodyFraming?
    /// Records that may still be looked through for the rest of those that were cut in segments.
    var segmentLooks = 100_000
    /// Whether the file was looked through for what is packed behind garbage.
    var hasLookedForPacked = false
    /// How far into the stream there is no end of a head, so that no candidate for one has it looked through again.
    var headSearchedTo = 0
    var isBlockStarted = false
    var recordLength: Int?
    var isFinished = true
    /// Whether it ended before its block did.
    var isCut = false
    var isARC = false

    /// Whether bytes were skipped that may have been records.
    var hasLost = false
    /// Records that were found.
    var recordCount = 0
    /// Whether the whole file is read: without a record it is not an archive.
    private let isWhole: Bool

    lazy var decoder = PayloadDecoder()

    /// The most bytes of the head of a record, and of the head of its HTTP message.
    static let longestHead = 1 << 20
    /// The most bytes that are unpacked to see whether a record ends where it says.
    static let longestLook = 8 << 20

    /// Begins at the start of a file, or at a record in it.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - offset: Where the record's member begins, or the record if it is not packed.
    /// - Throws: ``ArchiveError`` if it cannot be read.
    package init(_ file: ArchiveFile, at offset: Int = 0) throws(ArchiveError) {
        self.file = file
        isWhole = offset == 0
        stream = try UnpackedStream(
            file,
            at: offset,
            packing: try UnpackedStream.packing(of: file, at: offset)
        )
    }

    package func takeFindings() -> [ArchiveFinding] {
        defer { findings.removeAll() }
        return findings
    }

    /// Findings that are kept until somebody takes them.
    private static let mostFindings = 1000

    func report(_ code: ArchiveFinding.Code, at offset: Int? = nil, _ message: String) {
        guard findings.count < Self.mostFindings else { return }
        findings.append(ArchiveFinding(code, offset: offset ?? self.offset, message))
    }

    // MARK: - From record to record

    package func next() throws(ArchiveError) -> ArchiveRecord? {
        try finishRecord()
        head = nil
        while true {
            while try stream.fill(1), unsafe Self.isLineEnd(stream.window[0]) { stream.drop(1) }
            guard try stream.fill(1) else {
                if try goOnAfterDamage() { continue }
                guard recordCount > 0 || !isWhole else {
                    throw ArchiveError(.notAnArchive, "\(file.path): there is no record in it")
                }
                return nil
            }
            offset = stream.offset
            startPosition = stream.position
            beginsMember = stream.beginsMember
            _ = try stream.fill(32)
            if unsafe RecordStart.isVersion(stream.window) {
                if try readHead() { break }
            } else if try isARCLine() {
                if try readARCLine() { break }
            } else {
                report(.header, "there is no record where one should begin")
                hasLost = true
                if try passBlock() { continue }
                let (garbage, place) = (stream, stream.position)
                try findRecord(from: 0)
                // The search must advance, even if it takes these bytes for a start.
                if stream === garbage, stream.position == place { stream.drop(min(1, stream.count)) }
            }
        }
        recordCount += 1
        guard let head else { return nil }
        return head.record
    }

    /// Continues after damage of the compression if another member is found; returns false at the end.
    func goOnAfterDamage() throws(ArchiveError) -> Bool {
        guard let damage = stream.damage else { return false }
        report(damage.code, at: damage.offset, damage.message)
        hasLost = true
        guard try stream.resynchronize() else { return false }
        // A truncated member contains all that is found after it, and a reader of one record does not need later ones.
        var intact = Int.largestBounded
        if damage.code != .truncated, isWhole {
            if intactOffset < 0 { intactOffset = try stream.intactOffset() }
            intact = intactOffset
        }
        extents.addDamage(at: damage.offset, damage.code, intact: intact)
        return true
    }

    /// Notes how far a record reaches, and whether it is found inside of another.
    func noteExtent(of head: inout RecordHead) {
        let end = stream.position +| (head.length ?? 0)
        let range = startPosition..<max(startPosition, end)
        guard let cause = extents.add(at: offset, range, beginsMember: beginsMember) else { return }
        head.record.isRecovered = true
        report(
            cause,
            "the record is found inside of another, of whose body it may be a part: it answers nothing"
        )
    }

    /// Notes the true end of a record whose length is wrong.
    ///
    /// The record ends where the next one was found if its block then matches its digest, which no server can choose;
    /// so does a record with neither a length nor a digest. A record found inside of another does not show where the
    /// other ends.
    func correctExtent(of head: RecordHead) throws(ArchiveError) {
        guard !head.record.isRecovered, isCorrected || head.length.map({ blockLeft < $0 }) ?? true else {
            return
        }
        // If the length is too small, the next record is behind it.
        let end = blockLeft == head.length ? try lengthToNext(from: blockLeft) : blockLeft
        if case .value(let value) = head.blockDigest.map({ Digest.parse($0) }) {
            if let end, end <= stream.count {
                var digest = try Digest(value.algorithm)
                unsafe digest.update(UnsafeRawBufferPointer(rebasing: stream.window[..<end]))
                if digest.finish() == value.bytes { return extents.correctEnd(stream.position + end) }
            }
        } else if head.length == nil {
            return
        }
        extents.correctEnd(.largestBounded)
    }

    static func isLineEnd(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }

    // MARK: - Blocks

    /// Passes the pieces of what is left of the block to a closure, until that has enough.
    ///
    /// It takes pieces, and whether each is the last.
    func readPieces(_ body: RecordReader.Sink) throws(ArchiveError) {
        isBlockStarted = true
        while blockLeft > 0 {
            guard try stream.fill(1) else {
                if !isCut { report(.truncated, "the record ends \(blockLeft) bytes before its length") }
                isCut = true
                blockLeft = 0
                return
            }
            if !isMeasured, stream.position > startPosition, stream.endOffset(at: stream.position) != nil,
                unsafe !RecordStart.isVersion(stream.window)
            {
                report(.length, Self.goesOn)
                isMeasured = true
            }
            if !isMeasured, isNextRecord() {
                report(.length, "the record's member ends \(blockLeft) bytes before its length")
                isCut = true
                blockLeft = 0
                return
            }
            let window = unsafe stream.window
            var count = min(window.count, blockLeft)
            if !isMeasured, let end = stream.memberEnd(after: stream.position) {
                count = min(count, end - stream.position)
            }
            let goesOn = unsafe try body(UnsafeRawBufferPointer(rebasing: window[..<count]))
            stream.drop(count)
            blockLeft -= count
            if !goesOn { return }
        }
    }

    /// Whether a member begins here, and a record with it.
    func isNextRecord() -> Bool {
        unsafe stream.endOffset(at: stream.position) != nil && stream.position > startPosition
            && RecordStart.isVersion(stream.window)
    }

    /// Passes over the head of the HTTP message.
    func skipMessageHead() throws(ArchiveError) {
        isBlockStarted = true
        let count = min(messageHeadLength, blockLeft)
        blockLeft -= try stream.skip(count)
    }

    /// Passes over what is left of the record.
    func finishRecord() throws(ArchiveError) {
        guard !isFinished else { return }
        isFinished = true
        if isMeasured || stream.packing == .none {
            blockLeft -= try stream.skip(blockLeft)
            if blockLeft > 0, !isCut {
                report(.truncated, "the record ends \(blockLeft) bytes before its length")
            }
        } else {
            unsafe try readPieces { _ throws(ArchiveError) in true }
        }
        var end: Int?
        while true {
            let hasMore = try stream.fill(1)
            if stream.packing != .none, stream.position > startPosition {
                end = stream.endOffset(at: stream.position)
                if end != nil { break }
            }
            guard hasMore, unsafe Self.isLineEnd(stream.window[0]) else { break }
            stream.drop(1)
        }
        if stream.packing == .none { end = stream.offset }
        recordLength = end.map { $0 - offset }
        if !isMeasured, !isCut, end == nil, try stream.fill(5), unsafe !RecordStart.isVersion(stream.window),
            !isARC
        {
            report(.length, "the record does not end where its length says")
            extents.correctEnd(.largestBounded)
            try findRecord(from: 0)
        } else if isCorrected, end == nil || stream.packing == .none, try stream.fill(16), !isARC,
            unsafe !RecordStart.isVersion(stream.window)
        {
            try findRecord(from: 0)
        }
    }

    package func currentLength() throws(ArchiveError) -> Int? {
        try finishRecord()
        return recordLength
    }

    package func readBlock(_ sink: Sink) throws(ArchiveError) {
        guard head != nil, !isBlockStarted else { return }
        unsafe try readPieces(sink)
    }
}
