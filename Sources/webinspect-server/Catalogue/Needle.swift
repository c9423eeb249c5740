/// A text that is looked for in many others, by its bytes.
struct Needle: Hashable, Sendable {
    private let bytes: [UInt8]
    /// How far to go on from each byte that stands where the text's last one would be.
    private let skips: [UInt8]

    init(_ text: String) {
        bytes = Array(text.utf8)
        var skips = [UInt8](repeating: UInt8(clamping: bytes.count), count: 256)
        for (index, byte) in bytes.dropLast().enumerated() {
            skips[Int(byte)] = UInt8(clamping: bytes.count - 1 - index)
        }
        self.skips = skips
    }

    /// Whether a text has it.
    func isIn(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { unsafe isIn($0) }
    }

    /// Whether a text has it (Horspool's search).
    func isIn(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let length = bytes.count
        let count = text.count
        guard let last = bytes.last else { return true }
        var end = length - 1
        while end < count {
            let byte = unsafe text[end]
            if byte == last {
                let start = end - (length - 1)
                var index = 0
                while index < length - 1, unsafe text[start + index] == bytes[index] { index += 1 }
                if index == length - 1 { return true }
            }
            end += max(1, Int(skips[Int(byte)]))
        }
        return false
    }
}
