/// Finds the part of a text that can be copied to the output unchanged, at once.
enum TextRun {
    /// How many bytes there are up to white space that is not a single space between two words.
    ///
    /// - Parameters:
    ///   - start: A text that ends with NUL; its first byte counts whatever it is.
    ///   - isVerbatim: Whether all white space is to be written as it stands, so that all of the text counts.
    /// - Returns: 1 or more.
    static func length(at start: UnsafePointer<UInt8>, isVerbatim: Bool = false) -> Int {
        var count = 1
        while case let byte = unsafe start[count], byte != 0 {
            if !isVerbatim, byte.isASCIIWhitespace {
                let next = unsafe start[count + 1]
                guard byte == 0x20, next != 0, !next.isASCIIWhitespace else { break }
            }
            count += 1
        }
        return count
    }
}
