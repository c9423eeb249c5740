import WebArchive
import WebDatabase
import WebStandards

/// The records of an exchange, made where it was recorded, to be appended by the job's writer.
struct CrawlRecords: Sendable {
    /// A part of the records.
    enum Piece: Sendable {
        case bytes([UInt8])
        case file(SpooledRecord)
    }

    let pieces: [Piece]
    /// The payload to remember once the records are appended; `nil` if there is none, or it is already remembered.
    let payload: (digest: String, entry: PayloadMemory.Entry)?
    /// The exchange from which to make a `revisit` instead, if the payload was recorded before; its body cannot be read
    /// any more.
    let exchange: ArchivedExchange
    /// The page as rendered by its scripts, to be written after the records; `nil` if it is not recorded.
    var scripted: (type: String, markup: [UInt8])?

    /// Why the body was cut off; `nil` if it is complete.
    var truncated: String? { exchange.truncated }
    /// The number of bytes of the body, as received.
    var bodySize: Int { exchange.body?.count ?? 0 }
}

/// A record that is too large for memory, in an unnamed file.
///
/// It is written by its creator before it is shared, and only read afterwards, which is why it is Sendable.
final class SpooledRecord: @unchecked Sendable {
    private let file: TemporaryFile
    private var count = 0

    private static let pieceLength = 256 << 10

    /// Begins a record.
    ///
    /// - Parameter folder: The folder of the file.
    /// - Throws: ``File/Failure``.
    init(in folder: String) throws(File.Failure) {
        file = try TemporaryFile(".webloader-record-", in: Directory(folder))
    }

    /// Appends bytes, before the record is shared.
    func append(_ bytes: [UInt8]) throws(File.Failure) {
        try file.file.write(bytes, at: count)
        count += bytes.count
    }

    /// Calls `body` with the bytes, in pieces.
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
