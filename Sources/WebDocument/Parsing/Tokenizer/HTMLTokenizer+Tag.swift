import CHTMLTables

/// The states of a tag.
extension HTMLTokenizer where Sink: ~Copyable {
    /// [Tag open state](https://html.spec.whatwg.org/multipage/parsing.html#tag-open-state), at the `<`.
    @inline(__always)
    mutating func tagOpenState() throws(HTMLParserError) -> Step {
        let next = position + 1
        guard next < input.count else { return try endOfInputAfterLessThan() }
        if input[next].isASCIIAlpha { return try tag(from: position, isEnd: false) }
        if input[next] == UInt8(ascii: "/") { return try endTagOpenState() }
        return try markupOrLessThan(input[next])
    }

    @inline(never)
    private mutating func markupOrLessThan(_ next: UInt8) throws(HTMLParserError) -> Step {
        switch next {
        case UInt8(ascii: "!"): return try markupDeclarationOpenState()
        case UInt8(ascii: "?"): return try processingInstructionOpenState()
        default:
            report(.invalidFirstCharacterOfTagName, at: position + 1)
            position += 1
            try emit(position - 1, position)
            return .proceed
        }
    }

    private mutating func endOfInputAfterLessThan() throws(HTMLParserError) -> Step {
        guard isFinal else { return .needsInput }
        report(.eofBeforeTagName, at: input.count)
        return try passText(to: input.count)
    }

    /// [End tag open state](https://html.spec.whatwg.org/multipage/parsing.html#end-tag-open-state).
    @inline(__always)
    private mutating func endTagOpenState() throws(HTMLParserError) -> Step {
        let next = position + 2
        guard next < input.count else { return try endOfInputAfterLessThan() }
        if input[next].isASCIIAlpha { return try tag(from: position, isEnd: true) }
        if input[next] == UInt8(ascii: ">") {
            report(.missingEndTagName, at: next)
            position = next + 1
            return .proceed
        }
        report(.invalidFirstCharacterOfTagName, at: next)
        return try bogusCommentState(from: next)
    }

    /// The states between the name of a tag and its `>`.
    private enum TagState {
        case beforeAttributeName
        case attributeName
        case afterAttributeName
        case beforeAttributeValue
        case doubleQuotedValue
        case singleQuotedValue
        case unquotedValue
        case afterQuotedValue
        case selfClosingStartTag
    }

