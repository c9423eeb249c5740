/// Percent-encoding of queries in encodings other than UTF-8.
extension WebURL {
    /// The range of the query in an input, without "?", or nil.
    ///
    /// It extends from the first "?" that no "#" precedes to the next "#": no state before the query state
    /// skips a "?".
    static func queryRange(_ input: Span<UInt8>) -> Range<Int>? {
        var start = 0
        while start < input.count, input[start] != URLByte.questionMark {
            if input[start] == URLByte.numberSign { return nil }
            start += 1
        }
        guard start < input.count else { return nil }
        var end = start + 1
        while end < input.count, input[end] != URLByte.numberSign { end += 1 }
        // Trailing spaces and control characters do not belong to it.
        if end == input.count {
            while end > start + 1, input[end - 1] <= URLByte.space { end -= 1 }
        }
        return start + 1..<end
    }

    /// Whether an encoder of the Encoding standard may change these bytes.
    ///
    /// All encoders keep ASCII, except ISO-2022-JP, which rejects its own shift and escape characters.
    static func isChangedByEncoding(_ query: Span<UInt8>) -> Bool {
        for index in 0..<query.count {
            let byte = query[index]
            if byte >= 0x80 || byte == 0x0E || byte == 0x0F || byte == 0x1B { return true }
        }
        return false
    }

    /// Percent-encodes UTF-8 after encoding it; a scalar that the encoder cannot encode becomes "%26%23", its
    /// number in decimal, and "%3B".
    ///
    /// <https://url.spec.whatwg.org/#string-percent-encode-after-encoding>
    static func percentEncodeAfterEncoding(
        _ input: [UInt8],
        using encoder: consuming some ScalarEncoder,
        _ set: URLByteSet,
        spaceAsPlus: Bool = false
    ) -> [UInt8] {
        var output: [UInt8] = []
        var bytes: [UInt8] = []
        var encoder = encoder
        for scalar in String(decoding: input, as: UTF8.self).unicodeScalars {
            bytes.removeAll(keepingCapacity: true)
            let isEncoded = encoder.encode(scalar, into: &bytes)
            appendPercentEncoded(bytes, set, spaceAsPlus: spaceAsPlus, to: &output)
            if !isEncoded {
                // The only ASCII scalars that an encoder rejects are ISO-2022-JP's, which it reports as
                // U+FFFD.
                let number = scalar.isASCII ? 0xFFFD : scalar.value
                output.append(contentsOf: "%26%23\(number)%3B".utf8)
            }
        }
        bytes.removeAll(keepingCapacity: true)
        encoder.finish(into: &bytes)
        appendPercentEncoded(bytes, set, spaceAsPlus: spaceAsPlus, to: &output)
        return output
    }

    static func appendPercentEncoded(
        _ bytes: some Sequence<UInt8>,
        _ set: URLByteSet,
        spaceAsPlus: Bool = false,
        to output: inout [UInt8]
    ) {
        for byte in bytes {
            if spaceAsPlus, byte == URLByte.space {
                output.append(URLByte.plus)
            } else if set.contains(byte) {
                output.append(URLByte.percent)
                output.append(URLByte.upperHexDigit(byte >> 4))
                output.append(URLByte.upperHexDigit(byte & 0xF))
            } else {
                output.append(byte)
            }
        }
    }
}
