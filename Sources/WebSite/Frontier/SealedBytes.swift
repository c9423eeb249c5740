import WebStandards

/// Bytes with a first line that says what they are, and has a hash of them: what a program keeps for itself in a file, and
/// recognizes as whole.
package enum SealedBytes {
    /// The bytes with their first line.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - kind: What they are, and in which version: words without a line feed.
    /// - Returns: The line, and the bytes behind it.
    package static func seal(_ bytes: [UInt8], as kind: String) -> [UInt8] {
        Array("\(kind) \(hash(bytes[...]).hexadecimal(digits: 16))\n".utf8) + bytes
    }

    /// What stands behind the first line; nil if that says something else, or the hash is another one.
    package static func open(_ bytes: [UInt8], as kind: String) -> ArraySlice<UInt8>? {
        guard let end = bytes.prefix(kind.utf8.count + 18).firstIndex(of: 0x0A) else { return nil }
        let rest = bytes[(end + 1)...]
        let head = "\(kind) \(hash(rest).hexadecimal(digits: 16))"
        return bytes[..<end].elementsEqual(head.utf8) ? rest : nil
    }

    /// A hash that finds damage, not forgery.
    package static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        unsafe bytes.withUnsafeBufferPointer {
            unsafe KeyHash(k0: 0x7761_7463_685F_6C69, k1: 0x7374_5F6D_656D_6F72).hash($0)
        }
    }
}
