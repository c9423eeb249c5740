/// Verifies the checksum of a body's file, in steps that take some milliseconds each.
struct BodyCheck: Sendable {
    private var position = 0
    private var checksum: UInt64 = 0

    /// The outcome; nil until the check is finished.
    private(set) var result: Result?

    /// The outcome of a check.
    struct Result: Equatable, Sendable {
        /// Why the file is not what was written, nil where it is.
        let damage: String?
    }

    /// Pieces that are read per step.
    private static let step = 32

    /// The check after one more step.
    func advanced(in file: BodyFile) -> BodyCheck {
        var check = self
        for _ in 0..<Self.step where check.result == nil { check.readPiece(of: file) }
        return check
    }

    private mutating func readPiece(of file: BodyFile) {
        do throws(File.Failure) {
            if position == 0, try file.size() != file.count { return end("it does not match its checksum") }
            if position < file.count {
                let end = min(file.count, position + ContentHash.pieceLength)
                let piece = try file.bytes(position..<end)
                guard piece.count == end - position else { return self.end("it is truncated") }
                checksum = ContentHash.checksum(piece: piece.span, after: checksum)
                position = end
            }
            if position == file.count {
                end(checksum == file.checksum ? nil : "it does not match its checksum")
            }
        } catch {
            end(error.text)
        }
    }

    private mutating func end(_ damage: String?) {
        result = Result(damage: damage)
    }
}
