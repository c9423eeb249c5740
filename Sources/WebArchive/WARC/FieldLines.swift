import Glibc
import WebStandards

/// The lines of a head, one after the other, without copies.
@unsafe struct FieldLines {
    /// A field; its name is empty if the line is not a valid field.
    @unsafe struct Field {
        let name: UnsafeRawBufferPointer
        /// Without white space around it, folds still in it.
        let value: UnsafeRawBufferPointer

        /// Whether its name is this one, which is in lower case.
        @inline(__always)
        func isNamed(_ text: StaticString) -> Bool {
            guard unsafe name.count == text.utf8CodeUnitCount else { return false }
            for index in unsafe 0..<name.count
            where unsafe name[index].asciiLowercased != text.utf8Start[index] {
                return false
            }
            return true
        }

        /// The value as text, folded lines joined by a space.
        var text: String {
            guard unsafe value.contains(0x0A) else { return unsafe String(decoding: value, as: UTF8.self) }
            let lines = unsafe value.split(separator: 0x0A).map {
                unsafe FieldLines.trimmed(UnsafeRawBufferPointer(rebasing: $0))
            }
            return unsafe lines.map { unsafe String(decoding: $0, as: UTF8.self) }.joined(separator: " ")
        }

        /// The value without the angle brackets that some write around IDs and URLs; nil if nothing is left.
        var reference: String? {
            var bytes = unsafe value
            if bytes.count >= 2, unsafe bytes[0] == 0x3C, unsafe bytes[bytes.count - 1] == 0x3E,
                unsafe !bytes.contains(0x0A)
            {
                unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes[1..<(bytes.count - 1)])
                return unsafe String(decoding: bytes, as: UTF8.self)
            }
            var text = unsafe text
            if text.hasPrefix("<"), text.hasSuffix(">") { text = String(text.dropFirst().dropLast()) }
            return text.isEmpty ? nil : text
        }

        /// The essence of a media type, in lower case; nil if there is none.
        var essence: String? {
            let end =
                unsafe value.firstIndex { $0 == UInt8(ascii: ";") || $0 == UInt8(ascii: ",") } ?? value.count
            let bytes = unsafe FieldLines.trimmed(UnsafeRawBufferPointer(rebasing: value[..<end]))
            guard unsafe bytes.contains(UInt8(ascii: "/")) else { return nil }
            return unsafe String(asciiLowercasing: bytes)
        }
    }

    private let bytes: UnsafeRawBufferPointer
    private var index = 0

    init(_ bytes: UnsafeRawBufferPointer) {
        unsafe self.bytes = bytes
    }

    /// The next line without its end; nil at the end.
    mutating func nextLine() -> UnsafeRawBufferPointer? {
        guard unsafe index < bytes.count else { return nil }
        let start = unsafe index
        let end = unsafe lineEnd(from: start)
        unsafe index = end + 1
        return unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    }

    /// The next field, with the lines that continue it; nil at the end.
    mutating func next() -> Field? {
        guard unsafe index < bytes.count else { return nil }
        let start = unsafe index
        var end = unsafe lineEnd(from: start)
        while unsafe end + 1 < bytes.count, unsafe bytes[end + 1] == 0x20 || bytes[end + 1] == 0x09 {
            end = unsafe lineEnd(from: end + 1)
        }
        unsafe index = end + 1
        let line = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
        guard let base = line.baseAddress, let found = unsafe memchr(base, 0x3A, line.count) else {
            return unsafe Field(name: Self.nothing, value: Self.nothing)
        }
        let colon = unsafe UnsafeRawPointer(found) - base
        let name = unsafe Self.trimmed(UnsafeRawBufferPointer(rebasing: line[..<colon]))
        let value = unsafe Self.trimmed(UnsafeRawBufferPointer(rebasing: line[(colon + 1)...]))
        // A name is a token, which contains no space and no bracket.
        let isToken = unsafe name.allSatisfy { $0 > 0x20 && $0 != 0x3C && $0 != 0x3E && $0 != 0x7F }
        return unsafe Field(name: isToken ? name : Self.nothing, value: value)
    }

    private func lineEnd(from start: Int) -> Int {
        guard let base = unsafe bytes.baseAddress,
            let found = unsafe memchr(base + start, 0x0A, bytes.count - start)
        else { return unsafe bytes.count }
        return unsafe UnsafeRawPointer(found) - base
    }

    private static var nothing: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: nil, count: 0) }

    static func trimmed(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        var start = 0
        var end = bytes.count
        while start < end, unsafe isBlank(bytes[start]) { start += 1 }
        while end > start, unsafe isBlank(bytes[end - 1]) { end -= 1 }
        return unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<end])
    }

    @inline(__always)
    private static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Where the empty line that ends a head begins, and where what is behind it begins; nil if there is none.
    static func end(in bytes: UnsafeRawBufferPointer, from start: Int = 0) -> (head: Int, next: Int)? {
        guard let base = bytes.baseAddress else { return nil }
        var index = start
        while index < bytes.count, let found = unsafe memchr(base + index, 0x0A, bytes.count - index) {
            let place = unsafe UnsafeRawPointer(found) - base
            if place + 1 < bytes.count, unsafe bytes[place + 1] == 0x0A { return (place + 1, place + 2) }
            if place + 2 < bytes.count, unsafe bytes[place + 1] == 0x0D, unsafe bytes[place + 2] == 0x0A {
                return (place + 1, place + 3)
            }
            index = place + 1
        }
        return nil
    }
}
