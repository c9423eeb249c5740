/// An encoder of the Encoding standard, fed one scalar value at a time.
///
/// The URL parser percent-encodes queries in the document's encoding; the encoders themselves live in `Decoding`.
/// An encoder may keep state between calls (ISO-2022-JP does), which ``finish(into:)`` ends.
protocol ScalarEncoder {
    /// Appends the bytes of `scalar`, or returns false where the encoding has none for it.
    ///
    /// Bytes appended before a false (an escape back to ASCII, say) belong to the output all the same.
    mutating func encode(_ scalar: Unicode.Scalar, into bytes: inout [UInt8]) -> Bool

    /// Appends what returns the encoder to its initial state.
    mutating func finish(into bytes: inout [UInt8])
}
