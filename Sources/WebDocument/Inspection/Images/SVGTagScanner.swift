/// Finds the outermost tag of an SVG file, behind declarations, comments and the document type.
struct SVGTagScanner {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
        // A byte order mark of UTF-8; there is hardly any SVG in UTF-16.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF] as [UInt8]) { position += 3 }
    }

    /// The attributes of the outermost element; nil where that is not `svg`, or its tag does not end.
    mutating func rootAttributes() -> [(name: String, value: String)]? {
        while true {
            skip(while: \.isASCIIWhitespace)
            guard current == UInt8(ascii: "<") else { return nil }
            position += 1
            switch current {
            case UInt8(ascii: "?"): guard skip(past: "?>") else { return nil }
            case UInt8(ascii: "!"):
                guard matches("!--") ? skip(past: "-->") : skipDocumentType() else { return nil }
            default: return tag()
            }
        }
    }

    private var current: UInt8? { position < bytes.endIndex ? bytes[position] : nil }

    private mutating func skip(while condition: (UInt8) -> Bool) {
        while let byte = current, condition(byte) { position += 1 }
    }

    private func matches(_ text: StaticString) -> Bool {
        let length = text.utf8CodeUnitCount
        guard bytes.endIndex - position >= length else { return false }
        for index in 0..<length where unsafe bytes[position + index] != text.utf8Start[index] { return false }
        return true
    }

    private mutating func skip(past text: StaticString) -> Bool {
        while position < bytes.endIndex {
            if matches(text) {
                position += text.utf8CodeUnitCount
                return true
            }
            position += 1
        }
        return false
    }

    /// Moves behind a document type, including its internal subset and quoted strings.
    private mutating func skipDocumentType() -> Bool {
        var isInSubset = false
        while let byte = current {
            position += 1
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                skip { $0 != byte }
                position += 1
            case UInt8(ascii: "["): isInSubset = true
            case UInt8(ascii: "]"): isInSubset = false
            case UInt8(ascii: ">"): if !isInSubset { return true }
            default: break
            }
        }
        return false
    }

    private mutating func name() -> Substring {
        let start = position
        skip {
            !$0.isASCIIWhitespace && $0 != UInt8(ascii: "=") && $0 != UInt8(ascii: ">")
                && $0 != UInt8(ascii: "/")
        }
        return Substring(decoding: bytes[start..<position], as: UTF8.self)
    }

    private mutating func tag() -> [(name: String, value: String)]? {
        let root = name()
        guard root == "svg" || root.hasSuffix(":svg") else { return nil }
        var attributes: [(name: String, value: String)] = []
        while true {
            skip { $0.isASCIIWhitespace || $0 == UInt8(ascii: "/") }
            guard let byte = current else { return nil }
            if byte == UInt8(ascii: ">") { return attributes }
            let name = String(name())
            skip(while: \.isASCIIWhitespace)
            guard current == UInt8(ascii: "=") else {
                // This is not XML, but must not lead to an endless loop.
                if name.isEmpty { return nil }
                continue
            }
            position += 1
            skip(while: \.isASCIIWhitespace)
            guard let quote = current, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
                return nil
            }
            position += 1
            let start = position
            skip { $0 != quote }
            guard current != nil else { return nil }
            if name == "width" || name == "height" || name == "viewBox" {
                attributes.append((name, String(decoding: bytes[start..<position], as: UTF8.self)))
            }
            position += 1
        }
    }
}
