/// The replacement for a match: `$0` is the match, `$1` to `$99` its groups, `$$` a dollar.
struct ReplacementTemplate {
    private enum Piece {
        case bytes([UInt8])
        case group(Int)
    }

    private var pieces: [Piece] = []

    init(_ text: String) {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "$"), let next = rest.first else {
                bytes.append(byte)
                continue
            }
            if next == UInt8(ascii: "$") {
                bytes.append(next)
                rest.removeFirst()
            } else if next.isASCIIDigit {
                var number = 0
                for _ in 0..<2 {
                    guard let digit = rest.first, digit.isASCIIDigit else { break }
                    number.appendDigit(digit)
                    rest.removeFirst()
                }
                pieces.append(.bytes(bytes))
                pieces.append(.group(number))
                bytes = []
            } else {
                bytes.append(byte)
            }
        }
        pieces.append(.bytes(bytes))
    }

    /// Appends the replacement; groups that took no part or do not exist are empty.
    func append(to output: inout [UInt8], _ text: UnsafeBufferPointer<UInt8>, _ groups: [Range<Int>?]) {
        for piece in pieces {
            switch piece {
            case .bytes(let bytes): output += bytes
            case .group(let number):
                if number < groups.count, let range = groups[number] { unsafe output += text[range] }
            }
        }
    }
}
