/// The contents of a `data:` URL: a MIME type and bytes.
///
/// [Fetch: data: URLs](https://fetch.spec.whatwg.org/#data-urls)
package struct DataURL: Equatable, Sendable {
    /// The type the URL states, or `text/plain;charset=US-ASCII` if it has no valid one.
    package let mimeType: MediaType

    package let body: [UInt8]

    /// Parses a `data:` URL.
    ///
    /// - Parameter serialization: the URL's serialisation without its fragment.
    /// - Throws: ``DataURLError/wrongScheme`` unless it starts with `data:`, ``DataURLError/missingComma`` if
    ///   no comma separates type and body, ``DataURLError/invalidBase64`` for a body that is marked as base64
    ///   and is not.
    /// - Complexity: O(*n*) in the length of the URL.
    ///
    /// [Fetch: the data: URL processor](https://fetch.spec.whatwg.org/#data-url-processor)
    package init(_ serialization: String) throws(DataURLError) {
        let input = serialization.utf8.span
        // 1.-3. The scheme.
        let scheme = Array("data:".utf8)
        guard input.count >= scheme.count, scheme.indices.allSatisfy({ input[$0] == scheme[$0] }) else {
            throw .wrongScheme
        }
        // 4.-5., 7. The type goes up to the first comma.
        var comma = scheme.count
        while comma < input.count, input[comma] != UInt8(ascii: ",") { comma += 1 }
        guard comma < input.count else { throw .missingComma }
        // 6. The type without whitespace around it.
        var type = FieldScanner((scheme.count..<comma).map { input[$0] })
        type.trim(while: \.isASCIIWhitespace)
        // 8.-10. The body.
        let body = PercentDecoding.decode(input.extracting(droppingFirst: comma + 1))
        // 11. Base64, if the type ends with its marker.
        var typeRange = type.position..<type.end
        if let marked = Self.removingBase64Marker(from: typeRange, of: type) {
            typeRange = marked
            guard let decoded = Self.forgivingBase64Decode(body.span) else { throw .invalidBase64 }
            self.body = decoded
        } else {
            self.body = body
        }
        // 12.-15. The type; parameters without a type belong to text/plain.
        var typeString = type.text(typeRange)
        if typeString.utf8.first == UInt8(ascii: ";") { typeString = "text/plain" + typeString }
        mimeType = MediaType(typeString) ?? Self.defaultMIMEType
    }

    private static let defaultMIMEType = MediaType(
        type: "text",
        subtype: "plain",
        parameters: [MediaType.Parameter(name: "charset", value: "US-ASCII")]
    )

    /// Steps 11 and 11.4 to 11.6: `range` without a semicolon, spaces and `base64` at its end, or nil if it
    /// does not end that way.
    private static func removingBase64Marker(from range: Range<Int>, of type: FieldScanner) -> Range<Int>? {
        let marker = Array("base64".utf8)
        guard range.count > marker.count else { return nil }
        let markerStart = range.upperBound - marker.count
        for (offset, byte) in marker.enumerated()
        where type.bytes[markerStart + offset].asciiLowercased != byte {
            return nil
        }
        let before = type.trimmingEnd(of: range.lowerBound..<markerStart) { $0 == UInt8(ascii: " ") }
        guard !before.isEmpty, type.bytes[before.upperBound - 1] == UInt8(ascii: ";") else { return nil }
        return before.lowerBound..<(before.upperBound - 1)
    }

    // MARK: - Decoding

    /// Decodes base64 with whitespace anywhere and with or without padding, or returns nil for anything else.
    ///
    /// - Complexity: O(*n*), in one pass.
    ///
    /// [Infra: forgiving-base64 decode](https://infra.spec.whatwg.org/#forgiving-base64-decode)
    package static func forgivingBase64Decode(_ data: Span<UInt8>) -> [UInt8]? {
        var output: [UInt8] = []
        output.reserveCapacity(data.count / 4 * 3 + 2)
        var buffer: UInt32 = 0
        var digits = 0
        var padding = 0
        for index in data.indices {
            let byte = data[index]
            if let value = base64Value(byte) {
                // 4. An equals sign before a digit is no padding.
                guard padding == 0 else { return nil }
                // 8. Four digits make three bytes.
                buffer = buffer << 6 | UInt32(value)
                digits += 1
                guard digits == 4 else { continue }
                output.append(UInt8(truncatingIfNeeded: buffer >> 16))
                output.append(UInt8(truncatingIfNeeded: buffer >> 8))
                output.append(UInt8(truncatingIfNeeded: buffer))
                buffer = 0
                digits = 0
            } else if byte == UInt8(ascii: "=") {
                padding += 1
            } else if !byte.isASCIIWhitespace {
                // 4. Outside of the alphabet.
                return nil
            }
        }
        // 2. Padding must fill the last group of four, with one or two signs.
        guard padding == 0 || (padding <= 2 && digits + padding == 4) else { return nil }
        // 3., 9. A last group of two or three digits gives one or two bytes; the bits left over are dropped.
        switch digits {
        case 0:
            break
        case 2:
            output.append(UInt8(truncatingIfNeeded: buffer >> 4))
        case 3:
            output.append(UInt8(truncatingIfNeeded: buffer >> 10))
            output.append(UInt8(truncatingIfNeeded: buffer >> 2))
        default:
            return nil
        }
        return output
    }

    /// The value of a base64 digit, or nil.
    private static func base64Value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x41...0x5A: byte &- 0x41
        case 0x61...0x7A: byte &- 0x61 &+ 26
        case 0x30...0x39: byte &- 0x30 &+ 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

/// Why a `data:` URL could not be decoded.
package enum DataURLError: Error, Equatable, Sendable {
    /// The URL does not start with `data:`.
    case wrongScheme

    /// No comma separates the type from the body.
    case missingComma

    /// The body is marked as base64 but is not valid base64.
    case invalidBase64

    /// A description of the error.
    package var explanation: String {
        switch self {
        case .wrongScheme: "not a data: URL"
        case .missingComma: "there is no comma between the type and the body"
        case .invalidBase64: "the body is not valid base64"
        }
    }
}
