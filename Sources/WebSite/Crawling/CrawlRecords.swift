import WebArchive
import WebDatabase
import WebStandards

/// The records of an exchange, made where it was recorded, to be appended by the job's writer.
struct CrawlRecords: Sendable {
    /// A part of them.
    enum Piece: Sendable {
        case bytes([UInt8])
        case file(SpooledRecord)
    }

    let pieces: [Piece]
    /// The payload that is to be remembered, once they are appended; nil for none, and for one that is remembered already.
    let payload: (digest: String, entry: PayloadMemory.Entry)?
    /// What a `revisit` is made of in their place, if another had the payload first; its body cannot be read any more.
    let exchange: ArchivedExchange
    /// The page as its scripts make it, to be written behind it; nil where that is not kept.
    var scripted: (type: String, markup: [UInt8])?

    /// Why the body was cut off; nil if it is whole.
    var truncated: String? { exchange.truncated }
    /// Bytes of the body as it came.
    var bodySize: Int { exchange.body?.count ?? 0 }
}

/// A record that is too large for memory, in a file without a name.
///
/// It is written by the one that makes it, before anybody else has it, and only read afterwards: which is why it is Sendable.
final class SpooledRecord: @unchecked Sendable {
    private let file: TemporaryFile
    private var count = 0

    private static let pieceLength = 256 << 10

    /// Begins a record.
    ///
    /// - Parameter folder: Where its file is.
    /// - Throws: ``File/Failure``.
    init(in folder: String) throws(File.Failure) {
        file = try TemporaryFile(".webloader-record-", in: Directory(folder))
    }

    /// Appends bytes, while it is made.
    func append(_ bytes: [UInt8]) throws(File.Failure) {
        try file.file.write(bytes, at: count)
        count += bytes.count
    }

    /// Passes its bytes on in pieces.
    func forEachPiece(_ body: ([UInt8]) throws(StateError) -> Void) throws(StateError) {
        var position = 0
        while position < count {
            let piece: [UInt8]
            do throws(File.Failure) {
                piece = try file.file.read(min(Self.pieceLength, count - position), at: position)
            } catch {
                throw StateError(.unreadable, "the temporary file of a record: \(error.text)")
            }
            guard !piece.isEmpty else {
                throw StateError(.unreadable, "the temporary file of a record ends too early")
            }
            try body(piece)
            position += piece.count
        }
    }
}
