import CArchive

/// Compresses records into members of their own.
@safe final class MemberCompressor {
    private let compressor: OpaquePointer

    /// Bytes that are handed on at once of what is compressed piece by piece.
    private static let pieceLength = 256 << 10

    /// Creates a compressor.
    ///
    /// - Parameters:
    ///   - form: The members' form.
    ///   - level: The library's own level.
    /// - Throws: ``ArchiveError/Code/unavailable`` if the library is not there.
    init(_ form: webl_member_form, level: Int) throws(ArchiveError) {
        guard let compressor = unsafe webl_compressor_create(form, Int32(clamping: level)) else {
            let name = form == WEBL_MEMBER_GZIP ? "zlib" : "libzstd"
            throw ArchiveError(.unavailable, "the archive cannot be compressed: \(name) is not there")
        }
        unsafe self.compressor = compressor
    }

    deinit {
        unsafe webl_compressor_free(compressor)
    }

    /// A member that has the bytes.
    func compress(_ bytes: [UInt8]) throws(ArchiveError) -> [UInt8] {
        let room = unsafe webl_compressor_bound(compressor, bytes.count)
        let member = unsafe [UInt8](unsafeUninitializedCapacity: room) { buffer, count in
            count = unsafe bytes.withUnsafeBufferPointer { bytes in
                unsafe webl_compressor_whole(
                    compressor,
                    bytes.baseAddress,
                    bytes.count,
                    buffer.baseAddress,
                    buffer.count
                )
            }
        }
        guard !member.isEmpty else { throw Self.failed }
        return member
    }

    /// Begins a member whose content comes in pieces.
    ///
    /// - Parameter size: Bytes of its content.
    /// - Throws: ``ArchiveError`` if there is no memory for it.
    func begin(size: Int) throws(ArchiveError) {
        guard unsafe webl_compressor_begin(compressor, size) != 0 else { throw Self.failed }
    }

    /// Compresses the next piece of a member.
    ///
    /// - Parameters:
    ///   - bytes: The piece.
    ///   - isLast: Whether the member ends with it.
    ///   - write: Takes compressed bytes.
    /// - Throws: ``ArchiveError`` if it cannot be compressed; what the closure throws.
    func add(
        _ bytes: [UInt8],
        isLast: Bool = false,
        _ write: ([UInt8]) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        var start = 0
        while true {
            var result = WEBL_COMPRESS_FAILED
            let piece = unsafe [UInt8](unsafeUninitializedCapacity: Self.pieceLength) { buffer, count in
                unsafe bytes.withUnsafeBufferPointer { bytes in
                    var inputLeft = bytes.count - start
                    var outputLeft = buffer.count
                    unsafe result = webl_compressor_step(
                        compressor,
                        bytes.baseAddress.map { unsafe $0 + start },
                        &inputLeft,
                        buffer.baseAddress,
                        &outputLeft,
                        isLast ? 1 : 0
                    )
                    start = bytes.count - inputLeft
                    count = buffer.count - outputLeft
                }
            }
            guard result != WEBL_COMPRESS_FAILED else { throw Self.failed }
            if !piece.isEmpty { try write(piece) }
            if result == WEBL_COMPRESS_END { return }
            // With room left, it has taken all that was there.
            if !isLast, start == bytes.count, piece.count < Self.pieceLength { return }
        }
    }

    private static let failed = ArchiveError(.unwritable, "a record could not be compressed")
}
