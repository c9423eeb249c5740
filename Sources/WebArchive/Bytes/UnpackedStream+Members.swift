import CArchive
import Glibc

extension UnpackedStream {
    // MARK: - Packed bytes

    /// Has at least so many packed bytes at hand, if there are.
    func fillPacked(_ minimum: Int) throws(ArchiveError) {
        guard packedEnd - packedStart < minimum, !isFileAtEnd else { return }
        if packedStart > 0 {
            unsafe _ = memmove(packed, packed + packedStart, packedEnd - packedStart)
            (packedStart, packedEnd) = (0, packedEnd - packedStart)
        }
        while packedEnd < minimum, !isFileAtEnd {
            let room = min(Self.packedCapacity - packedEnd, max(readSize, minimum - packedEnd))
            readSize = min(Self.packedCapacity, readSize * 4)
            let got = unsafe try file.read(
                at: fileOffset,
                into: UnsafeMutableRawBufferPointer(start: packed + packedEnd, count: room)
            )
            isFileAtEnd = got == 0
            packedEnd += got
            fileOffset += got
        }
    }

    func packedBytes(_ count: Int) -> [UInt8] {
        unsafe Array(
            UnsafeRawBufferPointer(start: packed + packedStart, count: min(count, packedEnd - packedStart))
        )
    }

    func unpack(_ minimum: Int) throws(ArchiveError) {
        if phase == .inMember { return try unpackPiece(minimum) }
        try fillPacked(4)
        let magic = packedBytes(4)
        if magic.isEmpty {
            phase = .ended
        } else if packing == .gzip, magic.starts(with: [0x1F, 0x8B]) {
            try beginMember(minimum)
        } else if packing == .zstandard, Self.isSkippable(magic) {
            try skipFrame()
        } else if packing == .zstandard, Self.isZstandard(magic) {
            beginStream()
        } else if try !isPadding() {
            fail(.compression, at: packedOffset, "there is no \(packing) where the last member ends")
        }
    }

    /// Whether only zeros are left, as of a tape's blocks; passes over them.
    func isPadding() throws(ArchiveError) -> Bool {
        while true {
            try fillPacked(1)
            if packedStart == packedEnd {
                phase = .ended
                return true
            }
            let bytes = unsafe UnsafeRawBufferPointer(
                start: packed + packedStart,
                count: packedEnd - packedStart
            )
            guard unsafe bytes.allSatisfy({ $0 == 0 }) else { return false }
            packedStart = packedEnd
        }
    }

    func beginStream() {
        let isReady =
            unsafe packing == .gzip ? webl_inflater_begin(inflater) != 0 : webl_unzstd_begin(decoder) != 0
        guard isReady else { return fail(.compression, at: packedOffset, "there is no memory to unpack it") }
        append(Member(offset: packedOffset, start: position + count))
        phase = .inMember
    }

    func append(_ member: Member) {
        // A member without bytes belongs to no record.
        if let last = members.last, last.end == last.start { members.removeLast() }
        members.append(member)
    }

    func fail(_ code: ArchiveFinding.Code, at offset: Int, _ message: String) {
        phase = .damaged
        damage = Damage(code: code, offset: offset, message: message)
    }

    // MARK: - gzip

    /// Unpacks a member at once if all of it is at hand and it is not too large, else begins it.
    func beginMember(_ minimum: Int) throws(ArchiveError) {
        try fillPacked(min(readSize / 4, Self.packedMinimum))
        makeRoom(minimum)
        while true {
            var used = packedEnd - packedStart
            var made = capacity - end
            switch unsafe webl_inflate_whole(inflater, packed + packedStart, &used, buffer + end, &made) {
            case WEBL_INFLATE_END:
                let offset = packedOffset
                let first = position + count
                append(
                    Member(offset: offset, endOffset: offset + used, start: first, end: first + made)
                )
                packedStart += used
                end += made
                return
            case WEBL_INFLATE_NO_ROOM where start > 0:
                moveToFront()
            case WEBL_INFLATE_NO_ROOM where capacity < Self.largestWindow:
                grow(min(capacity * 2, Self.largestWindow))
            case WEBL_INFLATE_DAMAGED where packedEnd - packedStart < Self.packedCapacity && !isFileAtEnd:
                // The member may go on.
                try fillPacked(min((packedEnd - packedStart) * 4, Self.packedCapacity))
            default:
                return beginStream()
            }
        }
    }

    // MARK: - Streams

    func unpackPiece(_ minimum: Int) throws(ArchiveError) {
        try fillPacked(1)
        makeRoom(minimum)
        let given = packedEnd - packedStart
        var left = given
        let room = min(capacity - end, 1 << 20)
        var roomLeft = room
        let isEnd: Bool
        var isDamaged = false
        if packing == .gzip {
            let result = unsafe webl_inflater_step(
                inflater,
                packed + packedStart,
                &left,
                buffer + end,
                &roomLeft
            )
            isEnd = result == WEBL_INFLATE_END
            isDamaged = !isEnd && result != WEBL_INFLATE_MORE
        } else {
            let result = unsafe webl_unzstd_step(
                decoder,
                packed + packedStart,
                &left,
                buffer + end,
                &roomLeft
            )
            isEnd = result == WEBL_UNZSTD_END
            isDamaged = !isEnd && result != WEBL_UNZSTD_MORE
        }
        packedStart += given - left
        end += room - roomLeft
        if isEnd {
            members[members.endIndex - 1].end = position + count
            members[members.endIndex - 1].endOffset = packedOffset
            phase = .between
        } else if isDamaged {
            fail(.compression, at: members.last?.offset ?? 0, "the member of \(packing) is damaged")
        } else if room == roomLeft, given == left {
            if isFileAtEnd {
                fail(.truncated, at: members.last?.offset ?? 0, "the file ends in a member of \(packing)")
            } else {
                try fillPacked(given + 1)
                // A decoder that takes nothing of a full buffer has no use for more.
                if given == Self.packedCapacity {
                    fail(.compression, at: members.last?.offset ?? 0, "the member of \(packing) is damaged")
                }
            }
        }
    }
}
