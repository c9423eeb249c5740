/// Compares a record's digests with those that it states.
final class DigestCheck {
    private let blockStatement: Digest.Statement?
    private let payloadStatement: Digest.Statement?
    private var block: Digest?
    private var entity: Digest?
    /// Of the body with its chunks, which some writers took for the payload.
    private var raw: Digest?
    private var entityBytes: [UInt8]?

    /// Begins with what the fields say, nil where they say nothing.
    init(block: String?, payload: String?, isChunked: Bool) throws(ArchiveError) {
        blockStatement = block.map { Digest.parse($0) }
        payloadStatement = payload.map { Digest.parse($0) }
        if case .value(let value) = blockStatement { self.block = try Digest(value.algorithm) }
        if case .value(let value) = payloadStatement {
            entity = try Digest(value.algorithm)
            if isChunked { raw = try Digest(value.algorithm) }
        }
    }

    func takeBlock(_ bytes: UnsafeRawBufferPointer) { unsafe block?.update(bytes) }

    func takeEntity(_ bytes: UnsafeRawBufferPointer) { unsafe entity?.update(bytes) }

    /// Takes the body with its chunks once all of its entity was taken: it only counts if that has another digest.
    func takeWholeRaw(_ bytes: UnsafeRawBufferPointer) {
        guard raw != nil, case .value(let value) = payloadStatement else { return }
        entityBytes = entity?.finish()
        if entityBytes != value.bytes { unsafe raw?.update(bytes) }
    }

    func takeRaw(_ bytes: UnsafeRawBufferPointer) { unsafe raw?.update(bytes) }

    /// Returns findings for the digests that do not match, or are malformed.
    func findings(isCut: Bool) -> [(ArchiveFinding.Code, String)] {
        var findings: [(ArchiveFinding.Code, String)] = []
        switch blockStatement {
        case .malformed(let algorithm):
            findings.append((.blockDigest, "the block's digest is none of \(algorithm.rawValue)"))
        case .value(let value):
            if let bytes = block?.finish(), bytes != value.bytes {
                let text = Digest.Value(value.algorithm, bytes).text
                findings.append((.blockDigest, "the block has the digest \(text), not \(value.text)"))
            }
        case .unknown, nil: break
        }
        switch payloadStatement {
        case .malformed(let algorithm):
            findings.append((.payloadDigest, "the payload's digest is none of \(algorithm.rawValue)"))
        case .value(let value):
            if let bytes = entityBytes ?? entity?.finish(), bytes != value.bytes, raw?.finish() != value.bytes
            {
                let text = Digest.Value(value.algorithm, bytes).text
                findings.append((.payloadDigest, "the payload has the digest \(text), not \(value.text)"))
            }
        case .unknown, nil: break
        }
        return findings
    }
}
