import WebStandards

/// Reads the content of a part from the file, piece by piece.
enum MHTMLBodyReader {
    /// Returns the problem of a part's content; `nil` if there is none.
    static func fault(
        of head: MIMEHead,
        _ body: Range<Int>,
        isCut: Bool,
        in file: ArchiveFile
    ) throws(ArchiveError) -> String? {
        switch head.transferEncoding {
        case "", "7bit", "8bit", "binary", "quoted-printable": return nil
        case "base64":
            var decoder = Base64Decoder()
            var bytes: [UInt8] = []
            _ = unsafe try forEachPiece(of: body, in: file) { piece throws(ArchiveError) in
                bytes.removeAll(keepingCapacity: true)
                unsafe decoder.decode(piece, into: &bytes)
                return true
            }
            return decoder.garbage == 0 && (isCut || decoder.isValid)
                ? nil : "a part is said to be Base64, and is not in all places"
        default: return "the transfer encoding of a part is not known"
        }
    }

    /// Passes a part's decoded content to a sink; bytes that are invalid in its encoding are skipped.
    static func read(
        _ body: Range<Int>,
        _ head: MIMEHead,
        in file: ArchiveFile,
        _ sink: RecordReader.Sink
    ) throws(ArchiveError) {
        var bytes: [UInt8] = []
        switch head.transferEncoding {
        case "base64":
            var decoder = Base64Decoder()
            let isRead = unsafe try forEachPiece(of: body, in: file) { piece throws(ArchiveError) in
                bytes.removeAll(keepingCapacity: true)
                unsafe decoder.decode(piece, into: &bytes)
                return bytes.isEmpty ? true : unsafe try pass(bytes, to: sink)
            }
            guard isRead else { return }
            bytes.removeAll(keepingCapacity: true)
            decoder.finish(into: &bytes)
        case "quoted-printable":
            var decoder = QuotedPrintableDecoder()
            let isRead = unsafe try forEachPiece(of: body, in: file) { piece throws(ArchiveError) in
                bytes.removeAll(keepingCapacity: true)
                unsafe decoder.decode(piece, into: &bytes)
                return bytes.isEmpty ? true : unsafe try pass(bytes, to: sink)
            }
            guard isRead else { return }
            bytes.removeAll(keepingCapacity: true)
            decoder.finish(into: &bytes)
        default:
            _ = unsafe try forEachPiece(of: body, in: file) { piece throws(ArchiveError) in
                unsafe try sink(piece)
            }
        }
        if !bytes.isEmpty { _ = unsafe try pass(bytes, to: sink) }
    }

    /// Passes a range of a file to a closure, until that has enough; returns whether it took all.
    private static func forEachPiece(
        of range: Range<Int>,
        in file: ArchiveFile,
        _ body: (UnsafeRawBufferPointer) throws(ArchiveError) -> Bool
    ) throws(ArchiveError) -> Bool {
        var cursor = FileCursor(file, at: range.lowerBound)
        while cursor.offset < range.upperBound, try cursor.fill() {
            let piece = unsafe cursor.piece
            let count = min(piece.count, range.upperBound - cursor.offset)
            guard unsafe try body(UnsafeRawBufferPointer(rebasing: piece[..<count])) else { return false }
            cursor.advance(by: count)
        }
        return true
    }
}
