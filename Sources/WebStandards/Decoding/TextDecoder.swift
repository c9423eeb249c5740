/// Decodes bytes to UTF-8 by the Encoding standard, in pieces of any size.
///
/// Every error becomes one U+FFFD, and the pieces' sizes make no difference to the result. This is the
/// standard's "decode without BOM": the caller leaves out the byte order mark's bytes
/// (``EncodingDetection/byteOrderMarkLength``) and passes the rest.
///
/// A page that passes ``isValidUTF8(_:)`` need not be decoded at all.
///
/// - Complexity: O(n), one pass. The speed of each encoding is in docs/decisions/0003-encoding-tables.md.
///
/// <https://encoding.spec.whatwg.org/#decode-without-bom>
package struct TextDecoder: Sendable {
    /// How many bytes are decoded between two checks of the output's capacity.
    private static let chunkLength = 16 * 1024

    private enum State: Sendable {
        case utf8(UTF8Decoder)
        case utf16(UTF16Decoder)
        case singleByte(SingleByteDecoder)
        case xUserDefined(XUserDefinedDecoder)
        case gb18030(GB18030Decoder)
        case big5(TwoByteDecoder<Big5Scheme>)
        case eucKR(TwoByteDecoder<EUCKRScheme>)
        case shiftJIS(TwoByteDecoder<ShiftJISScheme>)
        case eucJP(EUCJPDecoder)
        case iso2022JP(ISO2022JPDecoder)
        case replacement(ReplacementDecoder)
    }

    /// The encoding that is decoded.
    let encoding: TextEncoding

    /// How many U+FFFD stand for errors in what was decoded so far.
    package private(set) var replacementCount = 0

    private var state: State

    /// A decoder at the start of a text.
    package init(_ encoding: TextEncoding) {
        self.encoding = encoding
        switch encoding {
        case .utf8: state = .utf8(UTF8Decoder())
        case .utf16BE: state = .utf16(UTF16Decoder(isBigEndian: true))
        case .utf16LE: state = .utf16(UTF16Decoder(isBigEndian: false))
        case .gbk, .gb18030: state = .gb18030(GB18030Decoder())
        case .big5: state = .big5(TwoByteDecoder())
        case .eucKR: state = .eucKR(TwoByteDecoder())
        case .shiftJIS: state = .shiftJIS(TwoByteDecoder())
        case .eucJP: state = .eucJP(EUCJPDecoder())
        case .iso2022JP: state = .iso2022JP(ISO2022JPDecoder())
        case .replacement: state = .replacement(ReplacementDecoder())
        case .xUserDefined: state = .xUserDefined(XUserDefinedDecoder())
        case .ibm866, .iso8859Part2, .iso8859Part3, .iso8859Part4, .iso8859Part5, .iso8859Part6,
            .iso8859Part7,
            .iso8859Part8, .iso8859Part8I, .iso8859Part10, .iso8859Part13, .iso8859Part14, .iso8859Part15,
            .iso8859Part16, .koi8R, .koi8U, .macintosh, .windows874, .windows1250, .windows1251, .windows1252,
            .windows1253, .windows1254, .windows1255, .windows1256, .windows1257, .windows1258, .xMacCyrillic:
            state = .singleByte(SingleByteDecoder(encoding))
        }
    }

    /// Decodes the next piece of the text and appends it, in UTF-8, to `output`.
    ///
    /// - Parameters:
    ///   - input: The piece, which may be empty and may end inside a character.
    ///   - isLast: Whether the text ends here, so that an incomplete character is an error. The decoder then
    ///     returns to its initial state.
    ///   - output: Where the text goes.
    package mutating func decode(_ input: UnsafeRawBufferPointer, isLast: Bool, into output: inout [UInt8]) {
        switch state {
        case .utf8(var decoder):
            unsafe run(&decoder, input, isLast, &output)
            state = .utf8(decoder)
        case .utf16(var decoder):
            unsafe run(&decoder, input, isLast, &output)
            state = .utf16(decoder)
        case .singleByte(var decoder):
            unsafe run(&decoder, input, isLast, &output)
        case .xUserDefined(var decoder):
            unsafe run(&decoder, input, isLast, &output)
        case .gb18030(var decoder):
            unsafe run(&decoder, input, isLast, &output)
            state = .gb18030(decoder)
        case .big5(var decoder):
            unsafe run(&decoder, input, isLast, &output)
            state = .big5(decoder)
        case .eucKR(var decoder):
            unsafe run(&decoder, input, isLast, &output)
            state = .eucKR(decoder)
        case .shiftJIS(var decoder):
            unsafe run(&decoder, input, isLast, &output)
            state = .shiftJIS(decoder)
        case .eucJP(var decoder):
            unsafe run(&decoder, input, isLast, &output)
            state = .eucJP(decoder)
        case .iso2022JP(var decoder):
            unsafe run(&decoder, input, isLast, &output)
            state = .iso2022JP(decoder)
        case .replacement(var decoder):
            unsafe run(&decoder, input, isLast, &output)
            state = .replacement(decoder)
        }
    }

    /// Decodes the next piece of the text, as ``decode(_:isLast:into:)`` with a buffer does.
    mutating func decode(_ input: Span<UInt8>, isLast: Bool, into output: inout [UInt8]) {
        unsafe input.withUnsafeBytes { bytes in
            unsafe decode(bytes, isLast: isLast, into: &output)
        }
    }

    /// Whether `bytes` are UTF-8 without an error, so that they can be parsed in place.
    static func isValidUTF8(_ bytes: UnsafeRawBufferPointer) -> Bool {
        unsafe UTF8Validation.validEnd(of: bytes, from: 0) == bytes.count
    }

    /// Whether `bytes` are UTF-8 without an error, so that they can be parsed in place.
    package static func isValidUTF8(_ bytes: Span<UInt8>) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe isValidUTF8($0) }
    }

    private mutating func run(
        _ decoder: inout some ByteDecoder,
        _ input: UnsafeRawBufferPointer,
        _ isLast: Bool,
        _ output: inout [UInt8]
    ) {
        // Reserves room for ASCII at once; at least doubles it, so that many small pieces take linear time.
        let needed = output.count + input.count + UTF8Writer.slack
        if output.capacity < needed { output.reserveCapacity(max(needed, output.capacity * 2)) }
        var start = 0
        while start < input.count {
            let end = min(start + Self.chunkLength, input.count)
            let chunk = unsafe UnsafeRawBufferPointer(rebasing: input[start..<end])
            append(to: &output, room: chunk.count * 3) { writer in
                unsafe decoder.decode(chunk, into: &writer)
            }
            start = end
        }
        if isLast {
            append(to: &output, room: 0) { writer in
                decoder.finish(into: &writer)
            }
        }
    }

    /// Appends what `body` writes, which is `room` bytes at most, and the writer's slack.
    private mutating func append(to output: inout [UInt8], room: Int, body: (inout UTF8Writer) -> Void) {
        var replacements = 0
        output.append(addingCapacity: room + UTF8Writer.slack) { (span: inout OutputSpan<UInt8>) in
            unsafe span.withUnsafeMutableBufferPointer { buffer, initializedCount in
                let start = initializedCount
                let free = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[start...]
                )
                guard let base = free.baseAddress else { return }
                var writer = unsafe UTF8Writer(free, base: base)
                body(&writer)
                initializedCount = start + writer.count
                replacements = writer.replacementCount
            }
        }
        replacementCount += replacements
    }
}
