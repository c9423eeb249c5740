import CArchive
import WebStandards

/// Finds where the members of a file end, to detect one that a writer left unfinished.
///
/// It goes from one member to the next, beginning at the start of a member. The contents of members are discarded.
@safe final class MemberChain {
    /// The contents of a file after the start of a member.
    enum End: Equatable {
        /// Whole members only.
        case whole
        /// Whole members, and the first part of another one, which begins here.
        case unfinished(at: Int)
        /// Whole members, and something else, which begins here.
        case damaged(at: Int)
    }

    private let check: OpaquePointer
    private let form: WARCForm

    /// Bytes that are read at once.
    private static let pieceLength = 256 << 10

    /// Creates a chain for compressed members.
    ///
    /// - Throws: ``ArchiveError/Code/unavailable`` if the library is not there.
    init(_ form: WARCForm, _ member: webl_member_form) throws(ArchiveError) {
        guard let check = unsafe webl_member_check_create(member) else {
            throw ArchiveError(
                .unavailable,
                "the archive cannot be read: its compression's library is not there"
            )
        }
        unsafe self.check = check
        self.form = form
    }

    deinit {
        unsafe webl_member_check_free(check)
    }

    /// Goes through the members from an offset to the file's end.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - start: The offset of the first member.
    ///   - size: The size of the file.
    ///   - isRecord: Whether the first member must begin a record, and anything else is damage.
    /// - Returns: The kind of contents after `start`.
    /// - Throws: ``File/Failure`` if the file cannot be read.
    func end(
        of file: borrowing File,
        from start: Int,
        size: Int,
        isRecord: Bool
    ) throws(File.Failure) -> End {
        var (begin, position) = (start, start)
        var isNew = true
        var mustBeRecord = isRecord
        while position < size {
            let piece = try file.read(min(Self.pieceLength, size - position), at: position)
            guard !piece.isEmpty else { return .unfinished(at: begin) }
            var used = 0
            while used < piece.count {
                if isNew {
                    begin = position + used
                    guard isMagic(piece[used...]),
                        unsafe webl_member_check_begin(check) != 0
                    else { return .damaged(at: begin) }
                    isNew = false
                }
                let state = step(piece, &used)
                if mustBeRecord, prefixIsNoRecord(isWhole: state == WEBL_MEMBER_END) {
                    return .damaged(at: begin)
                }
                switch state {
                case WEBL_MEMBER_OPEN: break
                case WEBL_MEMBER_END:
                    isNew = true
                    mustBeRecord = false
                default: return .damaged(at: begin)
                }
            }
            position += piece.count
        }
        return isNew ? .whole : .unfinished(at: begin)
    }

    /// Whether bytes begin as a member does, as far as they go.
    private func isMagic(_ bytes: ArraySlice<UInt8>) -> Bool {
        let magic = form.magic
        return bytes.prefix(magic.count).elementsEqual(magic.prefix(bytes.count))
    }

    private func step(_ piece: [UInt8], _ used: inout Int) -> webl_member_state {
        unsafe piece.withUnsafeBufferPointer { bytes in
            var left = bytes.count - used
            let state = unsafe webl_member_check_step(
                check,
                bytes.baseAddress.map { unsafe $0 + used },
                &left
            )
            used = bytes.count - left
            return state
        }
    }

    private static let record = Array("WARC/".utf8)

    private func prefixIsNoRecord(isWhole: Bool) -> Bool {
        let prefix = prefix
        return !prefix.prefix(Self.record.count).elementsEqual(Self.record.prefix(prefix.count))
            || isWhole && prefix.count < Self.record.count
    }

    /// The first bytes of the current member's content.
    private var prefix: [UInt8] {
        var start: UnsafePointer<UInt8>?
        let count = unsafe webl_member_check_prefix(check, &start)
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }
}
