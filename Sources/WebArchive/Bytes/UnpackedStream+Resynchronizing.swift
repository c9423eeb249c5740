import CArchive
import Glibc
import WebStandards

extension UnpackedStream {
    /// Continues at the next member that begins with a record, after a damaged one; returns false if there is none.
    ///
    /// The bytes that a damaged member seems to consist of may extend into the next member, so the search begins at the
    /// start of the damaged one, as long as that does not take long.
    func resynchronize() throws(ArchiveError) -> Bool {
        drop(count)
        let begin = (damage?.offset ?? packedOffset) + 1
        damage = nil
        let atHand = fileOffset - packedEnd
        if begin < packedOffset, begin >= atHand || file.isSeekable, lookedAgain < Self.mostLookedAgain {
            lookedAgain += packedOffset - begin
            if begin >= atHand {
                packedStart = begin - atHand
            } else {
                (packedStart, packedEnd, fileOffset, isFileAtEnd) = (0, 0, begin, false)
            }
        }
        // A decoder may have taken nothing of it.
        packedStart = min(packedEnd, packedStart + max(0, begin - packedOffset))
        let first: UInt8 = packing == .gzip ? 0x1F : 0x28
        while true {
            try fillPacked(Self.trialLength)
            guard packedStart < packedEnd else {
                phase = .ended
                return false
            }
            let count = packedEnd - packedStart
            guard let found = unsafe memchr(packed + packedStart, Int32(first), count) else {
                packedStart = packedEnd
                continue
            }
            packedStart = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(packed)
            try fillPacked(Self.trialLength)
            if beginsRecord() {
                phase = .between
                return true
            }
            packedStart += 1
        }
    }

    /// Returns the offset from which undamaged members follow each other up to the file's end.
    ///
    /// It is the largest possible offset if the file ends in damage, or can be read only once. Members that a server
    /// has hidden in one of its bodies end before the member of that body does.
    ///
    /// Complexity: O(n) in the bytes of the rest of the file, unpacked.
    func intactOffset() throws(ArchiveError) -> Int {
        guard file.isSeekable else { return .largestBounded }
        let rest = try UnpackedStream(file, at: packedOffset, packing: packing)
        var offset = packedOffset
        while true {
            while try rest.fill(1) { rest.drop(rest.count) }
            guard let damage = rest.damage else {
                // Zeros at its end may be where it was cut.
                return rest.members.last?.endOffset == file.size ? offset : .largestBounded
            }
            guard damage.code != .truncated, try rest.resynchronize() else { return .largestBounded }
            offset = rest.packedOffset
        }
    }

    /// Whether the packed bytes at hand are the start of a member that begins with a record.
    func beginsRecord() -> Bool {
        let magic = packedBytes(4)
        var left = min(packedEnd - packedStart, Self.trialLength)
        var head = [UInt8](repeating: 0, count: 128)
        var room = head.count
        switch packing {
        case .none: return false
        case .gzip:
            guard magic.starts(with: [0x1F, 0x8B, 8]), magic.count == 4, magic[3] & 0xE0 == 0,
                unsafe webl_inflater_begin(inflater) != 0
            else { return false }
            unsafe head.withUnsafeMutableBytes {
                _ = unsafe webl_inflater_step(inflater, packed + packedStart, &left, $0.baseAddress, &room)
            }
        case .zstandard:
            guard Self.isZstandard(magic), !Self.isSkippable(magic), unsafe webl_unzstd_begin(decoder) != 0
            else { return false }
            unsafe head.withUnsafeMutableBytes {
                _ = unsafe webl_unzstd_step(decoder, packed + packedStart, &left, $0.baseAddress, &room)
            }
        }
        return RecordStart.isLikely(head.dropLast(room))
    }
}
