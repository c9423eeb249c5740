/// A cache of results about nodes while a selector is matched.
///
/// A hash table with open addressing; the key is a pair of words and a tag. Only expensive results are
/// stored: most selectors never allocate the table.
@safe struct NodeMemo: ~Copyable {
    private struct Entry {
        var first: UInt = 0
        var second: UInt = 0
        var tag: Int32 = 0
        var value: Int32 = 0
    }

    private var entries: UnsafeMutableBufferPointer<Entry>
    private var count = 0

    init() {
        unsafe entries = UnsafeMutableBufferPointer(start: nil, count: 0)
    }

    deinit {
        unsafe entries.deallocate()
    }

    /// The stored value; nil if there is none.
    func value(_ first: UInt, _ second: UInt = 0, tag: Int32) -> Int32? {
        guard unsafe !entries.isEmpty else { return nil }
        let index = slot(first, second, tag)
        return unsafe entries[index].first == 0 ? nil : entries[index].value
    }

    /// Stores a value, in place of any older one; `first` is not 0.
    mutating func set(_ first: UInt, _ second: UInt = 0, tag: Int32, to value: Int32) {
        if unsafe (count + 1) * 2 > entries.count { grow() }
        let index = slot(first, second, tag)
        if unsafe entries[index].first == 0 { count += 1 }
        unsafe entries[index] = Entry(first: first, second: second, tag: tag, value: value)
    }

    /// The index of an entry, or of the free slot where it would be.
    private func slot(_ first: UInt, _ second: UInt, _ tag: Int32) -> Int {
        let mask = unsafe entries.count - 1
        var hash = (first ^ second &* 0x9E37_79B9_7F4A_7C15 ^ UInt(truncatingIfNeeded: tag) << 48)
        hash = (hash ^ hash >> 29) &* 0xBF58_476D_1CE4_E5B9
        var index = Int(truncatingIfNeeded: hash >> 32) & mask
        while true {
            let entry = unsafe entries[index]
            if entry.first == 0 || entry.first == first && entry.second == second && entry.tag == tag {
                return index
            }
            index = (index + 1) & mask
        }
    }

    private mutating func grow() {
        let old = unsafe entries
        unsafe entries = .allocate(capacity: max(64, old.count * 2))
        unsafe entries.initialize(repeating: Entry())
        for index in old.indices {
            let entry = unsafe old[index]
            guard entry.first != 0 else { continue }
            let place = slot(entry.first, entry.second, entry.tag)
            unsafe entries[place] = entry
        }
        unsafe old.deallocate()
    }
}
