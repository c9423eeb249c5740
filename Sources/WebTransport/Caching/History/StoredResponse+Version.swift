import HTTPTypes

extension StoredResponse {
    /// Whether another response of the same URL is the same version: the same to people and programs, whatever its fields say
    /// of time, validation, cookies and the connection.
    func isSameVersion(as other: StoredResponse) -> Bool {
        // A body that cannot be read is not known to be the same.
        hasSameHead(as: other) && (try? body.isEqual(to: other.body)) ?? false
    }

    /// Whether another response of the same URL is the same but for its body.
    func hasSameHead(as other: StoredResponse) -> Bool {
        guard status == other.status, isSameVariant(as: other) else { return false }
        return [HTTPField.Name.contentType, .location].allSatisfy {
            headerFields[values: $0] == other.headerFields[values: $0]
        }
    }
}

extension StoredBody {
    /// The checksum of its bytes.
    var checksum: UInt64 {
        switch self {
        case .bytes(let bytes): ContentHash.checksum(bytes)
        case .file(let file): file.checksum
        case .pieces(let pieces): pieces.checksum
        }
    }

    /// Calls `body` with its bytes, piece by piece, none of them empty.
    func forEachPiece(_ body: ([UInt8]) throws(File.Failure) -> Void) throws(File.Failure) {
        var position = 0
        while position < count {
            let piece = try bytes(position..<min(count, position + ContentHash.pieceLength))
            guard !piece.isEmpty else { throw File.Failure(errno: 0, "the body is truncated") }
            try body(piece)
            position += piece.count
        }
    }

    /// Whether another body has the same bytes.
    func isEqual(to other: StoredBody) throws(File.Failure) -> Bool {
        guard count == other.count, checksum == other.checksum else { return false }
        // A checksum finds accidents: who wants two bodies to have the same one can make them so.
        var position = 0
        while position < count {
            let range = position..<min(count, position + ContentHash.pieceLength)
            guard try bytes(range) == other.bytes(range) else { return false }
            position = range.upperBound
        }
        return true
    }
}
