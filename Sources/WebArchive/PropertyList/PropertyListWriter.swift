import WebStandards

/// Writes a property list in its binary form, `bplist00`: its objects one after the other, and where each of them begins.
///
/// Strings that are the same, and data that are, are written once, however often they occur.
///
/// <https://opensource.apple.com/source/CF/CF-1153.18/CFBinaryPList.c.auto.html>
package struct PropertyListWriter {
    /// All objects, of which the first is the whole.
    private var objects: [PropertyList] = []
    /// The numbers of the objects that each of them has: of a dictionary, first those of all keys.
    private var references: [[Int]] = []
    // By their bytes: what Swift takes for equal text may be written in different ones.
    private var strings: [[UInt8]: Int] = [:]
    private var data: [[UInt8]: Int] = [:]

    /// Bytes that are gathered before they are passed on.
    private static let pieceLength = 1 << 16

    /// Prepares a property list.
    ///
    /// - Complexity: O(n) in the objects and their bytes.
    package init(_ whole: PropertyList) {
        _ = add(whole)
        // Not by recursion: how deep it is does not matter.
        var number = 0
        while number < objects.count {
            var found: [Int] = []
            switch objects[number] {
            case .dictionary(let members):
                for member in members { found.append(add(.string(member.key))) }
                for member in members { found.append(add(member.value)) }
            case .array(let values):
                for value in values { found.append(add(value)) }
            case .string, .data, .integer: break
            }
            references[number] = found
            number += 1
        }
    }

    /// Adds an object, or finds the one that is the same; returns its number.
    private mutating func add(_ object: PropertyList) -> Int {
        let next = objects.count
        switch object {
        case .string(let text):
            let bytes = Array(text.utf8)
            if let number = strings[bytes] { return number }
            strings[bytes] = next
        case .data(let bytes):
            if let number = data[bytes] { return number }
            data[bytes] = next
        case .dictionary, .array, .integer: break
        }
        objects.append(object)
        references.append([])
        return next
    }

    // MARK: - Writing

    /// Passes the bytes to a closure, in pieces.
    ///
    /// - Parameter output: Receives the bytes.
    /// - Returns: The number of bytes.
    /// - Throws: Any error that `output` throws.
    package func write(
        to output: ([UInt8]) throws(ArchiveError) -> Void
    ) throws(ArchiveError) -> Int {
        var piece = Array("bplist00".utf8)
        var passed = 0
        func pass() throws(ArchiveError) {
            try output(piece)
            passed += piece.count
            piece.removeAll(keepingCapacity: true)
        }
        let referenceSize = Self.size(objects.count)
        var offsets: [Int] = []
        offsets.reserveCapacity(objects.count)
        for (object, references) in zip(objects, references) {
            offsets.append(passed + piece.count)
            switch object {
            case .dictionary(let members):
                Self.append(marker: 0xD0, count: members.count, to: &piece)
            case .array(let values):
                Self.append(marker: 0xA0, count: values.count, to: &piece)
            case .string(let text): Self.append(text, to: &piece)
            case .integer(let value): Self.append(value, to: &piece)
            case .data(let bytes):
                Self.append(marker: 0x40, count: bytes.count, to: &piece)
                guard bytes.count >= Self.pieceLength else {
                    piece += bytes
                    break
                }
                try pass()
                try output(bytes)
                passed += bytes.count
            }
            for reference in references {
                Self.append(UInt64(clamping: reference), size: referenceSize, to: &piece)
            }
            if piece.count >= Self.pieceLength { try pass() }
        }
        let table = passed + piece.count
        let offsetSize = Self.size(table)
        for offset in offsets {
            Self.append(UInt64(clamping: offset), size: offsetSize, to: &piece)
            if piece.count >= Self.pieceLength { try pass() }
        }
        piece += [0, 0, 0, 0, 0, 0, UInt8(clamping: offsetSize), UInt8(clamping: referenceSize)]
        for number in [objects.count, 0, table] { Self.append(UInt64(clamping: number), size: 8, to: &piece) }
        try pass()
        return passed
    }

    /// The bytes of numbers up to one that is itself not among them; readers want one that would fit as well.
    private static func size(_ limit: Int) -> Int {
        switch limit {
        case ...0xFF: 1
        case ...0xFFFF: 2
        case ...0xFFFF_FFFF: 4
        default: 8
        }
    }

    /// The first byte of an object, and the count of what is in it.
    private static func append(marker: UInt8, count: Int, to piece: inout [UInt8]) {
        if count < 0xF {
            piece.append(marker | UInt8(clamping: count))
        } else {
            piece.append(marker | 0xF)
            append(Int64(count), to: &piece)
        }
    }

    /// A whole number: of 8 bytes it has a sign, and of fewer it has none.
    private static func append(_ value: Int64, to piece: inout [UInt8]) {
        let (marker, size): (UInt8, Int) =
            switch value {
            case 0...0xFF: (0x10, 1)
            case 0...0xFFFF: (0x11, 2)
            case 0...0xFFFF_FFFF: (0x12, 4)
            default: (0x13, 8)
            }
        piece.append(marker)
        append(UInt64(bitPattern: value), size: size, to: &piece)
    }

    /// A text, in ASCII or UTF-16.
    private static func append(_ text: String, to piece: inout [UInt8]) {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            append(marker: 0x50, count: text.utf8.count, to: &piece)
            piece += text.utf8
        } else {
            append(marker: 0x60, count: text.utf16.count, to: &piece)
            for unit in text.utf16 { append(UInt64(unit), size: 2, to: &piece) }
        }
    }

    /// The last bytes of a number, the most significant one first.
    private static func append(_ value: UInt64, size: Int, to piece: inout [UInt8]) {
        for place in (0..<size).reversed() {
            piece.append(UInt8(truncatingIfNeeded: value >> UInt64(clamping: place &* 8)))
        }
    }
}
