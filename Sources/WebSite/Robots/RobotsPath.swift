import Glibc
import WebStandards

/// Paths of rules and of URLs, normalized so that they can be compared octet by octet.
///
/// Characters that are unreserved in RFC 3986 are literal, encoded or not; reserved characters are distinct from their
/// encoded forms; all other octets are percent-encoded. A "*" is a wildcard only if it is written in a rule: in URLs,
/// and if a rule encodes it, it is "%2A", and "$" is "%24".
///
/// [RFC 9309, section 2.2.2](https://www.rfc-editor.org/rfc/rfc9309#section-2.2.2)
enum RobotsPath {
    /// Appends the path of a rule, without the "$" at its end.
    ///
    /// - Returns: Whether it ends with "$", and the number of octets of the path, with a wildcard and a "$" counting as
    ///   one each.
    static func appendPattern(
        _ value: Span<UInt8>,
        to paths: inout [UInt8]
    ) -> (isAnchored: Bool, specificity: Int) {
        let isAnchored = !value.isEmpty && value[value.count - 1] == UInt8(ascii: "$")
        let path = isAnchored ? value.extracting(droppingLast: 1) : value
        let start = paths.count
        normalize(path, isPattern: true, into: &paths)
        var specificity = paths.count - start + (isAnchored ? 1 : 0)
        // A "$" in the path was encoded as three octets.
        for index in path.indices where path[index] == UInt8(ascii: "$") { specificity -= 2 }
        return (isAnchored, specificity)
    }

    /// Returns the end of the directory in a rule for its index page; `nil` for other rules.
    static func directoryEnd(_ path: ArraySlice<UInt8>) -> Int? {
        guard let slash = path.lastIndex(of: UInt8(ascii: "/")),
            path[(slash + 1)...].starts(with: "index.htm".utf8)
        else { return nil }
        return slash + 1
    }

    /// Returns the path and the query of a URL.
    static func target(of url: WebURL) -> [UInt8] {
        var path = url.path
        if path.isEmpty { path = "/" }
        if let query = url.query { path += "?" + query }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(path.utf8.count)
        normalize(path.utf8.span, isPattern: false, into: &bytes)
        return bytes
    }

    private static func normalize(_ input: Span<UInt8>, isPattern: Bool, into output: inout [UInt8]) {
        var index = 0
        while index < input.count {
            let start = index
            while index < input.count, isPlain(input[index]) { index += 1 }
            if index > start { append(input.extracting(start..<index), to: &output) }
            guard index < input.count else { return }
            let byte = input[index]
            index += 1
            if byte == UInt8(ascii: "%") {
                guard index + 1 < input.count, let high = hexadecimal(input[index]),
                    let low = hexadecimal(input[index + 1])
                else {
                    output.append(byte)
                    continue
                }
                index += 2
                let encoded = high << 4 | low
                if isUnreserved(encoded) {
                    output.append(encoded)
                } else {
                    encode(encoded, into: &output)
                }
            } else if isPattern, byte == UInt8(ascii: "*") {
                output.append(byte)
            } else {
                encode(byte, into: &output)
            }
        }
    }

    private static func encode(_ byte: UInt8, into output: inout [UInt8]) {
        output.append(UInt8(ascii: "%"))
        output.append(digit(byte >> 4))
        output.append(digit(byte & 15))
    }

