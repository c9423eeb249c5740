import CHTMLTables
import CLibXML2
import Glibc

/// The names of elements and attributes of one parse, by number.
///
/// The numbers below ``HTMLAtom/knownCount`` are the same in every parse and found by a perfect hash; others
/// are assigned as names occur. Names are kept in the document's dictionary, as libxml2 does, so that two
/// equal names are one pointer. The dictionary's hash table does not grow beyond 16,384 chains, so on a page
/// with more names than ``dictionaryLimit`` further ones are kept beside it, in the document's arena. This is
/// a handle: copies share one table, which ``destroy()`` frees.
@safe struct HTMLNames {
    private let table: UnsafeMutablePointer<Table>

    /// How many names a page may have in its dictionary.
    static let dictionaryLimit = HTMLAtom.knownCount + 20_000

    private struct Slot {
        var hash: UInt64
        var atom: UInt32
    }

    @safe private struct Table {
        let document: UnsafeMutablePointer<xmlDoc>
        /// The text of each number, nil until it is first needed; it lives as long as the document.
        var texts: UnsafeMutablePointer<UnsafePointer<UInt8>?>
        /// The serial of the tag that last had an attribute of that number.
        var stamps: UnsafeMutablePointer<UInt32>
        var serial: UInt32 = 0
        var count = HTMLAtom.knownCount
        var capacity: Int
        /// Open addressing, at most half full; an atom of 0 is a free slot.
        var slots: UnsafeMutablePointer<Slot>?
        var slotCount = 0
        let seed: UInt64
    }

    /// Creates a table of the names of a document that must outlive it.
    init(of document: UnsafeMutablePointer<xmlDoc>) {
        let capacity = HTMLAtom.knownCount + 64
        let texts = UnsafeMutablePointer<UnsafePointer<UInt8>?>.allocate(capacity: capacity)
        unsafe texts.initialize(repeating: nil, count: capacity)
        let stamps = UnsafeMutablePointer<UInt32>.allocate(capacity: capacity)
        unsafe stamps.initialize(repeating: 0, count: capacity)
        unsafe table = UnsafeMutablePointer.allocate(capacity: 1)
        unsafe table.initialize(
            to: Table(
                document: document,
                texts: texts,
                stamps: stamps,
                capacity: capacity,
                slots: nil,
                // Address-space randomisation makes the seed hard to guess, so that long chains cannot be
                // provoked on purpose.
                seed: UInt64(UInt(bitPattern: texts)) &* 0x9E37_79B9_7F4A_7C15
                    ^ UInt64(UInt(bitPattern: document.pointee.dict))
            )
        )
    }

    /// Frees the table, not the names.
    ///
    /// No copy may be used afterwards.
    func destroy() {
        unsafe table.pointee.texts.deallocate()
        unsafe table.pointee.stamps.deallocate()
        unsafe table.pointee.slots?.deallocate()
        unsafe table.deallocate()
    }

    /// How many numbers there are.
    @inline(__always)
    var count: Int {
        unsafe table.pointee.count
    }

    /// The text of a number.
    @inline(__always)
    func text(_ atom: UInt32) throws(HTMLParserError) -> UnsafePointer<UInt8> {
        if let known = unsafe table.pointee.texts[Int(atom)] { return unsafe known }
        return unsafe try intern(known: atom)
    }

    @inline(never)
    private func intern(known atom: UInt32) throws(HTMLParserError) -> UnsafePointer<UInt8> {
        guard
            let text = unsafe xmlDictLookup(
                table.pointee.document.pointee.dict,
                webl_name_bytes(atom),
                Int32(webl_name_count(atom))
            )
        else { throw HTMLParserError(code: .outOfMemory) }
        unsafe table.pointee.texts[Int(atom)] = text
        return unsafe text
    }

    /// Begins a tag, in which no attribute name has been seen yet.
    @inline(__always)
    func beginTag() {
        unsafe table.pointee.serial &+= 1
    }

    /// Whether the tag had no attribute with that number yet; records that it has one now.
    @inline(__always)
    func isFirst(_ atom: UInt32) -> Bool {
        let serial = unsafe table.pointee.serial
        guard unsafe table.pointee.stamps[Int(atom)] != serial else { return false }
        unsafe table.pointee.stamps[Int(atom)] = serial
        return true
    }

    /// The number of a name, which must be in lowercase and without NUL.
    ///
    /// `readable` is how many bytes may be read from the name's start: at least its length.
    @inline(__always)
    func atom(_ name: HTMLBytes, readable: Int) throws(HTMLParserError) -> UInt32 {
        let count = name.count
        if count <= 16 {
            var low: UInt64 = 0
            var high: UInt64 = 0
            if readable >= 16 {
                let raw = unsafe UnsafeRawPointer(name.base)
                if count <= 8 {
                    low =
                        unsafe raw.loadUnaligned(as: UInt64.self)
                        & (~0 >> UInt64(truncatingIfNeeded: 64 &- 8 &* count))
                } else {
                    low = unsafe raw.loadUnaligned(as: UInt64.self)
                    high =
                        unsafe raw.loadUnaligned(fromByteOffset: 8, as: UInt64.self)
                        & (~0 >> UInt64(truncatingIfNeeded: 128 &- 8 &* count))
                }
            } else {
                for index in 0..<min(count, 8) {
                    low |= UInt64(name[index]) << UInt64(truncatingIfNeeded: 8 &* index)
                }
                for index in 8..<max(count, 8) {
                    high |= UInt64(name[index]) << UInt64(truncatingIfNeeded: 8 &* index &- 64)
                }
            }
            let known = webl_name_atom(low, high)
            if known != 0 { return known }
        }
        return try atom(unknown: name)
    }

