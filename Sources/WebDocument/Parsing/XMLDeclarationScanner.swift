/// Scans the markup before the root element of an XML document, one declaration after the other.
///
/// It is stricter than libxml2, so that both agree on the end of every declaration that it accepts.
@safe struct XMLDeclarationScanner {
    private let bytes: UnsafeBufferPointer<UInt8>
    var position = 0

    /// How many names the current declaration has.
    private var names = 0

    /// A declaration in an internal subset.
    enum Declaration {
        /// A declaration that is syntactically valid, with its number of names.
        case kept(Range<Int>, names: Int)
        /// A part that is not syntactically valid, or that would be expanded.
        case omitted(Range<Int>)
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        unsafe self.bytes = bytes
    }

    // MARK: - The prolog

    /// Moves to the "[" of the document type declaration; false if there is none.
    mutating func skipToInternalSubset() -> Bool {
        guard skipToExternalID() else { return false }
        skipExternalID()
        skipSpace()
        return byte == UInt8(ascii: "[")
    }

    /// Moves to the public identifier of the document type declaration, and returns it, white space stripped and
    /// collapsed; nil if there is none.
    mutating func skipToPublicIdentifier() -> String? {
        guard skipToExternalID(), skip("PUBLIC"), skipSpace() else { return nil }
        let start = position + 1
        guard skipLiteral(holdsMarkup: false) else { return nil }
        return unsafe String(decoding: bytes[start..<position - 1], as: UTF8.self).collapsingASCIIWhitespace
    }

    /// Moves from behind the public identifier to that of the document type declaration, and returns the names of the
    /// entities that it declares.
    mutating func skipDoctype() -> Set<[UInt8]> {
        var entities: Set<[UInt8]> = []
        skipSpace()
        _ = skipLiteral(holdsMarkup: false)
        skipSpace()
        if skip("[") {
            while let declaration = nextDeclaration() {
                guard case .kept(let range, _) = declaration else { continue }
                var scanner = unsafe XMLDeclarationScanner(bytes)
                scanner.position = range.lowerBound
                guard scanner.skip("<!ENTITY"), scanner.skipSpace() else { continue }
                let start = scanner.position
                if scanner.skipName() { unsafe entities.insert(Array(bytes[start..<scanner.position])) }
            }
        }
        _ = skip(past: ">")
        return entities
    }

    /// Moves to the next `&` in text or in a tag; false if there is none.
    mutating func skipToReference() -> Bool {
        while let byte {
            if byte == UInt8(ascii: "&") { return true }
            if skip("<!--") {
                _ = skip(past: "-->")
            } else if skip("<![CDATA[") {
                _ = skip(past: "]]>")
            } else if skip("<?") {
                _ = skip(past: "?>")
            } else {
                position += 1
            }
        }
        return false
    }

    /// Moves behind the name in the document type declaration; false if there is none.
    private mutating func skipToExternalID() -> Bool {
        if starts(with: "<?xml"), isSpace(at: position + 5) {
            // libxml2 ends an invalid XML declaration at the next ">", and a valid one ends there, too.
            guard skip(past: ">") else { return false }
        }
        while true {
            skipSpace()
            if starts(with: "<!--") {
                position += 4
                guard skip(past: "-->") else { return false }
            } else if starts(with: "<?") {
                position += 2
                guard skip(past: "?>") else { return false }
            } else {
                break
            }
        }
        guard skip("<!DOCTYPE") else { return false }
        skipSpace()
        _ = skipName()
        skipSpace()
        return true
    }

    /// The next declaration inside the brackets, after white space; nil at their end.
    mutating func nextDeclaration() -> Declaration? {
        skipSpace()
        guard let byte, byte != UInt8(ascii: "]") else { return nil }
        let start = position
        names = 1
        if skipDeclaration() { return .kept(start..<position, names: names) }
        position = start
        if skipParameterEntity() { return .omitted(start..<position) }
        // Markup that is not recognized is left out, with everything up to the first possible end of the
        // subset.
        position = start
        repeat {
            guard skip(past: "]") else {
                position = unsafe bytes.count
                return .omitted(start..<position)
            }
        } while !endsSubset
        position -= 1
        return .omitted(start..<position)
    }

    /// Whether a "]" that was just passed ends the subset: white space and ">" follow.
    private var endsSubset: Bool {
        var next = position
        while isSpace(at: next) { next += 1 }
        return unsafe next < bytes.count && bytes[next] == UInt8(ascii: ">")
    }

    // MARK: - Declarations

    private mutating func skipDeclaration() -> Bool {
        if skip("<!--") { return skip(past: "-->") }
        if skip("<?") { return skipName() && skip(past: "?>") }
        if skip("%") { return skipName() && skip(";") }
        if skip("<!ENTITY") { return skipSpace() && skipEntity() && skipEnd() }
        if skip("<!ATTLIST") { return skipSpace() && skipName() && skipAttributes() && skipEnd() }
        if skip("<!ELEMENT") { return skipSpace() && skipName() && skipSpace() && skipModel() && skipEnd() }
        if skip("<!NOTATION") {
            return skipSpace() && skipName() && skipSpace() && skipExternalID() && skipEnd()
        }
        return false
    }