    private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 &+ value : 0x37 &+ value }

    private static func hexadecimal(_ byte: UInt8) -> UInt8? {
        if byte.isASCIIDigit { return byte &- 0x30 }
        let letter = (byte | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        if byte.isASCIIAlphanumeric { return true }
        switch byte {
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): return true
        default: return false
        }
    }

    /// Whether a byte is literal: unreserved characters, and the reserved ones except "*" and "$".
    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        let members: UInt64 = byte & 0x40 == 0 ? 0xAFFF_FBCA_0000_0000 : 0x47FF_FFFE_AFFF_FFFF
        return byte < 0x80 && members &>> UInt64(byte & 0x3F) & 1 != 0
    }

    private static func append(_ bytes: Span<UInt8>, to output: inout [UInt8]) {
        unsafe bytes.withUnsafeBufferPointer { unsafe output.append(contentsOf: $0) }
    }

    // MARK: - Matching

    /// Whether a rule's path matches the beginning of a target, or all of it if it is anchored.
    ///
    /// Text between two wildcards is matched at its first occurrence: if the rule matches at all, it matches there,
    /// without backtracking. `effort` grows by the number of bytes that were searched for wildcards.
    static func matches(
        _ pattern: UnsafeRawBufferPointer,
        isAnchored: Bool,
        _ target: UnsafeRawBufferPointer,
        effort: inout Int
    ) -> Bool {
        var rest = unsafe target
        var pattern = unsafe pattern
        var isFirst = true
        while true {
            let (piece, following) = unsafe splitAtWildcard(pattern)
            if isFirst {
                guard unsafe hasPrefix(rest, piece) else { return false }
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest[piece.count...])
                if unsafe following == nil { return !isAnchored || rest.count == 0 }
            } else if isAnchored, unsafe following == nil {
                guard rest.count >= piece.count else { return false }
                return unsafe hasPrefix(UnsafeRawBufferPointer(rebasing: rest.suffix(piece.count)), piece)
            } else {
                let place = unsafe firstIndex(of: piece, in: rest)
                let end = place.map { $0 + piece.count }
                effort +|= end ?? rest.count
                guard let end else { return false }
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest[end...])
            }
            guard let following = unsafe following else { return true }
            unsafe pattern = following
            isFirst = false
        }
    }

    /// Splits a pattern at its first wildcard; the second part is `nil` if there is no wildcard.
    private static func splitAtWildcard(
        _ pattern: UnsafeRawBufferPointer
    ) -> (UnsafeRawBufferPointer, UnsafeRawBufferPointer?) {
        guard let start = pattern.baseAddress,
            let star = unsafe memchr(start, Int32(UInt8(ascii: "*")), pattern.count)
        else { return unsafe (pattern, nil) }
        let place = unsafe UnsafeRawPointer(star) - start
        return unsafe (
            UnsafeRawBufferPointer(rebasing: pattern[..<place]),
            UnsafeRawBufferPointer(rebasing: pattern[(place + 1)...])
        )
    }

    private static func hasPrefix(_ bytes: UnsafeRawBufferPointer, _ prefix: UnsafeRawBufferPointer) -> Bool {
        guard let start = prefix.baseAddress, prefix.count > 0 else { return true }
        guard let bytesStart = bytes.baseAddress, bytes.count >= prefix.count else { return false }
        return unsafe memcmp(bytesStart, start, prefix.count) == 0
    }

    private static func firstIndex(
        of piece: UnsafeRawBufferPointer,
        in bytes: UnsafeRawBufferPointer
    ) -> Int? {
        guard let first = unsafe piece.first else { return 0 }
        guard piece.count > 1 else { return unsafe index(of: first, in: bytes) }
        return unsafe withUnsafeTemporaryAllocation(of: Int.self, capacity: piece.count) { borders in
            unsafe fillBorders(borders, of: piece)
            guard var index = unsafe index(of: first, in: bytes) else { return nil }
            var matched = 0
            while index < bytes.count {
                let byte = unsafe bytes[index]
                while matched > 0, unsafe byte != piece[matched] { matched = unsafe borders[matched - 1] }
                index += 1
                if unsafe byte == piece[matched] { matched += 1 }
                if matched == piece.count { return index - matched }
            }
            return nil
        }
    }

    /// Fills the failure table of Knuth, Morris and Pratt: for each prefix of a piece, the length of its longest proper
    /// prefix that is also a suffix.
    private static func fillBorders(
        _ borders: UnsafeMutableBufferPointer<Int>,
        of piece: UnsafeRawBufferPointer
    ) {
        unsafe borders[0] = 0
        var length = 0
        for index in 1..<piece.count {
            while length > 0, unsafe piece[index] != piece[length] { length = unsafe borders[length - 1] }
            if unsafe piece[index] == piece[length] { length += 1 }
            unsafe borders[index] = length
        }
    }

    private static func index(of byte: UInt8, in bytes: UnsafeRawBufferPointer) -> Int? {
        guard let start = bytes.baseAddress, let place = unsafe memchr(start, Int32(byte), bytes.count) else {
            return nil
        }
        return unsafe UnsafeRawPointer(place) - start
    }
}
