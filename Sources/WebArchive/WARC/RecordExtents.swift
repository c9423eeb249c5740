import WebStandards

/// The extents of a file's records, according to their heads.
///
/// A record that is found before the end of another, whose length is wrong or whose member is damaged, may be a part of
/// the other's body: a server may have sent bytes that look like a record of another site.
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
    ///   - offset: The offset in the file of its member, or of the record if nothing is compressed.
    ///   - range: Its uncompressed bytes, according to its head.
    ///   - beginsMember: Whether a member begins with it.
    /// - Returns: The problem of the other record or member, if the record begins before that one's end; otherwise
    ///   `nil`.
    mutating func add(at offset: Int, _ range: Range<Int>, beginsMember: Bool) -> ArchiveFinding.Code? {
        let isInside = !(areMembers && beginsMember) && range.lowerBound < position
        let cause = offset < damaged.offset ? damaged.code : isInside ? .length : nil
        // A record that is found inside of another may be a true record whose body contains others.
        position = cause == nil ? range.upperBound : max(position, range.upperBound)
        areMembers = areMembers && (beginsMember || cause != nil)
        return cause
    }

    /// Notes where the record that was added last ends in truth.
    mutating func correctEnd(_ end: Int) { position = end }

    /// Notes a damaged member, whose end is unknown.
    ///
    /// - Parameters:
    ///   - offset: The offset at which it begins.
    ///   - code: The kind of damage.
    ///   - intact: The offset from which undamaged members follow each other up to the file's end.
    mutating func addDamage(at offset: Int, _ code: ArchiveFinding.Code, intact: Int) {
        if offset >= damaged.offset { damaged = (intact, code) }
    }
}
