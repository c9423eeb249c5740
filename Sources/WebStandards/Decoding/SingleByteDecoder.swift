internal import CEncodingTables

/// The decoder of the single-byte encodings.
///
/// <https://encoding.spec.whatwg.org/#single-byte-decoder>
struct SingleByteDecoder: ByteDecoder, Sendable {
    /// Where the encoding's 128 scalar values start in the table.
    private let offset: UInt32

    /// A decoder of `encoding`, which has to be a single-byte one.
    init(_ encoding: TextEncoding) {
        offset = encoding.singleByteOffset
    }

    mutating func decode(_ input: UnsafeRawBufferPointer, into writer: inout UTF8Writer) {
        var position = 0
        while position < input.count {
            position = unsafe writer.copyASCII(input, from: position)
            while position < input.count, case let byte = unsafe input[position], byte >= 0x80 {
                let scalar = encoding_single_byte(offset &+ UInt32(byte & 0x7F))
                if scalar != 0 { writer.write(basic: scalar) } else { writer.writeReplacement() }
                position &+= 1
            }
        }
    }

    mutating func finish(into writer: inout UTF8Writer) {}
}

/// The decoder of x-user-defined.
///
/// <https://encoding.spec.whatwg.org/#x-user-defined-decoder>
struct XUserDefinedDecoder: ByteDecoder, Sendable {
    mutating func decode(_ input: UnsafeRawBufferPointer, into writer: inout UTF8Writer) {
        var position = 0
        while position < input.count {
            position = unsafe writer.copyASCII(input, from: position)
            while position < input.count, case let byte = unsafe input[position], byte >= 0x80 {
                writer.write(basic: 0xF780 &+ UInt16(byte & 0x7F))
                position &+= 1
            }
        }
    }

    mutating func finish(into writer: inout UTF8Writer) {}
}

/// The decoder of the replacement encoding: one error, and the rest of the input is ignored.
///
/// <https://encoding.spec.whatwg.org/#replacement-decoder>
struct ReplacementDecoder: ByteDecoder, Sendable {
    private var hasReturnedError = false

    mutating func decode(_ input: UnsafeRawBufferPointer, into writer: inout UTF8Writer) {
        if !hasReturnedError, input.count > 0 {
            hasReturnedError = true
            writer.writeReplacement()
        }
    }

    mutating func finish(into writer: inout UTF8Writer) {
        hasReturnedError = false
    }
}

extension TextEncoding {
    /// Where a single-byte encoding's 128 entries start in the tables.
    var singleByteOffset: UInt32 {
        (UInt32(rawValue) &- UInt32(truncatingIfNeeded: ENCODING_FIRST_SINGLE_BYTE)) &* 128
    }
}
