import WebStandards

/// How far the records of a file reach, by what they say themselves.
///
/// A record that is found before another's end, because that one's length is wrong or its member is damaged, may be a part of its
/// body: what a server has sent, which may look like a record of somebody else.
struct RecordExtents {
    /// The position among the unpacked bytes up to which records reach.
    private var position = 0
    /// The offset in the file up to which damaged members reach, and what the damage is.
    private var damaged: (offset: Int, code: ArchiveFinding.Code) = (0, .compression)
    /// Whether every record so far has begun a member, as is the custom: then none reaches behind its own.
    private var areMembers = true

    /// Notes a record.
    ///
    /// - Parameters:
    ///   - offset: Where its member begins in the file, or the record if nothing is packed.
    ///   - range: Its unpacked bytes, as its head says.
    ///   - beginsMember: Whether a member begins with it.
    /// - Returns: What is wrong with the other one, if it begins before the end of another; nil if not.
    mutating func add(at offset: Int, _ range: Range<Int>, beginsMember: Bool) -> ArchiveFinding.Code? {
        let isInside = !(areMembers && beginsMember) && range.lowerBound < position
        let cause = offset < damaged.offset ? damaged.code : isInside ? .length : nil
        // One that is found inside of another may be a record all the same, whose body has others.
        position = cause == nil ? range.upperBound : max(position, range.upperBound)
        areMembers = areMembers && (beginsMember || cause != nil)
        return cause
    }

    /// Notes where the record that was added last ends in truth.
    mutating func correctEnd(_ end: Int) { position = end }

    /// Notes a damaged member, of which nobody knows where it ends.
    ///
    /// - Parameters:
    ///   - offset: Where it begins.
    ///   - code: What is wrong with it.
    ///   - intact: Where members begin that follow each other up to the file's end without damage.
    mutating func addDamage(at offset: Int, _ code: ArchiveFinding.Code, intact: Int) {
        if offset >= damaged.offset { damaged = (intact, code) }
    }
}
