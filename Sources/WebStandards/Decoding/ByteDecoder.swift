/// A decoder of the Encoding standard, fed in pieces of any size.
///
/// ``TextDecoder`` reserves the memory to write into, so a decoder must not write more than ``UTF8Writer``
/// allows.
protocol ByteDecoder {
    /// Decodes all of `input`, and keeps the bytes of an incomplete character at its end.
    mutating func decode(_ input: UnsafeRawBufferPointer, into writer: inout UTF8Writer)

    /// Handles the end of the queue: an incomplete character is an error.
    mutating func finish(into writer: inout UTF8Writer)
}