    /// Skips `e "text"`, `e SYSTEM "url" NDATA n` or `% e SYSTEM "url"`, which is never loaded.
    private mutating func skipEntity() -> Bool {
        if skip("%") {
            return skipSpace() && skipName() && skipSpace() && skipExternalID()
        }
        guard skipName(), skipSpace() else { return false }
        if skipLiteral(holdsMarkup: true) { return true }
        guard skipExternalID() else { return false }
        let end = position
        if skipSpace(), skip("NDATA") { return skipSpace() && skipName() }
        position = end
        return true
    }

    /// Skips a parameter entity with its text: `<!ENTITY % e "text">`.
    private mutating func skipParameterEntity() -> Bool {
        skip("<!ENTITY") && skipSpace() && skip("%") && skipSpace() && skipName() && skipSpace()
            && skipLiteral(holdsMarkup: true) && skipEnd()
    }

    private mutating func skipAttributes() -> Bool {
        while true {
            let end = position
            guard skipSpace(), isName(at: position) else {
                position = end
                return true
            }
            guard skipName(), skipSpace() else { return false }
            if skip("NOTATION") {
                guard skipSpace(), skipEnumeration() else { return false }
            } else if byte == UInt8(ascii: "(") {
                guard skipEnumeration() else { return false }
            } else {
                guard skipName() else { return false }
            }
            guard skipSpace() else { return false }
            if skip("#REQUIRED") || skip("#IMPLIED") { continue }
            if skip("#FIXED") { guard skipSpace() else { return false } }
            guard skipLiteral(holdsMarkup: false) else { return false }
        }
    }

    private mutating func skipEnumeration() -> Bool {
        guard skip("(") else { return false }
        repeat {
            skipSpace()
            guard skipName() else { return false }
            skipSpace()
        } while skip("|")
        return skip(")")
    }

    /// Skips the content model of an element: names, brackets and signs.
    private mutating func skipModel() -> Bool {
        let start = position
        while let byte, byte != UInt8(ascii: ">") {
            if skipName() || skipSpace() { continue }
            guard "#()|,?*+".utf8.contains(byte) else { return false }
            position += 1
        }
        return position > start
    }

    @discardableResult
    private mutating func skipExternalID() -> Bool {
        if skip("SYSTEM") { return skipSpace() && skipLiteral(holdsMarkup: false) }
        guard skip("PUBLIC"), skipSpace(), skipLiteral(holdsMarkup: false) else { return false }
        let end = position
        if skipSpace(), skipLiteral(holdsMarkup: false) { return true }
        // A notation's public identifier may have no system identifier.
        position = end
        return true
    }

    private mutating func skipEnd() -> Bool {
        skipSpace()
        return skip(">")
    }

    // MARK: - Tokens

    private var byte: UInt8? { unsafe position < bytes.count ? bytes[position] : nil }

    private func isSpace(at index: Int) -> Bool {
        unsafe index < bytes.count
            && (bytes[index] == 0x20 || bytes[index] == 0x0A || bytes[index] == 0x09 || bytes[index] == 0x0D)
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = position
        while isSpace(at: position) { position += 1 }
        return position > start
    }

    private func isName(at index: Int) -> Bool {
        guard unsafe index < bytes.count else { return false }
        switch unsafe bytes[index] {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: ":"), UInt8(ascii: "-"),
            UInt8(ascii: "."), 0x80...:
            return true
        default: return false
        }
    }

    private mutating func skipName() -> Bool {
        let start = position
        while isName(at: position) { position += 1 }
        names += 1
        return position > start
    }

    /// Skips a text in quotes; one that may contain no markup has no "<".
    private mutating func skipLiteral(holdsMarkup: Bool) -> Bool {
        guard let quote = byte, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            return false
        }
        var index = position + 1
        while unsafe index < bytes.count {
            let byte = unsafe bytes[index]
            index += 1
            if byte == quote {
                position = index
                return true
            }
            if byte == UInt8(ascii: "<"), !holdsMarkup { return false }
        }
        return false
    }

    private func starts(with text: StaticString) -> Bool {
        let count = text.utf8CodeUnitCount
        guard unsafe position + count <= bytes.count else { return false }
        for index in 0..<count where unsafe bytes[position + index] != text.utf8Start[index] { return false }
        return true
    }

    private mutating func skip(_ text: StaticString) -> Bool {
        guard starts(with: text) else { return false }
        position += text.utf8CodeUnitCount
        return true
    }

    private mutating func skip(past text: StaticString) -> Bool {
        while unsafe position < bytes.count {
            if skip(text) { return true }
            position += 1
        }
        return false
    }
}
