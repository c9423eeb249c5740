import WebStandards

/// Undoes gzip, of which there may be several members.
enum Gunzip {
    /// The most that is read of something of a size: nothing that is meant to be read grows a hundredfold.
    static func likelySize(_ size: Int) -> Int { max(64 << 20, size *| 100) }

    /// Returns the decompressed contents of a file, and the error that prevented the rest from being read.
    static func copy(
        _ file: ArchiveFile,
        maximumSize: Int
    ) throws(ArchiveError) -> (file: ArchiveFile, failure: ArchiveError?) {
        var copy = MemberCopy(name: file.path)
        var failure: ArchiveError?
        var count = 0
        do throws(ArchiveError) {
            let decoder = try ContentDecoder(archived: [.gzip], maximumSize: maximumSize)
            var offset = 0
            while true {
                let piece = try file.bytes(at: offset, count: 64 << 10)
                if piece.isEmpty { break }
                offset += piece.count
                try decode(piece, decoder) { decoded throws(ArchiveError) in
                    count += decoded.count
                    guard count <= maximumSize else {
                        throw ArchiveError(.limit, "\(file.path): it has more than \(maximumSize) bytes")
                    }
                    try copy.append(decoded)
                }
            }
            try decoder.finish(archived: ())
        } catch {
            guard error.code == .body || error.code == .limit else { throw error }
            failure = error
        }
        return (try copy.file(), failure)
    }

    private static func decode(
        _ piece: [UInt8],
        _ decoder: ContentDecoder,
        _ body: ([UInt8]) throws(ArchiveError) -> Void
    ) throws(ArchiveError) {
        var failure: ArchiveError?
        unsafe piece.withUnsafeBytes { bytes in
            var bytes = unsafe bytes
            do throws(ArchiveError) {
                _ = unsafe try decoder.decode(archived: &bytes) { decoded throws(ArchiveError) in
                    try body(unsafe Array(decoded))
                    return true
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }
}
