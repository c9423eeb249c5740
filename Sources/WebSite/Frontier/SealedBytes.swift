import WebStandards

/// Bytes with a first line that has their kind and their hash, for a program's own files, whose completeness is
/// verified when they are read.
package enum SealedBytes {
    /// Returns the bytes with their first line.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - kind: Their kind and version: words without a line feed.
    /// - Returns: The line, followed by the bytes.
    package static func seal(_ bytes: [UInt8], as kind: String) -> [UInt8] {
        Array("\(kind) \(hash(bytes[...]).hexadecimal(digits: 16))\n".utf8) + bytes
    }

    /// Returns the bytes after the first line; `nil` if its kind or hash does not match.
    package static func open(_ bytes: [UInt8], as kind: String) -> ArraySlice<UInt8>? {
        guard let end = bytes.prefix(kind.utf8.count + 18).firstIndex(of: 0x0A) else { return nil }
        let rest = bytes[(end + 1)...]
        let head = "\(kind) \(hash(rest).hexadecimal(digits: 16))"
        return bytes[..<end].elementsEqual(head.utf8) ? rest : nil
    }

    /// Returns a hash that detects damage, but not forgery.
    package static func hash(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        unsafe bytes.withUnsafeBufferPointer {
            unsafe KeyHash(k0: 0x7761_7463_685F_6C69, k1: 0x7374_5F6D_656D_6F72).hash($0)
        }
    }
}
