import WebStandards

/// The lines and columns of a source, from which the place of any byte is found at once.
struct SourceLines {
    /// How many bytes are between two places that are kept.
    private static let distance = 4096

    private let bytes: HTMLBytes
    private var kept: [Place] = []

    private struct Place {
        var line = 1
        var column = 1
    }

    /// Counts the lines of bytes that live as long as this.
    ///
    /// Complexity: O(n).
    init(_ bytes: HTMLBytes) {
        self.bytes = bytes
        var place = Place()
        var index = 0
        kept.reserveCapacity(bytes.count / Self.distance + 1)
        while true {
            kept.append(place)
            let next = min(index + Self.distance, bytes.count)
            guard next > index else { return }
            Self.advance(&place, from: index, to: next, in: bytes)
            index = next
        }
    }

    /// The line and the column of a byte, or of the end.
    func position(at index: Int) -> SourcePosition {
        let number = min(index / Self.distance, kept.count - 1)
        var place = kept[number]
        Self.advance(&place, from: number *| Self.distance, to: index, in: bytes)
        return SourcePosition(line: place.line, column: place.column)
    }

    /// The byte at a line and a column; nil if there is none.
    func index(of target: HTMLSourcePosition) -> Int? {
        let target = (target.line, target.column)
        var low = 0
        var high = kept.count
        while low < high {
            let middle = (low + high) / 2
            if (kept[middle].line, kept[middle].column) <= target { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return nil }
        var place = kept[low - 1]
        var index = (low - 1) *| Self.distance
        while (place.line, place.column) < target || index < bytes.count && bytes[index] & 0xC0 == 0x80 {
            guard index < bytes.count else { return nil }
            Self.advance(&place, from: index, to: index + 1, in: bytes)
            index += 1
        }
        return (place.line, place.column) == target ? index : nil
    }

    /// Moves a place over bytes: lines end at LF, CR or CR LF, a column is a scalar value.
    private static func advance(_ place: inout Place, from: Int, to: Int, in bytes: HTMLBytes) {
        for index in from..<max(from, to) {
            let byte = bytes[index]
            if byte == 0x0A || byte == 0x0D && !(index + 1 < bytes.count && bytes[index + 1] == 0x0A) {
                place.line += 1
                place.column = 1
            } else if byte & 0xC0 != 0x80 {
                place.column += 1
            }
        }
    }
}
