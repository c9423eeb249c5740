/// A run of bytes owned by another object: a piece of the input, of a table or of the tokenizer's scratch
/// space.
///
/// It is not bounds-checked: the code that creates one is responsible for its length, and no index may reach
/// `count`.
@safe struct HTMLBytes {
    let base: UnsafePointer<UInt8>
    let count: Int

    @inline(__always)
    init(_ base: UnsafePointer<UInt8>, count: Int) {
        unsafe self.base = base
        self.count = count
    }

    @inline(__always)
    subscript(index: Int) -> UInt8 {
        unsafe base[index]
    }

    /// The bytes from `from` up to, but not including, `to`.
    @inline(__always)
    func slice(_ from: Int, _ to: Int) -> HTMLBytes {
        unsafe HTMLBytes(base + from, count: to - from)
    }

    @inline(__always)
    func dropFirst(_ number: Int) -> HTMLBytes {
        slice(number, count)
    }

    /// The number of bytes of HTML white space at the start.
    var leadingWhitespace: Int {
        var index = 0
        while index < count, self[index].isASCIIWhitespace { index += 1 }
        return index
    }

    /// Whether these are the bytes of `text`.
    func equals(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && matches(text, at: 0, folding: false)
    }

    /// Whether these are the bytes of `text`, which is in lowercase, ignoring the case of ASCII letters.
    func equalsIgnoringCase(_ text: StaticString) -> Bool {
        count == text.utf8CodeUnitCount && matches(text, at: 0, folding: true)
    }

    /// Whether these begin with the bytes of `text`, which is in lowercase, ignoring the case of ASCII
    /// letters.
    func hasPrefixIgnoringCase(_ text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && matches(text, at: 0, folding: true)
    }

    func hasPrefix(_ text: StaticString) -> Bool {
        count >= text.utf8CodeUnitCount && matches(text, at: 0, folding: false)
    }

    /// How many bytes of `text` match those at `index`, up to the end of these bytes.
    func matchLength(_ text: StaticString, at index: Int, folding: Bool) -> Int {
        let wanted = unsafe text.utf8Start
        let available = min(text.utf8CodeUnitCount, count - index)
        var matched = 0
        while matched < available {
            let byte = folding ? self[index + matched].asciiLowercased : self[index + matched]
            guard unsafe byte == wanted[matched] else { break }
            matched += 1
        }
        return matched
    }

    private func matches(_ text: StaticString, at index: Int, folding: Bool) -> Bool {
        matchLength(text, at: index, folding: folding) == text.utf8CodeUnitCount
    }

    /// The bytes, which must be UTF-8, as a string.
    var string: String {
        unsafe String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
    }
}
