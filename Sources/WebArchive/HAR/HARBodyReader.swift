import WebStandards

/// Reads the body of an entry of a HAR out of the file, a piece at a time.
struct HARBodyReader {
    let file: ArchiveFile

    /// Bytes of a text in another encoding that are kept at most: a longer one is read as UTF-8.
    private static let maximumEncodedSize = 64 << 20

    /// Whether a string is Base64 to its end.
    func isBase64(_ range: Range<Int>) throws(ArchiveError) -> Bool {
        var decoder = Base64Decoder()
        var bytes: [UInt8] = []
        _ = try forEachPiece(of: range) { piece throws(ArchiveError) in
            bytes.removeAll(keepingCapacity: true)
            decoder.decode(piece, into: &bytes)
            return decoder.garbage == 0
        }
        return decoder.isValid
    }

    /// Passes a body's bytes to a sink.
    func read(_ entry: HAREntry, _ sink: RecordReader.Sink) throws(ArchiveError) {
        switch entry.body {
        case .missing: throw ArchiveError(.bodyMissing, "the archive does not have the body")
        case .empty: return
        case .text(let range): unsafe try readText(range, of: entry, sink)
        case .base64(let range):
            // Firefox says so of texts too.
            if try isBase64(range) {
                unsafe try readBase64(range, sink)
            } else {
                unsafe try readText(range, of: entry, sink)
            }
        }
    }

    private func readBase64(_ range: Range<Int>, _ sink: RecordReader.Sink) throws(ArchiveError) {
        var decoder = Base64Decoder()
        var bytes: [UInt8] = []
        let isRead = try forEachPiece(of: range) { piece throws(ArchiveError) in
            bytes.removeAll(keepingCapacity: true)
            decoder.decode(piece, into: &bytes)
            return bytes.isEmpty ? true : unsafe try pass(bytes, to: sink)
        }
        bytes.removeAll(keepingCapacity: true)
        decoder.finish(into: &bytes)
        if isRead, !bytes.isEmpty { _ = unsafe try pass(bytes, to: sink) }
    }

    /// A text is Unicode, whatever it was: its bytes are those of the encoding that its type names, as its reader expects.
    private func readText(
        _ range: Range<Int>,
        of entry: HAREntry,
        _ sink: RecordReader.Sink
    ) throws(ArchiveError) {
        var bytes: [UInt8]?
        if let encoding = entry.encoding, encoding != .utf8 {
            bytes = try encoded(range, encoding)
        } else if let count = entry.byteCount {
            bytes = try singleBytes(range, count: count)
        }
        if let bytes {
            _ = unsafe try pass(bytes, to: sink)
            return
        }
        _ = try forEachPiece(of: range) { piece throws(ArchiveError) in unsafe try pass(piece, to: sink) }
    }

    /// A text in another encoding; nil if that cannot write it.
    private func encoded(_ range: Range<Int>, _ encoding: TextEncoding) throws(ArchiveError) -> [UInt8]? {
        guard encoding != .replacement, let text = try text(range) else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.utf8.count)
        if encoding == .utf16LE || encoding == .utf16BE {
            for unit in text.utf16 {
                let (high, low) = (UInt8(truncatingIfNeeded: unit >> 8), UInt8(truncatingIfNeeded: unit))
                bytes += encoding == .utf16BE ? [high, low] : [low, high]
            }
            return bytes
        }
        var encoder = TextEncoder(encoding)
        for scalar in text.unicodeScalars {
            guard encoder.encode(scalar, into: &bytes) else { return nil }
        }
        encoder.finish(into: &bytes)
        return bytes
    }

    /// Returns the bytes of a body that is written as one character per byte, as by some producers.
    ///
    /// `count` is the number of bytes. Returns `nil` if it shows that the text is not written so.
    private func singleBytes(_ range: Range<Int>, count: Int) throws(ArchiveError) -> [UInt8]? {
        guard let text = try text(range), text.utf8.count > count else { return nil }
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            bytes.append(byte)
        }
        return bytes.count == count ? bytes : nil
    }

    /// A string as a whole; nil if it is too long, or is no Unicode.
    private func text(_ range: Range<Int>) throws(ArchiveError) -> String? {
        guard range.count <= Self.maximumEncodedSize else { return nil }
        var utf8: [UInt8] = []
        _ = try forEachPiece(of: range) { piece throws(ArchiveError) in
            utf8 += piece
            return true
        }
        return String(validating: utf8, as: UTF8.self)
    }

    /// Passes what a string stands for to a closure, until that has enough; returns whether it took all.
    private func forEachPiece(
        of range: Range<Int>,
        _ body: ([UInt8]) throws(ArchiveError) -> Bool
    ) throws(ArchiveError) -> Bool {
        var cursor = FileCursor(file, at: range.lowerBound)
        var decoder = JSONStringDecoder()
        var bytes: [UInt8] = []
        while cursor.offset < range.upperBound, try cursor.fill() {
            let piece = unsafe cursor.piece
            let count = min(piece.count, range.upperBound - cursor.offset)
            bytes.removeAll(keepingCapacity: true)
            unsafe decoder.decode(UnsafeRawBufferPointer(rebasing: piece[..<count]), into: &bytes)
            cursor.advance(by: count)
            if !bytes.isEmpty, try !body(bytes) { return false }
        }
        bytes.removeAll(keepingCapacity: true)
        decoder.finish(into: &bytes)
        return bytes.isEmpty ? true : try body(bytes)
    }
}
