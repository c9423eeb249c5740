/// Finds the declarations in an XML document's type that libxml2 may be given: `<!DOCTYPE x [ these ]>`.
///
/// libxml2 compares each name of an enumeration with each other, adds each default attribute to a list by
/// walking it, expands parameter entities as often as they are named, and cannot be interrupted meanwhile:
/// half a megabyte keeps it busy for hours. So declarations are scanned here first, in one pass. Those that
/// are syntactically valid, and no more than legitimate documents have, are kept; the others, and parameter
/// entities with their text in the document, are left out.
///
/// [XML 1.0, section 2.8](https://www.w3.org/TR/xml/#sec-prolog-dtd)
struct InternalSubset {
    /// The position of the "[", in bytes.
    let start: Int

    /// The ranges of bytes that are left out, in order.
    private(set) var omitted: [Range<Int>] = []

    /// The maximum number of bytes of declarations that are kept.
    static let maximumSize = 64 << 10

    /// The maximum number of names in declarations that are kept: names of elements, attributes and entities,
    /// and values of enumerations.
    static let maximumNames = 4096

    /// How many bytes are left out, not counting white space between declarations.
    var omittedCount: Int { omitted.reduce(0) { $0 + $1.count } }

    /// Scans the declarations; nil if a document has none.
    ///
    /// - Complexity: O(n) in the length of the markup before the root element.
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

    /// The document with spaces in place of the omitted ranges, except for their line ends.
    func text(of bytes: UnsafeBufferPointer<UInt8>) -> [UInt8] {
        var text = unsafe Array(bytes)
        for range in omitted {
            for index in range where text[index] != 0x0A { text[index] = 0x20 }
        }
        return text
    }

    /// The limit to report if declarations were left out; nil if none were.
    var reachedLimit: ReachedLimit? {
        guard !omitted.isEmpty else { return nil }
        return ReachedLimit(code: .declarations, limit: Self.maximumSize, count: omittedCount)
    }
}
