import Glibc

/// Finds the places of a text in a longer one, by the algorithm of Knuth, Morris and Pratt: no text is so made that it takes long.
struct OccurrenceSearch {
    private let words: [UInt8]
    /// For each number of bytes that are there, how many of them are there too if one begins later.
    private let failures: [Int]

    /// The search for a text that is not empty.
    init(_ words: [UInt8]) {
        self.words = words
        var failures = [0, 0]
        failures.reserveCapacity(words.count + 1)
        var length = 0
        for index in words.indices.dropFirst() {
            while length > 0, words[length] != words[index] { length = failures[length] }
            if words[length] == words[index] { length += 1 }
            failures.append(length)
        }
        self.failures = failures
    }

    /// The places, none inside another.
    ///
    /// Complexity: O(n + m) in the sizes of both texts, beside what `isRight` takes.
    ///
    /// - Parameters:
    ///   - text: Where to look.
    ///   - maximumCount: How many are wanted.
    ///   - isRight: Whether a place counts.
    /// - Returns: The places, in order.
    func ranges(in text: [UInt8], maximumCount: Int, where isRight: (Range<Int>) -> Bool) -> [Range<Int>] {
        guard let first = words.first, maximumCount > 0 else { return [] }
        var found: [Range<Int>] = []
        unsafe text.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            var index = 0
            var length = 0
            while index < bytes.count {
                if length == 0 {
                    guard let next = unsafe memchr(base + index, Int32(first), bytes.count - index) else {
                        return
                    }
                    index = unsafe UnsafeRawPointer(base).distance(to: UnsafeRawPointer(next)) + 1
                    length = 1
                } else {
                    let byte = unsafe bytes[index]
                    while length > 0, words[length] != byte { length = failures[length] }
                    // Where nothing is left, the byte is looked at again, as the first of a place.
                    guard length > 0 else {
                        if byte != first { index += 1 }
                        continue
                    }
                    length += 1
                    index += 1
                }
                guard length == words.count else { continue }
                let range = (index - length)..<index
                if isRight(range) {
                    found.append(range)
                    if found.count == maximumCount { return }
                    length = 0
                } else {
                    length = failures[length]
                }
            }
        }
        return found
    }
}
