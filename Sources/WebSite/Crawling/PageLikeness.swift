import WebStandards

/// What two pages have in common that look alike: their words without numbers, and the sources of their images.
///
/// It is found by one pass over the bytes, as fast as they can be looked at, and is rough: nothing but a number comes of it.
@safe struct PageLikeness {
    private let bytes: UnsafeBufferPointer<UInt8>
    /// The words and sources: never longer than the page with a byte behind it.
    private let words: UnsafeMutableBufferPointer<UInt8>
    private var count = 0
    private var index = 0
    private let size: Int

    /// Bytes of a page that are looked at.
    private static let maximumSize = 1 << 20

    /// The number of a page of HTML, by a job's hash function.
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

    /// The byte at a place that is known to be there.
    @inline(__always)
    private func byte(_ place: Int) -> UInt8 { unsafe bytes[place] }

    private mutating func read() {
        while index < size {
            if byte(index) == UInt8(ascii: "<") { readTag() } else { readWord() }
        }
    }

    /// What a byte of a text is: 0 for what ends a word, 1 for a letter, 2 for a digit.
    private static let kinds: [UInt8] = (0..<256).map { byte in
        let byte = UInt8(truncatingIfNeeded: byte)
        return byte.isASCIIDigit ? 2 : byte.isASCIIAlpha || byte >= 0x80 ? 1 : 0
    }

    /// Takes a word, unless there is a digit in it; or passes what ends one.
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

    /// Passes a tag, taking the value of its `src`; and what is inside of a script or style.
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

    /// Ends a word: what ended it in the page is a byte too, and is not taken.
    private mutating func end() {
        unsafe words[count] = 0
        count += 1
        if index < size, byte(index) != UInt8(ascii: "<"), byte(index) != UInt8(ascii: ">") {
            index += 1
        }
    }

    /// Passes a script or style whose tag's name is here.
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

    /// Whether a name is here, in any case.
    private func isName(_ name: StaticString) -> Bool {
        let length = name.utf8CodeUnitCount
        guard index + length <= size else { return false }
        for offset in 0..<length {
            guard unsafe byte(index + offset).asciiLowercased == name.utf8Start[offset] else { return false }
        }
        return true
    }
}
