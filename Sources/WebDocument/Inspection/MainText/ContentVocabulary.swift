/// Words that are looked for inside classes and IDs, at any place and whatever their case.
struct ContentVocabulary {
    private struct Word {
        let index: Int32
        let start: Int32
        let count: Int32
        /// The third byte, or 0 for a word of two.
        let third: UInt8
    }

    /// The words in the order of their first two bytes, five bits of each.
    private var words: [Word] = []
    private var bytes: [UInt8] = []

    /// Where the words of each two bytes begin, and end with those of the next.
    private var starts: [Int32] = []

    /// A bit for each beginning of three bytes, five bits of each, that a word has.
    private var beginnings = [UInt32](repeating: 0, count: 1 << 10)

    /// - Parameter list: The words, in small letters: two bytes or more each.
    init(_ list: [[UInt8]]) {
        var sorted = [[Int]](repeating: [], count: 1 << 10)
        for (index, word) in list.enumerated() where word.count > 1 {
            sorted[Int(word[0] & 31) << 5 | Int(word[1] & 31)].append(index)
        }
        for (pair, indices) in sorted.enumerated() {
            starts.append(Int32(truncatingIfNeeded: words.count))
            for index in indices {
                let word = list[index]
                let third = word.count > 2 ? word[2] : 0
                words.append(
                    Word(
                        index: Int32(truncatingIfNeeded: index),
                        start: Int32(truncatingIfNeeded: bytes.count),
                        count: Int32(truncatingIfNeeded: word.count),
                        third: third
                    )
                )
                bytes += word
                beginnings[pair] |= third > 0 ? 1 << UInt32(third & 31) : .max
            }
        }
        starts.append(Int32(truncatingIfNeeded: words.count))
    }

    /// Calls a function for each word in a name, with the word's index and where it begins, in this order.
    ///
    /// - Complexity: O(n) in the length of the name.
    @inline(__always)
    func search(_ name: UnsafeBufferPointer<UInt8>, _ found: (_ word: Int, _ start: Int) -> Void) {
        guard name.count > 1 else { return }
        var pair = unsafe Int(name[0] & 31)
        for end in 2...name.count {
            pair = unsafe (pair << 5 | Int(name[end - 1] & 31)) & 1023
            let third = unsafe end < name.count ? name[end].asciiLowercased : 0
            guard beginnings[pair] >> UInt32(third & 31) & 1 == 1 else { continue }
            for place in starts[pair]..<starts[pair + 1] {
                let word = words[Int(place)]
                guard word.third == 0 || word.third == third, unsafe matches(word, name, end - 2) else {
                    continue
                }
                found(Int(word.index), end - 2)
            }
        }
    }

    private func matches(_ word: Word, _ name: UnsafeBufferPointer<UInt8>, _ start: Int) -> Bool {
        guard Int(word.count) <= name.count - start else { return false }
        for index in 0..<Int(word.count)
        where unsafe name[start + index].asciiLowercased != bytes[Int(word.start) + index] { return false }
        return true
    }
}