    /// [Tag name state](https://html.spec.whatwg.org/multipage/parsing.html#tag-name-state) and those after it.
    ///
    /// The `<` is at `start`.
    mutating func tag(from start: Int, isEnd: Bool) throws(HTMLParserError) -> Step {
        let end = input.count
        scratch.reset()
        attributes.reset()
        var index = start + (isEnd ? 2 : 1)
        let nameStart = index
        let extent = unsafe webl_scan_name(input.base, index, end, 0)
        index = extent.end
        guard index < end else { return endOfInputInTag() }
        let atom = try internName(from: nameStart, to: index, care: extent.care)
        names.beginTag()

        var state = TagState.beforeAttributeName
        var attribute = HTMLAttribute(atom: 0, value: input.slice(index, index))
        var hasAttribute = false
        var hasAttributes = false
        var isSelfClosing = false
        while index < end {
            let byte = input[index]
            switch state {
            case .beforeAttributeName:
                if byte.isASCIIWhitespace {
                    index += 1
                } else if byte == UInt8(ascii: ">") {
                    return try emitTag(
                        atom,
                        from: start,
                        to: index + 1,
                        isEnd: isEnd,
                        hasAttributes: hasAttributes,
                        isSelfClosing: isSelfClosing
                    )
                } else if byte == UInt8(ascii: "/") {
                    state = .selfClosingStartTag
                    index += 1
                } else {
                    state = .attributeName
                }

            case .attributeName:
                let nameStart = index
                if byte == UInt8(ascii: "=") {
                    report(.unexpectedEqualsSignBeforeAttributeName, at: index)
                    index += 1
                }
                let extent = unsafe webl_scan_name(input.base, index, end, 1)
                index = extent.end
                guard index < end else { break }
                hasAttributes = true
                if isEnd && !reports.isEnabled {
                    hasAttribute = false
                } else {
                    attribute.atom = try internName(from: nameStart, to: index, care: extent.care)
                    attribute.value = input.slice(index, index)
                    hasAttribute = names.isFirst(attribute.atom)
                    if !hasAttribute { report(.duplicateAttribute, at: index) }
                    if isEnd { hasAttribute = false }
                }
                if input[index] == UInt8(ascii: "=") {
                    state = .beforeAttributeValue
                    index += 1
                } else {
                    state = .afterAttributeName
                }

            case .afterAttributeName:
                if byte.isASCIIWhitespace {
                    index += 1
                } else if byte == UInt8(ascii: "=") {
                    state = .beforeAttributeValue
                    index += 1
                } else {
                    if hasAttribute { attributes.append(attribute) }
                    // The before attribute name state handles the remaining cases in the same way.
                    state = .beforeAttributeName
                }

            case .beforeAttributeValue:
                if byte.isASCIIWhitespace {
                    index += 1
                } else if byte == UInt8(ascii: "\"") {
                    state = .doubleQuotedValue
                    index += 1
                } else if byte == UInt8(ascii: "'") {
                    state = .singleQuotedValue
                    index += 1
                } else if byte == UInt8(ascii: ">") {
                    report(.missingAttributeValue, at: index)
                    if hasAttribute { attributes.append(attribute) }
                    state = .beforeAttributeName
                } else {
                    state = .unquotedValue
                }

            case .doubleQuotedValue:
                let stop = unsafe webl_scan_double_quoted(input.base, index, end)
                guard stop < end else { return endOfInputInTag() }
                if input[stop] == UInt8(ascii: "\"") {
                    attribute.value = input.slice(index, stop)
                    index = stop + 1
                } else {
                    let (after, value) = attributeValue(from: index, special: stop, quote: UInt8(ascii: "\""))
                    guard let after else { return endOfInputInTag() }
                    attribute.value = value
                    index = after + 1
                }
                if hasAttribute { attributes.append(attribute) }
                state = .afterQuotedValue

            case .singleQuotedValue:
                let stop = unsafe webl_scan_single_quoted(input.base, index, end)
                guard stop < end else { return endOfInputInTag() }
                if input[stop] == UInt8(ascii: "'") {
                    attribute.value = input.slice(index, stop)
                    index = stop + 1
                } else {
                    let (after, value) = attributeValue(from: index, special: stop, quote: UInt8(ascii: "'"))
                    guard let after else { return endOfInputInTag() }
                    attribute.value = value
                    index = after + 1
                }
                if hasAttribute { attributes.append(attribute) }
                state = .afterQuotedValue

            case .unquotedValue:
                let (after, value) = attributeValue(from: index, special: index, quote: 0)
                guard let after else { return endOfInputInTag() }
                attribute.value = value
                index = after
                if hasAttribute { attributes.append(attribute) }
                state = .beforeAttributeName

            case .afterQuotedValue:
                if !byte.isASCIIWhitespace, byte != UInt8(ascii: "/"), byte != UInt8(ascii: ">") {
                    report(.missingWhitespaceBetweenAttributes, at: index)
                }
                state = .beforeAttributeName

            case .selfClosingStartTag:
                if byte == UInt8(ascii: ">") {
                    isSelfClosing = true
                } else {
                    report(.unexpectedSolidusInTag, at: index)
                }
                state = .beforeAttributeName
            }
        }
        return endOfInputInTag()
    }

    /// The number of the name, in lowercase and with U+FFFD for NUL.
    ///
    /// `care` is not 0 if the name has bytes that have to be replaced.
    @inline(__always)
    private mutating func internName(
        from start: Int,
        to end: Int,
        care: UInt32
    ) throws(HTMLParserError) -> UInt32 {
        let name = input.slice(start, end)
        if reports.isEnabled { reportNameErrors(from: start, to: end) }
        if care == 0 { return try names.atom(name, readable: input.count - start) }
        return try internFoldedName(name)
    }

    @inline(never)
    private mutating func internFoldedName(_ name: HTMLBytes) throws(HTMLParserError) -> UInt32 {
        scratch.begin()
        for index in 0..<name.count {
            if name[index] == 0 {
                scratch.appendReplacement()
            } else {
                scratch.append(name[index].asciiLowercased)
            }
        }
        let folded = scratch.finish()
        return try names.atom(folded, readable: folded.count)
    }

