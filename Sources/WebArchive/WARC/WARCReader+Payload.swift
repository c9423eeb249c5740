import WebStandards

extension WARCReader {
    package func readPayload(_ sink: Sink) throws(ArchiveError) { unsafe try read(framing, sink) }

    package func readEntity(_ sink: Sink) throws(ArchiveError) -> Bool {
        unsafe try read(framing?.withoutCodings, sink)
        return true
    }

    /// Passes the payload without what a framing says of it, which is known once the head of the message is read.
    private func read(_ framing: @autoclosure () -> BodyFraming?, _ sink: Sink) throws(ArchiveError) {
        guard let head else { return }
        guard head.record.kind != .revisit else {
            throw ArchiveError(.bodyMissing, "the record is a revisit: another has its body")
        }
        guard !isMessageHeadTooLong else {
            throw ArchiveError(.body, "nobody knows where the body begins: the head before it is too long")
        }
        try skipMessageHead()
        let isSegmented = head.segment == 1
        unsafe decoder.onEntity = nil
        decoder.begin(framing(), size: isSegmented ? nil : blockLeft)
        var goesOn = true
        unsafe try readPieces { piece throws(ArchiveError) in
            goesOn = unsafe try decoder.take(piece, sink)
            return goesOn
        }
        var isWhole = true
        if isSegmented, goesOn { isWhole = unsafe try readSegments(of: head, decoder, sink) }
        let isCutOnPurpose = head.record.truncated != nil
        unsafe try decoder.finish(isCut: !goesOn && decoder.problem == nil || isCutOnPurpose || isCut, sink)
        if let problem = decoder.problem { throw ArchiveError(.body, problem.message) }
        if isCut, !decoder.hasAll { throw ArchiveError(.body, "the record ends before its body does") }
        if !isWhole { throw ArchiveError(.body, "a segment of the body is not in the file") }
    }

    /// Passes the segments of a record that come later in the file; returns whether all are there.
    func readSegments(
        of first: RecordHead,
        _ decoder: PayloadDecoder,
        _ sink: Sink
    ) throws(ArchiveError) -> Bool {
        guard file.isSeekable, let id = first.record.id else { return false }
        let begin = offset
        let reader = try WARCReader(file, at: begin)
        _ = try reader.next()
        var expected = 2
        while segmentLooks > 0 {
            segmentLooks -= 1
            guard let record = try reader.next(), let head = reader.head else { return false }
            _ = reader.takeFindings()
            guard record.kind == .continuation, !record.isRecovered, head.segmentOrigin == id,
                head.segment == expected
            else {
                continue
            }
            expected += 1
            var goesOn = true
            unsafe try reader.readPieces { piece throws(ArchiveError) in
                goesOn = unsafe try decoder.take(piece, sink)
                return goesOn
            }
            if !goesOn || head.segmentTotal != nil { return true }
        }
        return false
    }
}
