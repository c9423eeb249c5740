/// The data about a class or an ID, from the whole value of the attribute.
struct ContentName {
    /// The meanings of its words.
    private(set) var words: ContentWords = []
    private(set) var hints: ContentHints = []
    /// A hash of the classes, and one of the first of them, both without digits; 0 for an ID.
    private(set) var hash: UInt64 = 0
    private(set) var firstHash: UInt64 = 0

    /// No name.
    init() {}

    /// Reads a class or an ID.
    ///
    /// Complexity: O(n) in its length.
    init(_ name: UnsafeBufferPointer<UInt8>, isClass: Bool) {
        let hinting = ContentHints.words
        let weighing = ContentWords.table
        unsafe Self.vocabulary.search(name) { word, start in
            if word < hinting.count {
                unsafe hints.add(hinting[word], name, start)
            } else {
                unsafe words.add(weighing[word - hinting.count], name, start)
            }
        }
        guard isClass else { return }
        hash = 0xCBF2_9CE4_8422_2325
        var first: UInt64?
        for index in name.indices {
            let byte = unsafe name[index]
            if byte == 0x20, first == nil, index > 0 { first = hash }
            if !byte.isASCIIDigit { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
        firstHash = first ?? hash
    }

    private static let vocabulary = ContentVocabulary(
        ContentHints.words.map(\.bytes) + ContentWords.table.map { Array("\($0.word)".utf8) }
    )
}

/// The different classes and IDs of a page, which has few of them, each read once.
struct ContentNames {
    /// The names that were read; the first is that of an element without one.
    private(set) var names = [ContentName()]

    /// For each of ``slotCount`` values of a hash, the last name that has it.
    private var slots: [(hash: UInt64, index: Int32)] = []

    private static let slotCount = 1024

    /// The index in ``names`` of a class or an ID, whose bytes end with NUL.
    mutating func index(of name: UnsafePointer<UInt8>, isClass: Bool) -> Int32 {
        if slots.isEmpty { slots = Array(repeating: (0, 0), count: Self.slotCount) }
        let bytes = unsafe UnsafeBufferPointer(start: name, count: TreeNode.length(name))
        let hash = unsafe ContentHash.of(UnsafeRawBufferPointer(bytes)) ^ (isClass ? 2 : 0)
        let slot = Int(truncatingIfNeeded: hash >> 54) & (Self.slotCount - 1)
        if slots[slot].hash != hash {
            slots[slot] = (hash, Int32(truncatingIfNeeded: names.count))
            unsafe names.append(ContentName(bytes, isClass: isClass))
        }
        return slots[slot].index
    }
}
