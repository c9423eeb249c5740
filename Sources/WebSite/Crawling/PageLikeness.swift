import WebStandards

/// The common features of pages that look alike: their words without numbers, and the sources of their images.
///
/// They are found in one fast but rough pass over the bytes; the result is only a number.
@safe struct PageLikeness {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The buffer for the words and sources, which needs at most one byte more than the page.
    private let words: UnsafeMutableBufferPointer<UInt8>
    private var count = 0
    private var index = 0
    private let size: Int

    /// The maximum number of bytes of a page that are read.
    private static let maximumSize = 1 << 20

    /// Returns the number of an HTML page, by a job's hash function.
    static func number(of html: [UInt8], _ hash: KeyHash) -> Int64 {
        unsafe html.withUnsafeBufferPointer { bytes in
            let bytes = unsafe UnsafeBufferPointer(rebasing: bytes.prefix(maximumSize))
            return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bytes.count + 1) { words in
                var likeness = unsafe PageLikeness(bytes: bytes, words: words)
                likeness.read()
                let found = unsafe UnsafeBufferPointer(rebasing: words.prefix(likeness.count))
                return unsafe Int64(bitPattern: hash.hash(found))
            }
        }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>, words: UnsafeMutableBufferPointer<UInt8>) {
        unsafe self.bytes = unsafe bytes
        unsafe self.words = unsafe words
        size = bytes.count
    }

    /// Returns the byte at a valid index.
    @inline(__always)
    private func byte(_ place: Int) -> UInt8 { unsafe bytes[place] }

    private mutating func read() {
        while index < size {
            if byte(index) == UInt8(ascii: "<") { readTag() } else { readWord() }
        }
    }

    /// The kinds of bytes in text: 0 ends a word, 1 is part of a letter, 2 is a digit.
    private static let kinds: [UInt8] = (0..<256).map { byte in
        let byte = UInt8(truncatingIfNeeded: byte)
        return byte.isASCIIDigit ? 2 : byte.isASCIIAlpha || byte >= 0x80 ? 1 : 0
    }

    /// Reads a word, unless it has a digit; or skips the byte after a word.
    private mutating func readWord() {
        let start = count
        var found: UInt8 = 0
        unsafe Self.kinds.withUnsafeBufferPointer { kinds in
            while index < size {
                let next = byte(index)
                let kind = unsafe kinds[Int(next)]
                guard kind != 0 else { break }
                found |= kind
                unsafe words[count] = next
                count += 1
                index += 1
            }
        }
        switch found {
        case 0: if index < size, byte(index) != UInt8(ascii: "<") { index += 1 }
        case 1: end()
        default: count = start
        }
    }

    /// Skips a tag, reading the value of its `src`, and the content of a script or style.
    private mutating func readTag() {
        index += 1
        if isRawText("script") || isRawText("style") { return }
        while index < size {
            let next = byte(index)
            index += 1
            if next == UInt8(ascii: ">") { return }
            if next.isASCIIWhitespace, isName("src=") {
                index += 4
                readValue()
            }
        }
    }

    private mutating func readValue() {
        guard index < size else { return }
        let quote = byte(index)
        let isQuoted = quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        if isQuoted { index += 1 }
        while index < size {
            let next = byte(index)
            if isQuoted ? next == quote : next.isASCIIWhitespace || next == UInt8(ascii: ">") { break }
            unsafe words[count] = next
            count += 1
            index += 1
        }
        end()
    }

    /// Ends a word, skipping the byte that ends it in the page.
    private mutating func end() {
        unsafe words[count] = 0
        count += 1
        if index < size, byte(index) != UInt8(ascii: "<"), byte(index) != UInt8(ascii: ">") {
            index += 1
        }
    }

    /// Skips the script or style whose tag name begins here.
    private mutating func isRawText(_ name: StaticString) -> Bool {
        guard isName(name) else { return false }
        while index < size {
            index += 1
            guard index + 1 < size, byte(index) == UInt8(ascii: "<"),
                byte(index + 1) == UInt8(ascii: "/")
            else { continue }
            index += 2
            if isName(name) { break }
        }
        return true
    }

    /// Whether a name is at the current index, in any case.
    private func isName(_ name: StaticString) -> Bool {
        let length = name.utf8CodeUnitCount
        guard index + length <= size else { return false }
        for offset in 0..<length {
            guard unsafe byte(index + offset).asciiLowercased == name.utf8Start[offset] else { return false }
        }
        return true
    }
}
