/// Finds the declarations of an XML document's type that libxml2 may be handed: `<!DOCTYPE x [ these ]>`.
///
/// libxml2 compares each name of an enumeration with each, adds each default attribute to a list by walking it, expands
/// parameter entities as often as they are named, and asks nobody in between: half a megabyte keeps it busy for hours.
/// So declarations are read here first, in one go. Those that are written as XML has it, and are no more than honest
/// documents have, are kept; the others, and parameter entities with their text in the document, are left out.
///
/// [XML 1.0, section 2.8](https://www.w3.org/TR/xml/#sec-prolog-dtd)
struct InternalSubset {
    /// Where the "[" is, in bytes.
    let start: Int

    /// Ranges of bytes that are to be left out, in order.
    private(set) var omitted: [Range<Int>] = []

    /// Bytes of declarations that are kept.
    static let maximumSize = 64 << 10

    /// Names in declarations that are kept: of elements, attributes, entities, and what an attribute may be.
    static let maximumNames = 4096

    /// How many bytes are left out, white space apart.
    var omittedCount: Int { omitted.reduce(0) { $0 + $1.count } }

    /// Reads the declarations; nil where a document has none.
    ///
    /// - Complexity: O(n) in the length of what stands before the root element.
    init?(_ bytes: UnsafeBufferPointer<UInt8>) {
        var scanner = unsafe XMLDeclarationScanner(bytes)
        guard scanner.skipToInternalSubset() else { return nil }
        start = scanner.position
        scanner.position += 1
        var size = 0
        var names = 0
        while let declaration = scanner.nextDeclaration() {
            switch declaration {
            case .kept(let range, let count):
                size += range.count
                names += count
                if size > Self.maximumSize || names > Self.maximumNames { omit(range) }
            case .omitted(let range): omit(range)
            }
        }
    }

    private mutating func omit(_ range: Range<Int>) {
        if let last = omitted.last, last.upperBound == range.lowerBound {
            omitted[omitted.count - 1] = last.lowerBound..<range.upperBound
        } else if !range.isEmpty {
            omitted.append(range)
        }
    }

    /// The document with spaces in place of what is left out, the ends of its lines as they are.
    func text(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var text = unsafe Array(bytes)
        for range in omitted {
            for index in range where text[index] != 0x0A { text[index] = 0x20 }
        }
        return text
    }

    /// What is said of what is left out; nil if nothing is.
    var reachedLimit: ReachedLimit? {
        guard !omitted.isEmpty else { return nil }
        return ReachedLimit(code: .declarations, limit: Self.maximumSize, count: omittedCount)
    }
}
