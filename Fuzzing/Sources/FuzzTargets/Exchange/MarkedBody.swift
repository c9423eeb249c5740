/// A body in which every byte identifies the response that it was sent with, and its position there.
///
/// It is HTML, and its images are other URLs of the same server.
enum MarkedBody {
    private static let blockLength = 32
    private static let block = Array("<p>0000@000000<img src=\"/a\">   \n".utf8)
    private static let letters = Array("abcd/".utf8)
    private static let digits = Array("0123456789abcdef".utf8)

    /// The bytes of a range of the representation that response `serial` belongs to.
    static func bytes(_ serial: Int, _ range: Range<Int>) -> [UInt8] {
        guard !range.isEmpty else { return [] }
        let first = range.lowerBound / blockLength
        let last = (range.upperBound - 1) / blockLength
        var bytes: [UInt8] = []
        bytes.reserveCapacity((last - first + 1) * blockLength)
        var block = block
        write(serial, 3..<7, in: &block)
        for index in first...last {
            write(index, 8..<14, in: &block)
            block[25] = letters[(serial + index) % letters.count]
            bytes += block
        }
        let skipped = range.lowerBound - first * blockLength
        return skipped == 0 && range.count == bytes.count
            ? bytes : Array(bytes[skipped..<skipped + range.count])
    }

    private static func write(_ number: Int, _ positions: Range<Int>, in block: inout [UInt8]) {
        var rest = number
        for position in positions.reversed() {
            block[position] = digits[rest & 15]
            rest >>= 4
        }
    }

    /// The responses that the bytes were sent with, each once; `nil` if a byte was not sent with any of `candidates`,
    /// which are ordered from the likeliest on.
    ///
    /// The first byte stands at `start` in the representation.
    static func serials(of body: [UInt8], from start: Int, among candidates: [Int]) -> [Int]? {
        if body.isEmpty { return [] }
        let beginning = body.prefix(2 * blockLength)
        for serial in candidates where bytes(serial, start..<start + beginning.count)[...] == beginning {
            if bytes(serial, start..<start + body.count) == body { return [serial] }
        }
        var found: [Int] = []
        var position = 0
        while position < body.count {
            // The longest part of the block that one response explains.
            let end = min(body.count, ((start + position) / blockLength + 1) * blockLength - start)
            let lengths = candidates.map { serial in
                let expected = bytes(serial, start + position..<start + end)
                return (zip(expected, body[position..<end]).prefix { $0 == $1 }.count, serial)
            }
            guard let length = lengths.map(\.0).max(), length > 0 else { return nil }
            // If several do, prefer one that was found already.
            let best = lengths.filter { $0.0 == length }.map(\.1)
            guard let serial = best.first(where: found.contains) ?? best.first else { return nil }
            if !found.contains(serial) { found.append(serial) }
            position += length
        }
        return found
    }
}
