import WebStandards

extension WARCReader {
    /// Passes over bytes until a record begins, or something else ends them.
    func findRecord(from distance: Int) throws(ArchiveError) {
        if recordCount == 0, !hasLookedForPacked, stream.packing == .none, let packed = try packedStart() {
            stream = packed
            headSearchedTo = 0
            return
        }
        hasLookedForPacked = hasLookedForPacked || recordCount == 0 && stream.packing == .none
        var start = distance
        while try stream.fill(start + 1) {
            let window = unsafe stream.window
            if let found = RecordStart.find(in: window, from: start, isARC: isARC) {
                // A match at the window's end may be only the first bytes of a start.
                if found + 32 <= window.count { return stream.drop(found) }
                if try !stream.fill(found + 32) { return stream.drop(found) }
                if unsafe RecordStart.find(in: stream.window, from: found, isARC: isARC) == found {
                    return stream.drop(found)
                }
                start = found + 1
                continue
            }
            // The last line may go on.
            let kept = unsafe min(
                isARC ? ARCLine.longest : 16,
                window.count - 1,
                Self.lastLine(of: window) + 1
            )
            stream.drop(window.count - kept)
            start = kept
            if try !stream.fill(kept + 1) { break }
            start = 1
        }
        stream.drop(stream.count)
    }

    /// Bytes of the last line of bytes.
    static func lastLine(of bytes: UnsafeRawBufferPointer) -> Int {
        unsafe bytes.lastIndex(of: 0x0A).map { bytes.count - $0 } ?? bytes.count
    }

    /// The file from its first packed record on, if it begins with garbage in place of one.
    func packedStart() throws(ArchiveError) -> UnpackedStream? {
        guard file.isSeekable else { return nil }
        let text = unsafe RecordStart.find(in: stream.window, from: 0, isARC: false).map { offset + $0 }
        for packing in [UnpackedStream.Packing.gzip, .zstandard] {
            let packed = try UnpackedStream(file, at: offset, packing: packing)
            if try packed.resynchronize(), packed.offset < text ?? Int.largestBounded { return packed }
        }
        return nil
    }
}
