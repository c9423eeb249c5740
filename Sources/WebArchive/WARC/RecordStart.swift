import CArchive
import Glibc
import WebStandards

/// Finds where records begin.
enum RecordStart {
    private static let version: StaticString = "WARC/"

    /// Whether bytes begin with the version line of a WARC record: "WARC/1.0" and the end of the line.
    @safe static func isVersion(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard hasPrefix(bytes, version) else { return false }
        var index = 5
        var dots = 0
        while index < bytes.count, index < 16 {
            let byte = unsafe bytes[index]
            if byte == UInt8(ascii: ".") { dots += 1 } else if !byte.isASCIIDigit { break }
            index += 1
        }
        guard dots == 1, index >= 8 else { return false }
        while index < bytes.count, index < 32, unsafe bytes[index] == 0x20 || bytes[index] == 0x09 {
            index += 1
        }
        return unsafe index == bytes.count || bytes[index] == 0x0D || bytes[index] == 0x0A
    }

    /// Whether bytes begin with some text.
    @safe static func hasPrefix(_ bytes: UnsafeRawBufferPointer, _ text: StaticString) -> Bool {
        guard bytes.count >= text.utf8CodeUnitCount, let base = bytes.baseAddress else { return false }
        return unsafe memcmp(base, text.utf8Start, text.utf8CodeUnitCount) == 0
    }

    /// Whether the first bytes of a member are likely those of a record of a WARC or an ARC.
    static func isLikely(_ head: ArraySlice<UInt8>) -> Bool {
        if head.starts(with: "WARC/".utf8) || head.starts(with: "filedesc:".utf8) { return true }
        let line = head.prefix { $0 != 0x0A }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon - line.startIndex < 12 else {
            return false
        }
        // An ARC's line has a URL and several words, in ASCII.
        return line.allSatisfy { 0x20...0x7E ~= $0 || $0 == 0x0D } && line.contains(0x20)
            && line[..<colon].allSatisfy { $0.isASCIIAlphanumeric }
    }

    /// Finds the start of a record in text: a version line at the start of a line, or with one of WARC's fields behind it.
    ///
    /// - Parameters:
    ///   - bytes: The text.
    ///   - start: Where to begin; this is taken for the start of a line.
    ///   - isARC: Whether to look for the lines of an ARC instead.
    /// - Returns: Where it begins; nil if there is none.
    @safe static func find(in bytes: UnsafeRawBufferPointer, from start: Int, isARC: Bool) -> Int? {
        isARC ? findARC(in: bytes, from: start) : findWARC(in: bytes, from: start)
    }

    @safe private static func findWARC(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var index = start
        while index < bytes.count {
            guard
                let found = unsafe webl_find(
                    base + index,
                    bytes.count - index,
                    version.utf8Start,
                    version.utf8CodeUnitCount
                )
            else { return nil }
            let place = unsafe found - base
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[place...])
            if isVersion(rest), unsafe place == start || bytes[place - 1] == 0x0A || hasField(rest) {
                return place
            }
            index = place + 5
        }
        return nil
    }

    /// Whether the line behind a version line is one of WARC's fields.
    @safe private static func hasField(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let end = unsafe bytes.prefix(40).firstIndex(of: 0x0A) else { return false }
        let line = unsafe UnsafeRawBufferPointer(rebasing: bytes[(end + 1)...])
        return hasPrefix(line, "WARC-") || hasPrefix(line, "Content-")
    }

    @safe private static func findARC(in bytes: UnsafeRawBufferPointer, from start: Int) -> Int? {
        guard let base = bytes.baseAddress else { return nil }
        var line = start
        while line < bytes.count {
            let left = bytes.count - line
            // A line that goes on is looked at when it is there.
            guard let newline = unsafe memchr(base + line, 0x0A, left) else { return nil }
            let length = unsafe UnsafeRawPointer(newline) - (base + line)
            if length < ARCLine.longest,
                unsafe ARCLine(UnsafeRawBufferPointer(start: base + line, count: length)) != nil
            {
                return line
            }
            line += length + 1
        }
        return nil
    }
}
