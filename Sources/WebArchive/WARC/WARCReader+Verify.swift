import WebStandards

extension WARCReader {
    /// Checks the current record: its digests, its body, and what a revisit refers to.
    func verifyRecord(_ revisits: inout RevisitCheck) throws(ArchiveError) {
        guard let head else { return }
        revisits.take(head.record, at: offset)
        let isSegmented = head.segment == 1 && head.record.kind != .continuation
        let hasPayload = head.record.kind != .revisit && head.record.kind != .continuation && !isSegmented
        let payloadDigest = hasPayload ? head.record.payloadDigest : nil
        let check = try DigestCheck(
            block: head.blockDigest,
            payload: payloadDigest,
            isChunked: framing?.isChunked ?? false
        )
        try readChecked(head, check, hasPayload: hasPayload)
        for finding in check.findings(isCut: isCut) { report(finding.0, finding.1) }
        if isSegmented { try verifySegments() }
    }

    private func readChecked(
        _ head: RecordHead,
        _ check: DigestCheck,
        hasPayload: Bool
    ) throws(ArchiveError) {
        var headLeft = messageHeadLength
        // A body without fields decodes to itself.
        let isDecoded = hasPayload && framing != nil
        if isDecoded {
            unsafe decoder.onEntity = { unsafe check.takeEntity($0) }
            decoder.begin(framing, size: max(0, blockLeft - headLeft))
        }
        var takesMore = true
        let size = blockLeft
        unsafe try readPieces { piece throws(ArchiveError) in
            unsafe check.takeBlock(piece)
            let skipped = min(headLeft, piece.count)
            headLeft -= skipped
            let body = unsafe UnsafeRawBufferPointer(rebasing: piece[skipped...])
            if !isDecoded {
                if hasPayload { unsafe check.takeEntity(body) }
            } else if unsafe !body.isEmpty {
                if piece.count < size { unsafe check.takeRaw(body) }
                if takesMore { takesMore = unsafe try decoder.take(body) { _ throws(ArchiveError) in true } }
                if piece.count == size { unsafe check.takeWholeRaw(body) }
            }
            return true
        }
        guard isDecoded else { return }
        unsafe decoder.onEntity = nil
        unsafe try decoder.finish(isCut: head.record.truncated != nil || isCut) { _ throws(ArchiveError) in
            true
        }
        if let problem = decoder.problem { report(problem.code, problem.message) }
    }

    /// Checks the payload of a record whose other segments are in later records.
    private func verifySegments() throws(ArchiveError) {
        guard file.isSeekable else { return }
        let reader = try WARCReader(file, at: offset)
        reader.segmentLooks = segmentLooks
        defer { segmentLooks = reader.segmentLooks }
        guard try reader.next() != nil, let head = reader.head,
            head.record.id == self.head?.record.id
        else { return }
        let check = try DigestCheck(
            block: nil,
            payload: head.record.payloadDigest,
            isChunked: reader.framing?.isChunked ?? false
        )
        try reader.skipMessageHead()
        let decoder = PayloadDecoder()
        unsafe decoder.onEntity = { unsafe check.takeEntity($0) }
        decoder.begin(reader.framing, size: nil)
        unsafe try reader.readPieces { piece throws(ArchiveError) in
            unsafe try decoder.take(piece) { _ throws(ArchiveError) in true }
        }
        let isWhole = unsafe try reader.readSegments(of: head, decoder) { _ throws(ArchiveError) in true }
        // The segments may be in another file.
        guard isWhole else { return }
        unsafe try decoder.finish(isCut: head.record.truncated != nil) { _ throws(ArchiveError) in true }
        if let problem = decoder.problem { report(problem.code, problem.message) }
        for finding in check.findings(isCut: false) { report(finding.0, finding.1) }
    }
}
