import WebStandards

/// Bytes that are inserted into a copy as Base64 at the very end, when it is written.
///
/// Until then, marks represent them: letters and digits that nothing escapes, and that no page can have, since they
/// begin with a random number. So a copy is composed without its large parts, and these are in memory only once.
struct EmbeddedBytes {
    private let sign: [UInt8]
    /// The number of digits after a sign.
    private static let digits = 8

    init() {
        let words = (0..<2).map { _ in UInt64.random(in: 0 ... .max).hexadecimal(digits: 16) }
        sign = Array("WL\(words.joined())".utf8)
    }

    /// Returns the mark of the bytes with a number, up to 4,294,967,295.
    func mark(_ number: Int) -> String {
        let number = UInt64(truncatingIfNeeded: number).hexadecimal(digits: Self.digits)
        return String(decoding: sign, as: UTF8.self) + number
    }

    /// Outputs a text with the bytes in place of their marks.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - bytes: Returns the bytes with a number.
    ///   - output: Receives the pieces.
    /// - Throws: The error that `output` throws.
    func write<Failure>(
        _ text: [UInt8],
        bytes: (Int) -> [UInt8],
        to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var start = 0
        var place = 0
        let length = sign.count + Self.digits
        while let found = next(in: text, from: place) {
            place = found + 1
            guard let number = number(in: text, at: found + sign.count) else { continue }
            if found > start { try output(Array(text[start..<found])) }
            try write(bytes(number), to: output)
            start = found + length
            place = start
        }
        if start < text.count { try output(start == 0 ? text : Array(text[start...])) }
    }

    /// Returns a text with a replacement for the first mark of a number.
    func replacing(_ number: Int, with replacement: String, in text: [UInt8]) -> [UInt8] {
        let mark = Array(mark(number).utf8)
        guard let place = next(in: text, from: 0, mark) else { return text }
        var text = text
        text.replaceSubrange(place..<(place + mark.count), with: replacement.utf8)
        return text
    }

    /// Returns the length of a text with the bytes in it.
    func length(of text: [UInt8], count: (Int) -> Int) -> Int {
        var length = text.count
        var place = 0
        while let found = next(in: text, from: place) {
            place = found + 1
            guard let number = number(in: text, at: found + sign.count) else { continue }
            length = length - (sign.count + Self.digits) +| Base64.length(of: count(number))
            place = found + sign.count + Self.digits
        }
        return length
    }

    /// The number of bytes that are encoded at once: a multiple of three, so that no padding is inside.
    private static let pieceLength = 48 << 10

    private func write<Failure>(
        _ bytes: [UInt8],
        to output: ([UInt8]) throws(Failure) -> Void
    ) throws(Failure) {
        var piece: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: Self.pieceLength) {
            piece.removeAll(keepingCapacity: true)
            Base64.append(bytes[start..<min(start + Self.pieceLength, bytes.count)], to: &piece)
            try output(piece)
        }
    }

    private func next(in text: [UInt8], from start: Int, _ wanted: [UInt8]? = nil) -> Int? {
        let wanted = wanted ?? sign
        var place = start
        while place < text.count, let found = text[place...].firstIndex(of: wanted[0]) {
            if text[found...].starts(with: wanted) { return found }
            place = found + 1
        }
        return nil
    }

    private func number(in text: [UInt8], at start: Int) -> Int? {
        guard start + Self.digits <= text.count else { return nil }
        let digits = String(decoding: text[start..<(start + Self.digits)], as: UTF8.self)
        return UInt32(digits, radix: 16).map { Int(bounded: $0) }
    }
}
