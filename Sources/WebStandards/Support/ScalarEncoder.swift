/// An encoder of the Encoding standard, fed one scalar value at a time.
///
/// The URL parser percent-encodes queries in the document's encoding; the encoders themselves are in
/// `Decoding`. An encoder may keep state between calls (ISO-2022-JP does), which ``finish(into:)`` ends.
package protocol ScalarEncoder {
    /// Appends the bytes of `scalar`, or returns false if it cannot be encoded.
    ///
    /// Bytes appended before a false (an escape back to ASCII, say) still belong to the output.
    mutating func encode(_ scalar: Unicode.Scalar, into bytes: inout [UInt8]) -> Bool

    /// Appends the bytes that return the encoder to its initial state.
    mutating func finish(into bytes: inout [UInt8])
}
