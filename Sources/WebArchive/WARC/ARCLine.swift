import WebStandards

/// The line that a record of an ARC begins with.
///
/// [ARC File Format](https://archive.org/web/researcher/ArcFileFormat.php)
struct ARCLine {
    var url: String
    var date: Timestamp?
    var mimeType: String?
    /// Nil if it is no length.
    var length: Int?

    /// The most bytes of a line.
    static let longest = 64 << 10

    /// Parses a line; returns `nil` if it is not a line of an ARC.
    ///
    /// Version 1 has a URL, an address, a date, a type and a length; version 2 also has a status, a checksum, a
    /// location, an offset and a file name before the length. URLs may contain spaces, so the words are counted from
    /// the end.
    @safe init?(_ line: UnsafeRawBufferPointer) {
        guard Self.hasScheme(line), line.count < Self.longest else { return nil }
        var line = unsafe line[...]
        if unsafe line.last == 0x0D { unsafe line.removeLast() }
        let words = unsafe line.split(separator: 0x20, omittingEmptySubsequences: false)
        guard
            let (date, type) = [(3, 2), (8, 7)].first(where: { place, _ in
                unsafe words.count > place + 1 && Self.isDate(words[words.count - place])
            })
        else { return nil }
        let last = unsafe words[words.count - date - 2].endIndex
        url = unsafe String(decoding: line[line.startIndex..<last], as: UTF8.self)
        self.date = unsafe Timestamp(archiveDate: String(decoding: words[words.count - date], as: UTF8.self))
        let essence = unsafe String(
            asciiLowercasing: words[words.count - type].prefix { $0 != UInt8(ascii: ";") }
        )
        mimeType = essence.contains("/") ? essence : nil
        let digits = unsafe words[words.count - 1]
        length =
            unsafe digits.allSatisfy { $0.isASCIIDigit }
            ? Int(inBounds: String(decoding: digits, as: UTF8.self)) : nil
    }

    @safe private static func hasScheme(_ line: UnsafeRawBufferPointer) -> Bool {
        guard let first = unsafe line.first, first.isASCIIAlpha,
            let colon = unsafe line.prefix(24).firstIndex(of: UInt8(ascii: ":"))
        else { return false }
        return unsafe line[..<colon].allSatisfy {
            $0.isASCIIAlphanumeric || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
                || $0 == UInt8(ascii: ".")
        }
    }

    private static func isDate(_ word: Slice<UnsafeRawBufferPointer>) -> Bool {
        unsafe 8...17 ~= word.count && word.allSatisfy { $0.isASCIIDigit }
    }
}