    @inline(never)
    private mutating func reportNameErrors(from start: Int, to end: Int) {
        let isAttribute =
            start > 0 && input[start - 1] != UInt8(ascii: "<") && input[start - 1] != UInt8(ascii: "/")
            || start > 1 && input[start - 1] == UInt8(ascii: "/") && input[start - 2] != UInt8(ascii: "<")
        for index in start..<end {
            switch input[index] {
            case 0: report(.unexpectedNullCharacter, at: index)
            case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"):
                if isAttribute { report(.unexpectedCharacterInAttributeName, at: index) }
            default: break
            }
        }
    }

    private mutating func endOfInputInTag() -> Step {
        guard isFinal else { return .needsInput }
        report(.eofInTag, at: input.count)
        position = input.count
        return .needsInput
    }

    @inline(__always)
    private mutating func emitTag(
        _ atom: UInt32,
        from start: Int,
        to end: Int,
        isEnd: Bool,
        hasAttributes: Bool,
        isSelfClosing: Bool
    ) throws(HTMLParserError) -> Step {
        let tag = unsafe HTMLTag(
            atom: atom,
            isSelfClosing: isSelfClosing,
            attributes: attributes.pointer,
            attributeCount: attributes.count
        )
        sink.beginTag(from: start, to: end)
        if isEnd {
            if hasAttributes { report(.endTagWithAttributes, at: end - 1) }
            if isSelfClosing { report(.endTagWithTrailingSolidus, at: end - 1) }
            state = .data
            try sink.endTag(tag)
        } else {
            locate(start)
            sink.position = HTMLSourcePosition.pack(line: place.line, column: place.column)
            lastStartTag = atom
            if let next = try sink.startTag(tag) { state = next }
            if isSelfClosing && reports.isEnabled && !sink.acknowledgedSelfClosing {
                report(.nonVoidHTMLElementStartTagWithTrailingSolidus, at: end - 1)
            }
        }
        position = end
        return .proceed
    }

    /// The attribute value states, for a value that differs from the input's bytes.
    ///
    /// - Parameters:
    ///   - start: where the value begins.
    ///   - special: the index up to which the value is known to be plain.
    ///   - quote: the quote that ends it; 0 for the unquoted state.
    /// - Returns: where it ends, nil if the input ends first; and the value.
    private mutating func attributeValue(from start: Int, special: Int, quote: UInt8) -> (Int?, HTMLBytes) {
        let end = input.count
        var plain = start
        var index = special
        var isCopied = false
        scratch.begin()
        while true {
            switch quote {
            case UInt8(ascii: "\""): index = unsafe webl_scan_double_quoted(input.base, index, end)
            case UInt8(ascii: "'"): index = unsafe webl_scan_single_quoted(input.base, index, end)
            default: index = scanUnquotedValue(from: index)
            }
            guard index < end else { return (nil, input.slice(end, end)) }
            let byte = input[index]
            switch byte {
            case UInt8(ascii: "&"):
                let reference = characterReference(at: index, inAttribute: true)
                if reference.isUnknown { return (nil, input.slice(end, end)) }
                if reference.isNone {
                    index += 1
                    continue
                }
                scratch.append(input.slice(plain, index))
                reference.append(to: &scratch)
                index = reference.end
            case 0:
                report(.unexpectedNullCharacter, at: index)
                scratch.append(input.slice(plain, index))
                scratch.appendReplacement()
                index += 1
            case 0x0D where quote != 0:
                // A CR before an LF is dropped, any other becomes an LF. So the byte after a CR has to be
                // known.
                guard index + 1 < end else { return (nil, input.slice(end, end)) }
                scratch.append(input.slice(plain, index))
                if input[index + 1] != 0x0A { scratch.append(0x0A) }
                index += 1
            default:
                // The quote, or the byte that ends an unquoted value.
                guard isCopied else { return (index, input.slice(start, index)) }
                scratch.append(input.slice(plain, index))
                return (index, scratch.finish())
            }
            isCopied = true
            plain = index
        }
    }

    /// The index of the first byte at or after `index` that the unquoted state has a case for.
    private mutating func scanUnquotedValue(from index: Int) -> Int {
        var index = index
        while index < input.count {
            let byte = input[index]
            if byte <= UInt8(ascii: ">") {
                if byte.isASCIIWhitespace || byte == UInt8(ascii: ">") || byte == UInt8(ascii: "&")
                    || byte == 0
                {
                    return index
                }
            }
            if reports.isEnabled {
                switch byte {
                case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "<"), UInt8(ascii: "="),
                    UInt8(ascii: "`"):
                    report(.unexpectedCharacterInUnquotedAttributeValue, at: index)
                default: break
                }
            }
            index += 1
        }
        return index
    }
}
