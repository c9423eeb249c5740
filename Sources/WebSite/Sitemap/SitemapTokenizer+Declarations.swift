import WebStandards

extension SitemapTokenizer {
    // MARK: - Declarations, comments, CDATA

    mutating func readDeclaration(_ byte: UInt8, _ builder: inout SitemapBuilder) {
        name.append(byte)
        if name.elementsEqual("--".utf8) {
            state = .comment
        } else if name.elementsEqual("[CDATA[".utf8) {
            state = .characterData
        } else if !"--".utf8.starts(with: name), !"[CDATA[".utf8.starts(with: name) {
            state = .documentType
            (isInSubset, quote) = (false, 0)
            // The characters read so far may include the end of the document type.
            name.removeAll(keepingCapacity: true)
            readDocumentType(byte)
        }
        endLength = 0
    }

    /// Leaves a state if a word that ends it is complete.
    mutating func leave(_ byte: UInt8, _ end: StaticString, to next: State) {
        guard isAtEnd(byte, end) else { return }
        state = next
        endLength = 0
    }

    /// Whether a word ends with this byte; all bytes of the word except the last are equal.
    private mutating func isAtEnd(_ byte: UInt8, _ end: StaticString) -> Bool {
        let last = end.utf8CodeUnitCount - 1
        if endLength == last, unsafe byte == end.utf8Start[last] { return true }
        if unsafe byte == end.utf8Start[0] {
            endLength = min(endLength + 1, last)
        } else {
            endLength = 0
        }
        return false
    }

    mutating func readCharacterData(_ byte: UInt8, _ builder: inout SitemapBuilder) {
        if isAtEnd(byte, "]]>") {
            builder.removeLast(2)
            state = .text
            endLength = 0
        } else {
            builder.append(byte)
        }
    }

    /// Skips a document type, with its internal subset.
    mutating func readDocumentType(_ byte: UInt8) {
        if quote != 0 {
            if byte == quote { quote = 0 }
            return
        }
        // A comment may contain a quotation mark.
        if byte == Self.commentStart[min(name.count, 3)] {
            name.append(byte)
            if name.count == 4 {
                name.removeAll(keepingCapacity: true)
                state = .documentTypeComment
                endLength = 0
            }
            return
        }
        name.removeAll(keepingCapacity: true)
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): quote = byte
        case UInt8(ascii: "["): isInSubset = true
        case UInt8(ascii: "]"): isInSubset = false
        case UInt8(ascii: ">") where !isInSubset: state = .text
        default: break
        }
    }

    // MARK: - References

    mutating func readReference(_ byte: UInt8, _ builder: inout SitemapBuilder) {
        if byte == UInt8(ascii: ";") {
            endReference(&builder, isComplete: true)
        } else if byte.isASCIIAlphanumeric || byte == UInt8(ascii: "#"),
            let count = reference?.count, count < Self.maximumReferenceLength
        {
            reference?.append(byte)
        } else {
            endReference(&builder, isComplete: false)
            step(byte, &builder)
        }
    }

    /// Replaces a reference by its text; an unknown one is left as written.
    mutating func endReference(_ builder: inout SitemapBuilder, isComplete: Bool) {
        guard let name = reference else { return }
        reference = nil
        if isComplete, let replacement = SitemapReference.replacement(name) {
            for byte in replacement { append(byte, &builder) }
            return
        }
        let text = String(decoding: name, as: UTF8.self)
        builder.faults.add(
            .entity,
            line: line,
            isComplete ? "the entity \"\(text)\" is not known" : "an \"&\" stands alone"
        )
        append(UInt8(ascii: "&"), &builder)
        for byte in name { append(byte, &builder) }
        if isComplete { append(UInt8(ascii: ";"), &builder) }
    }

    private mutating func append(_ byte: UInt8, _ builder: inout SitemapBuilder) {
        if case .text = state { builder.append(byte) } else { appendToValue(byte) }
    }
}
