import WebStandards

/// A streaming tokenizer for the subset of XML that sitemaps need, which passes tags and text on.
///
/// It is tolerant: errors of well-formedness are faults, and the rest is read. A document type declaration is ignored,
/// so that only the five predefined entities and numeric references are known. It stores at most a name, an attribute's
/// value and a reference, each of limited length, and reads each byte once.
struct SitemapTokenizer {
    private(set) var line = 1

    enum State {
        case text
        /// After "<".
        case tagOpen
        case name
        case endName
        /// Within a tag, between attributes.
        case tag
        case attributeName
        case afterAttributeName
        case beforeValue
        case quotedValue
        case unquotedValue
        /// After "<!", until the construct is known.
        case declarationOpen
        case comment
        case characterData
        case instruction
        case documentType
        case documentTypeComment
    }

    var state = State.text
    /// A name with its prefix, or the text after "<!".
    var name: [UInt8] = []
    private var nameLine = 1
    private var isEndTag = false
    private var isEmptyElement = false
    var quote: UInt8 = 0
    /// The number of matched bytes of the word that ends the state, such as "--" before ">".
    var endLength = 0
    var isInSubset = false
    private var attributeName: [UInt8] = []
    private var attribute: SitemapAttributes.Name?
    private var value: [UInt8] = []
    private var attributes = SitemapAttributes()
    /// The text after "&" so far; `nil` outside of a reference.
    var reference: [UInt8]?
    private var isAfterReturn = false

    /// The maximum length of a name; the relevant names are much shorter.
    private static let maximumNameLength = 128
    static let maximumReferenceLength = 16
    static let commentStart = Array("<!--".utf8)

    // MARK: - Bytes

