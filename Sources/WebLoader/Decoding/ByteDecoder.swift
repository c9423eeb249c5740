/// A decoder of the Encoding standard, fed in pieces of any size.
///
/// ``TextDecoder`` hands out the room to write into, so a decoder must not write more than ``UTF8Writer``
/// allows.
protocol ByteDecoder {
    /// Decodes all of `input`, and keeps what does not make a whole character yet.
    mutating func decode(_ input: UnsafeRawBufferPointer, into writer: inout UTF8Writer)

    /// Handles the end of the queue: what was kept is an error.
    mutating func finish(into writer: inout UTF8Writer)
}
