/// An IPv6 address in a URL's host.
///
/// <https://url.spec.whatwg.org/#concept-ipv6>
struct IPv6Address: Sendable {
    private(set) var pieces = InlineArray<8, UInt16>(repeating: 0)

    /// The IPv6 parser, for the text between the brackets.
    ///
    /// - Parameters:
    ///   - input: the host.
    ///   - range: where the address is in it.
    ///   - offset: where the host begins, for the error.
    /// - Throws: ``WebURLError`` if it is not an IPv6 address.
    init(parsing input: Span<UInt8>, _ range: Range<Int>, offset: Int) throws(WebURLError) {
        var parser = IPv6Parser(pointer: range.lowerBound, end: range.upperBound)
        do {
            try parser.parse(input)
        } catch {
            throw WebURLError(error.kind, at: offset + parser.pointer)
        }
        pieces = parser.pieces
    }

    /// The IPv6 serializer.
    ///
    /// <https://url.spec.whatwg.org/#concept-ipv6-serializer>
    func write(to output: inout URLWriter) {
        let compressed = compressedPieces
        var index = 0
        while index < 8 {
            if index == compressed.lowerBound, !compressed.isEmpty {
                output.append(URLByte.colon)
                if index == 0 { output.append(URLByte.colon) }
                index = compressed.upperBound
                continue
            }
            Self.write(pieces[index], to: &output)
            if index < 7 { output.append(URLByte.colon) }
            index += 1
        }
    }

    /// The first longest run of two or more pieces that are 0, or an empty range.
    private var compressedPieces: Range<Int> {
        var longest = 0..<0
        var start = 0
        for index in 0..<8 {
            if pieces[index] != 0 {
                start = index + 1
            } else if index + 1 - start > max(1, longest.count) {
                longest = start..<index + 1
            }
        }
        return longest
    }

    private static func write(_ piece: UInt16, to output: inout URLWriter) {
        var shift: UInt16 = 12
        while shift > 0, piece >> shift == 0 { shift &-= 4 }
        while true {
            output.append(URLByte.lowerHexDigit(UInt8(truncatingIfNeeded: piece >> shift & 0xF)))
            guard shift > 0 else { return }
            shift &-= 4
        }
    }
}

/// The IPv6 parser's variables and steps.
///
/// <https://url.spec.whatwg.org/#concept-ipv6-parser>
private struct IPv6Parser {
    struct Failure: Error {
        let kind: WebURLError.Code
    }

    var pieces = InlineArray<8, UInt16>(repeating: 0)
    var pointer: Int
    let end: Int
    private var pieceIndex = 0
    private var compress: Int?

    init(pointer: Int, end: Int) {
        self.pointer = pointer
        self.end = end
    }

    private func current(_ input: Span<UInt8>) -> UInt8? {
        pointer < end ? input[pointer] : nil
    }

    mutating func parse(_ input: Span<UInt8>) throws(Failure) {
        if current(input) == URLByte.colon {
            guard pointer + 1 < end, input[pointer + 1] == URLByte.colon else {
                throw Failure(kind: .ipv6InvalidCompression)
            }
            pointer += 2
            pieceIndex = 1
            compress = 1
        }
        while let byte = current(input) {
            guard pieceIndex < 8 else {
                throw Failure(kind: .ipv6TooManyPieces)
            }
            if byte == URLByte.colon {
                guard compress == nil else {
                    throw Failure(kind: .ipv6MultipleCompression)
                }
                pointer += 1
                pieceIndex += 1
                compress = pieceIndex
                continue
            }
            if try parsePiece(input) { break }
        }
        try decompress()
    }

    /// Parses a piece and its ":"; true if it was an IPv4 address instead, which ends the input.
    private mutating func parsePiece(_ input: Span<UInt8>) throws(Failure) -> Bool {
        var value: UInt16 = 0
        var length = 0
        while length < 4, let byte = current(input), let digit = URLByte.hexValue(byte) {
            value = value << 4 | UInt16(digit)
            pointer += 1
            length += 1
        }
        switch current(input) {
        case URLByte.fullStop:
            guard length > 0 else {
                throw Failure(kind: .ipv4InIPv6InvalidCodePoint)
            }
            pointer -= length
            guard pieceIndex <= 6 else {
                throw Failure(kind: .ipv4InIPv6TooManyPieces)
            }
            try parseIPv4(input)
            return true
        case URLByte.colon:
            pointer += 1
            guard pointer < end else {
                throw Failure(kind: .ipv6InvalidCodePoint)
            }
        case nil:
            break
        default:
            throw Failure(kind: .ipv6InvalidCodePoint)
        }
        pieces[pieceIndex] = value
        pieceIndex += 1
        return false
    }

    private mutating func parseIPv4(_ input: Span<UInt8>) throws(Failure) {
        var numbersSeen = 0
        while let byte = current(input) {
            if numbersSeen > 0 {
                guard byte == URLByte.fullStop, numbersSeen < 4 else {
                    throw Failure(kind: .ipv4InIPv6InvalidCodePoint)
                }
                pointer += 1
            }
            let number = try parseIPv4Piece(input)
            pieces[pieceIndex] = pieces[pieceIndex] << 8 | number
            numbersSeen += 1
            if numbersSeen == 2 || numbersSeen == 4 {
                pieceIndex += 1
            }
        }
        guard numbersSeen == 4 else {
            throw Failure(kind: .ipv4InIPv6TooFewParts)
        }
    }

    private mutating func parseIPv4Piece(_ input: Span<UInt8>) throws(Failure) -> UInt16 {
        var piece: UInt16?
        while let byte = current(input), URLByte.isDigit(byte) {
            let digit = UInt16(byte &- URLByte.zero)
            guard piece != 0 else {
                throw Failure(kind: .ipv4InIPv6InvalidCodePoint)
            }
            let number = (piece ?? 0) &* 10 &+ digit
            guard number <= 255 else {
                throw Failure(kind: .ipv4InIPv6OutOfRangePart)
            }
            piece = number
            pointer += 1
        }
        guard let piece else {
            throw Failure(kind: .ipv4InIPv6InvalidCodePoint)
        }
        return piece
    }

    /// Moves the pieces after the compression to the end.
    private mutating func decompress() throws(Failure) {
        guard let compress else {
            guard pieceIndex == 8 else {
                throw Failure(kind: .ipv6TooFewPieces)
            }
            return
        }
        var swaps = pieceIndex - compress
        var index = 7
        while index != 0, swaps > 0 {
            pieces.swapAt(index, compress + swaps - 1)
            index -= 1
            swaps -= 1
        }
    }
}
