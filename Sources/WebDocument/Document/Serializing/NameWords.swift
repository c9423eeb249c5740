/// A small set of element names, each packed into two integers, so that a look-up compares numbers.
struct NameWords: Sendable {
    private let words: [Word]

    /// The bits of the words; a word whose bit is not there is none of them.
    private let bits: UInt64

    /// A name of 16 bytes at most, padded with zeros.
    struct Word: Equatable, Sendable {
        var first: UInt64 = 0
        var second: UInt64 = 0

        /// One of 64 bits, by the first eight bytes.
        fileprivate var bit: UInt64 { 1 << ((first &* 0x9E37_79B9_7F4A_7C15) >> 58) }
    }

    init(_ names: String...) {
        words = names.map { name in
            var word = Word()
            for (index, byte) in name.utf8.enumerated() { word.put(byte, at: index) }
            return word
        }
        bits = words.reduce(0) { $0 | $1.bit }
    }

    func contains(_ word: Word?) -> Bool {
        guard let word, bits & word.bit != 0 else { return false }
        return words.contains(word)
    }
}

extension NameWords.Word {
    /// Packs a name that ends with NUL; nil for a name of more than 16 bytes.
    @inline(__always)
    init?(_ name: UnsafePointer<UInt8>) {
        var index = 0
        while case let byte = unsafe name[index], byte != 0 {
            guard index < 16 else { return nil }
            put(byte, at: index)
            index += 1
        }
    }

    @inline(__always)
    fileprivate mutating func put(_ byte: UInt8, at index: Int) {
        if index < 8 {
            first |= UInt64(byte) << UInt64(truncatingIfNeeded: 8 * index)
        } else {
            second |= UInt64(byte) << UInt64(truncatingIfNeeded: 8 * (index - 8))
        }
    }
}

extension TreeNode {
    /// The packed name, to look up in ``NameWords``; nil for a name of more than 16 bytes.
    @inline(__always)
    var nameWord: NameWords.Word? {
        unsafe nameBytes.flatMap { unsafe NameWords.Word($0) }
    }
}