    @inline(never)
    private func atom(unknown name: HTMLBytes) throws(HTMLParserError) -> UInt32 {
        if unsafe table.pointee.count * 2 >= table.pointee.slotCount + 2 * HTMLAtom.knownCount { growSlots() }
        guard let slots = unsafe table.pointee.slots else { return 0 }
        let hash = hash(name)
        let mask = unsafe table.pointee.slotCount - 1
        var index = Int(truncatingIfNeeded: hash) & mask
        while unsafe slots[index].atom != 0 {
            if unsafe slots[index].hash == hash {
                let atom = unsafe slots[index].atom
                let text = unsafe try text(atom)
                if unsafe strncmp(
                    UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self),
                    UnsafeRawPointer(name.base).assumingMemoryBound(to: CChar.self),
                    name.count
                ) == 0,
                    unsafe text[name.count] == 0
                {
                    return atom
                }
            }
            index = (index + 1) & mask
        }
        let atom = unsafe UInt32(truncatingIfNeeded: table.pointee.count)
        let text: UnsafePointer<UInt8>?
        if atom < UInt32(truncatingIfNeeded: Self.dictionaryLimit) {
            unsafe text = xmlDictLookup(
                table.pointee.document.pointee.dict,
                name.base,
                Int32(clamping: name.count)
            )
        } else {
            unsafe text = UnsafePointer(webl_take_copy(table.pointee.document, name.base, name.count))
        }
        guard let text = unsafe text else { throw HTMLParserError(code: .outOfMemory) }
        if unsafe table.pointee.count == table.pointee.capacity { growTexts() }
        unsafe table.pointee.texts[Int(atom)] = text
        unsafe table.pointee.stamps[Int(atom)] = 0
        unsafe table.pointee.count += 1
        unsafe slots[index] = Slot(hash: hash, atom: atom)
        return atom
    }

    /// A hash of 8-byte words, seeded.
    private func hash(_ name: HTMLBytes) -> UInt64 {
        var hash = unsafe table.pointee.seed ^ UInt64(truncatingIfNeeded: name.count)
        var index = 0
        let raw = unsafe UnsafeRawPointer(name.base)
        while index + 8 <= name.count {
            hash = unsafe Self.mix(hash ^ raw.loadUnaligned(fromByteOffset: index, as: UInt64.self))
            index += 8
        }
        var last: UInt64 = 0
        while index < name.count {
            last = last << 8 | UInt64(name[index])
            index += 1
        }
        return Self.mix(hash ^ last)
    }

    @inline(__always)
    private static func mix(_ value: UInt64) -> UInt64 {
        let product = value.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }

    private func growTexts() {
        let old = unsafe table.pointee.capacity
        let new = old * 2
        let texts = UnsafeMutablePointer<UnsafePointer<UInt8>?>.allocate(capacity: new)
        unsafe texts.initialize(from: table.pointee.texts, count: old)
        unsafe (texts + old).initialize(repeating: nil, count: new - old)
        unsafe table.pointee.texts.deallocate()
        unsafe table.pointee.texts = texts
        let stamps = UnsafeMutablePointer<UInt32>.allocate(capacity: new)
        unsafe stamps.initialize(from: table.pointee.stamps, count: old)
        unsafe (stamps + old).initialize(repeating: 0, count: new - old)
        unsafe table.pointee.stamps.deallocate()
        unsafe table.pointee.stamps = stamps
        unsafe table.pointee.capacity = new
    }

    private func growSlots() {
        let oldCount = unsafe table.pointee.slotCount
        let newCount = max(256, oldCount * 2)
        let slots = UnsafeMutablePointer<Slot>.allocate(capacity: newCount)
        unsafe slots.initialize(repeating: Slot(hash: 0, atom: 0), count: newCount)
        if let old = unsafe table.pointee.slots {
            for position in 0..<oldCount where unsafe old[position].atom != 0 {
                var index = unsafe Int(truncatingIfNeeded: old[position].hash) & (newCount - 1)
                while unsafe slots[index].atom != 0 { index = (index + 1) & (newCount - 1) }
                unsafe slots[index] = old[position]
            }
            unsafe old.deallocate()
        } else {
            // Known names that the perfect hash has no room for
            for atom in 1..<UInt32(truncatingIfNeeded: HTMLAtom.knownCount) where webl_name_count(atom) > 16 {
                let name = unsafe HTMLBytes(webl_name_bytes(atom), count: Int(webl_name_count(atom)))
                let hash = hash(name)
                var index = Int(truncatingIfNeeded: hash) & (newCount - 1)
                while unsafe slots[index].atom != 0 { index = (index + 1) & (newCount - 1) }
                unsafe slots[index] = Slot(hash: hash, atom: atom)
            }
        }
        unsafe table.pointee.slots = slots
        unsafe table.pointee.slotCount = newCount
    }
}