    mutating func read(_ bytes: Span<UInt8>, _ builder: inout SitemapBuilder) {
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte <= 0x0D { countLine(byte) } else { isAfterReturn = false }
            index += 1
            // Fast path: most of a file is text that is not collected.
            if case .text = state, reference == nil {
                if byte == UInt8(ascii: "<") {
                    state = .tagOpen
                } else if byte == UInt8(ascii: "&") {
                    reference = []
                } else if builder.isCollecting {
                    builder.append(byte)
                }
            } else {
                step(byte, &builder)
                if builder.isDone { return }
            }
        }
    }

    /// Marks the end of the file.
    mutating func finish(_ builder: inout SitemapBuilder) {
        guard !builder.isDone else { return }
        if case .text = state {
            endReference(&builder, isComplete: false)
            builder.finish(line: line, isCutOff: false)
        } else {
            builder.finish(line: line, isCutOff: true)
        }
    }

    private mutating func countLine(_ byte: UInt8) {
        if byte == 0x0D || byte == 0x0A && !isAfterReturn { line += 1 }
        isAfterReturn = byte == 0x0D
    }

    mutating func step(_ byte: UInt8, _ builder: inout SitemapBuilder) {
        if reference != nil {
            readReference(byte, &builder)
            return
        }
        switch state {
        case .text: readText(byte, &builder)
        case .tagOpen: openTag(byte, &builder)
        case .name, .endName: readName(byte, &builder)
        case .tag: readTag(byte, &builder)
        case .attributeName, .afterAttributeName, .beforeValue: readAttribute(byte, &builder)
        case .quotedValue, .unquotedValue: readValue(byte, &builder)
        case .declarationOpen: readDeclaration(byte, &builder)
        case .comment: leave(byte, "-->", to: .text)
        case .instruction: leave(byte, "?>", to: .text)
        case .documentTypeComment: leave(byte, "-->", to: .documentType)
        case .characterData: readCharacterData(byte, &builder)
        case .documentType: readDocumentType(byte)
        }
    }

    private mutating func readText(_ byte: UInt8, _ builder: inout SitemapBuilder) {
        switch byte {
        case UInt8(ascii: "<"): state = .tagOpen
        case UInt8(ascii: "&"): reference = []
        default: builder.append(byte)
        }
    }

    // MARK: - Tags

    private mutating func openTag(_ byte: UInt8, _ builder: inout SitemapBuilder) {
        name.removeAll(keepingCapacity: true)
        nameLine = line
        switch byte {
        case UInt8(ascii: "!"): state = .declarationOpen
        case UInt8(ascii: "?"):
            state = .instruction
            endLength = 0
        case UInt8(ascii: "/"): state = .endName
        case _ where byte.isASCIIAlpha || byte == UInt8(ascii: "_") || byte >= 0x80:
            attributes = SitemapAttributes()
            name.append(byte)
            state = .name
        default:
            builder.faults.add(.markup, line: line, "\"<\" begins no tag")
            builder.append(UInt8(ascii: "<"))
            state = .text
            readText(byte, &builder)
        }
    }

    private mutating func readName(_ byte: UInt8, _ builder: inout SitemapBuilder) {
        if byte == UInt8(ascii: "<") {
            reopen(&builder)
        } else if byte == UInt8(ascii: ">") || byte == UInt8(ascii: "/") || byte.isASCIIWhitespace {
            isEndTag = if case .endName = state { true } else { false }
            isEmptyElement = false
            state = .tag
            readTag(byte, &builder)
        } else if name.count < Self.maximumNameLength {
            name.append(byte)
        }
    }

    private mutating func readTag(_ byte: UInt8, _ builder: inout SitemapBuilder) {
        switch byte {
        case UInt8(ascii: ">"): endTag(&builder)
        case UInt8(ascii: "/"): isEmptyElement = true
        case UInt8(ascii: "<"): reopen(&builder)
        case _ where byte.isASCIIWhitespace: break
        default:
            isEmptyElement = false
            attributeName.removeAll(keepingCapacity: true)
            attributeName.append(byte)
            state = .attributeName
        }
    }

    private mutating func readAttribute(_ byte: UInt8, _ builder: inout SitemapBuilder) {
        switch byte {
        case UInt8(ascii: ">") where state != .beforeValue, UInt8(ascii: "/") where state != .beforeValue:
            state = .tag
            readTag(byte, &builder)
        case UInt8(ascii: ">"): endTag(&builder)
        case UInt8(ascii: "<"): reopen(&builder)
        case UInt8(ascii: "="):
            attribute = SitemapAttributes.Name(attributeName[...])
            state = .beforeValue
        case UInt8(ascii: "\"") where state == .beforeValue, UInt8(ascii: "'") where state == .beforeValue:
            value.removeAll(keepingCapacity: true)
            quote = byte
            state = .quotedValue
        case _ where byte.isASCIIWhitespace:
            if state == .attributeName { state = .afterAttributeName }
        case _ where state == .attributeName:
            if attributeName.count < Self.maximumNameLength { attributeName.append(byte) }
        case _ where state == .afterAttributeName:
            attributeName.removeAll(keepingCapacity: true)
            attributeName.append(byte)
            state = .attributeName
        default:
            builder.faults.add(.markup, line: line, "the value of an attribute is not in quotation marks")
            value.removeAll(keepingCapacity: true)
            state = .unquotedValue
            readValue(byte, &builder)
        }
    }

    private mutating func readValue(_ byte: UInt8, _ builder: inout SitemapBuilder) {
        let isQuoted = state == .quotedValue
        if isQuoted ? byte == quote : byte == UInt8(ascii: ">") || byte.isASCIIWhitespace {
            if let attribute { attributes.set(attribute, value) }
            attribute = nil
            state = .tag
            if !isQuoted { readTag(byte, &builder) }
        } else if byte == UInt8(ascii: "&") {
            reference = []
        } else {
            appendToValue(byte)
        }
    }

    mutating func appendToValue(_ byte: UInt8) {
        // One byte more than the limit of a URL, so that too long a URL is noticed.
        if attribute != nil, value.count <= Sitemap.maximumLocationLength { value.append(byte) }
    }

    /// Handles a tag that begins within a tag.
    private mutating func reopen(_ builder: inout SitemapBuilder) {
        builder.faults.add(.markup, line: line, "a tag is not closed")
        state = .tagOpen
    }

    private mutating func endTag(_ builder: inout SitemapBuilder) {
        state = .text
        if isEndTag {
            builder.endElement(name, line: nameLine)
        } else {
            builder.startElement(name, attributes, line: nameLine, isEmpty: isEmptyElement)
        }
    }
}
