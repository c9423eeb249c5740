import WebStandards

extension Digest {
    /// A digest that a file states, as `sha1:…` or `sha-256:…`.
    package struct Value: Hashable, Sendable {
        package let algorithm: Algorithm
        package let bytes: [UInt8]

        package init(_ algorithm: Algorithm, _ bytes: [UInt8]) {
            self.algorithm = algorithm
            self.bytes = bytes
        }

        /// As WARC writes it: SHA-1 in upper-case Base32, others in lower-case Base16.
        package var text: String {
            "\(algorithm.rawValue):\(algorithm == .sha1 ? Base32.encode(bytes) : Base16.encode(bytes))"
        }
    }

    /// The parsed value of a field with a digest.
    package enum Statement: Equatable, Sendable {
        case value(Value)
        /// The algorithm is not known here.
        case unknown
        /// The algorithm is known, but the value is not one of its digests.
        case malformed(Algorithm)
    }

    /// Reads a field with a digest: Base16, Base32 or Base64, whichever has the right length, in any case, padded or not.
    ///
    /// An MD5 has 32 characters both in Base16 and in padded Base32; the padding distinguishes them.
    ///
    /// [WARC 1.1, section 5.8](https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1-annotated/)
    package static func parse(_ field: String) -> Statement {
        let parts = field.utf8.split(
            separator: UInt8(ascii: ":"),
            maxSplits: 1,
            omittingEmptySubsequences: false
        )
        guard parts.count == 2 else { return .unknown }
        let name = String(asciiLowercasing: parts[0].filter { $0 != UInt8(ascii: "-") })
        guard let algorithm = Algorithm(rawValue: name) else { return .unknown }
        let text = Array(parts[1])
        let bytes = Base16.decode(text) ?? Base32.decode(text)
        if let bytes, bytes.count == algorithm.length { return .value(Value(algorithm, bytes)) }
        // Not in the standard, but written by some.
        if let bytes = DataURL.forgivingBase64Decode(text.span), bytes.count == algorithm.length {
            return .value(Value(algorithm, bytes))
        }
        return .malformed(algorithm)
    }
}

/// Base16 as of [RFC 4648, section 8](https://www.rfc-editor.org/rfc/rfc4648#section-8), in any case.
package enum Base16 {
    /// Encodes bytes, in lower case.
    package static func encode(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] },
            as: UTF8.self
        )
    }

    /// Decodes text; returns `nil` if it is not valid Base16.
    package static func decode(_ text: some Collection<UInt8>) -> [UInt8]? {
        guard text.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        var high: UInt8?
        for character in text {
            guard let digit = digit(character) else { return nil }
            if let first = high {
                bytes.append(first << 4 | digit)
                high = nil
            } else {
                high = digit
            }
        }
        return bytes
    }

    /// The value of a digit; `nil` if the character is not a digit.
    package static func digit(_ character: UInt8) -> UInt8? {
        if character.isASCIIDigit { return character &- 0x30 }
        let letter = (character | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }
}

/// Base32 as of [RFC 4648, section 6](https://www.rfc-editor.org/rfc/rfc4648#section-6), in any case.
package enum Base32 {
    /// Encodes bytes, padded with "=".
    package static func encode(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".utf8)
        var output: [UInt8] = []
        var (word, bits): (UInt32, Int) = (0, 0)
        for byte in bytes {
            word = word << 8 | UInt32(byte)
            bits += 8
            while bits >= 5 {
                bits -= 5
                output.append(alphabet[Int(word >> UInt32(truncatingIfNeeded: bits) & 31)])
            }
        }
        if bits > 0 { output.append(alphabet[Int(word << UInt32(truncatingIfNeeded: 5 - bits) & 31)]) }
        while output.count % 8 != 0 { output.append(UInt8(ascii: "=")) }
        return String(decoding: output, as: UTF8.self)
    }

    /// Decodes text, padded or not; returns `nil` if it is not valid Base32.
    package static func decode(_ text: [UInt8]) -> [UInt8]? {
        let padding = text.reversed().prefix { $0 == UInt8(ascii: "=") }.count
        var bytes: [UInt8] = []
        var (word, bits): (UInt32, Int) = (0, 0)
        for character in text.dropLast(padding) {
            let letter = (character | 0x20) &- 0x61
            let digit = letter < 26 ? letter : character &- 0x32 < 6 ? character &- 0x32 &+ 26 : 255
            guard digit < 32 else { return nil }
            word = word << 5 | UInt32(digit)
            bits += 5
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(truncatingIfNeeded: bits)))
            }
        }
        return bytes
    }
}
