/// The DOCTYPE states; a DOCTYPE is read byte by byte, since there is only one per page.
extension HTMLTokenizer where Sink: ~Copyable {
    private enum DoctypeState {
        case doctype
        case beforeName
        case name
        case afterName
        case afterPublicKeyword
        case beforePublicIdentifier
        case publicIdentifier(quote: UInt8)
        case afterPublicIdentifier
        case betweenIdentifiers
        case afterSystemKeyword
        case beforeSystemIdentifier
        case systemIdentifier(quote: UInt8)
        case afterSystemIdentifier
        case bogus
    }

    /// [DOCTYPE state](https://html.spec.whatwg.org/multipage/parsing.html#doctype-state).
    mutating func doctypeState(from start: Int) throws(HTMLParserError) -> Step {
        var doctype = HTMLDoctype()
        var state = DoctypeState.doctype
        var index = start
        scratch.reset()
        while true {
            guard index < input.count else {
                guard isFinal else { return .needsInput }
                return try endOfInput(in: state, of: &doctype)
            }
            let byte = input[index]
            switch state {
            case .doctype:
                if byte.isASCIIWhitespace {
                    index += 1
                } else if byte != UInt8(ascii: ">") {
                    report(.missingWhitespaceBeforeDoctypeName, at: index)
                }
                state = .beforeName

            case .beforeName:
                if byte.isASCIIWhitespace {
                    index += 1
                } else if byte == UInt8(ascii: ">") {
                    report(.missingDoctypeName, at: index)
                    doctype.forcesQuirks = true
                    return try emit(doctype, to: index + 1)
                } else {
                    scratch.begin()
                    state = .name
                }

            case .name:
                if byte.isASCIIWhitespace || byte == UInt8(ascii: ">") {
                    doctype.name = scratch.finish()
                    state = .afterName
                } else {
                    appendDoctype(byte.asciiLowercased, at: index)
                    index += 1
                }

            case .afterName:
                if byte.isASCIIWhitespace {
                    index += 1
                } else if byte == UInt8(ascii: ">") {
                    return try emit(doctype, to: index + 1)
                } else {
                    let isPublic = input.matchLength("public", at: index, folding: true)
                    let isSystem = input.matchLength("system", at: index, folding: true)
                    if isPublic == 6 {
                        state = .afterPublicKeyword
                        index += 6
                    } else if isSystem == 6 {
                        state = .afterSystemKeyword
                        index += 6
                    } else if !isFinal, max(isPublic, isSystem) == input.count - index {
                        index = input.count
                    } else {
                        report(.invalidCharacterSequenceAfterDoctypeName, at: index)
                        doctype.forcesQuirks = true
                        state = .bogus
                    }
                }

            case .afterPublicKeyword, .beforePublicIdentifier:
                if byte.isASCIIWhitespace {
                    state = .beforePublicIdentifier
                    index += 1
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    if case .afterPublicKeyword = state {
                        report(.missingWhitespaceAfterDoctypePublicKeyword, at: index)
                    }
                    scratch.begin()
                    state = .publicIdentifier(quote: byte)
                    index += 1
                } else {
                    doctype.forcesQuirks = true
                    if byte == UInt8(ascii: ">") {
                        report(.missingDoctypePublicIdentifier, at: index)
                        return try emit(doctype, to: index + 1)
                    }
                    report(.missingQuoteBeforeDoctypePublicIdentifier, at: index)
                    state = .bogus
                }

            case .publicIdentifier(let quote):
                if byte == quote {
                    doctype.publicIdentifier = scratch.finish()
                    state = .afterPublicIdentifier
                } else if byte == UInt8(ascii: ">") {
                    report(.abruptDoctypePublicIdentifier, at: index)
                    doctype.publicIdentifier = scratch.finish()
                    doctype.forcesQuirks = true
                    return try emit(doctype, to: index + 1)
                } else {
                    appendDoctype(byte, at: index)
                }
                index += 1

            case .afterPublicIdentifier, .betweenIdentifiers:
                if byte.isASCIIWhitespace {
                    state = .betweenIdentifiers
                    index += 1
                } else if byte == UInt8(ascii: ">") {
                    return try emit(doctype, to: index + 1)
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    if case .afterPublicIdentifier = state {
                        report(.missingWhitespaceBetweenDoctypePublicAndSystemIdentifiers, at: index)
                    }
                    scratch.begin()
                    state = .systemIdentifier(quote: byte)
                    index += 1
                } else {
                    report(.missingQuoteBeforeDoctypeSystemIdentifier, at: index)
                    doctype.forcesQuirks = true
                    state = .bogus
                }

            case .afterSystemKeyword, .beforeSystemIdentifier:
                if byte.isASCIIWhitespace {
                    state = .beforeSystemIdentifier
                    index += 1
                } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                    if case .afterSystemKeyword = state {
                        report(.missingWhitespaceAfterDoctypeSystemKeyword, at: index)
                    }
                    scratch.begin()
                    state = .systemIdentifier(quote: byte)
                    index += 1
                } else {
                    doctype.forcesQuirks = true
                    if byte == UInt8(ascii: ">") {
                        report(.missingDoctypeSystemIdentifier, at: index)
                        return try emit(doctype, to: index + 1)
                    }
                    report(.missingQuoteBeforeDoctypeSystemIdentifier, at: index)
                    state = .bogus
                }

            case .systemIdentifier(let quote):
                if byte == quote {
                    doctype.systemIdentifier = scratch.finish()
                    state = .afterSystemIdentifier
                } else if byte == UInt8(ascii: ">") {
                    report(.abruptDoctypeSystemIdentifier, at: index)
                    doctype.systemIdentifier = scratch.finish()
                    doctype.forcesQuirks = true
                    return try emit(doctype, to: index + 1)
                } else {
                    appendDoctype(byte, at: index)
                }
                index += 1

            case .afterSystemIdentifier:
                if byte.isASCIIWhitespace {
                    index += 1
                } else if byte == UInt8(ascii: ">") {
                    return try emit(doctype, to: index + 1)
                } else {
                    // This does not set the force-quirks flag.
                    report(.unexpectedCharacterAfterDoctypeSystemIdentifier, at: index)
                    state = .bogus
                }

            case .bogus:
                if byte == UInt8(ascii: ">") { return try emit(doctype, to: index + 1) }
                if byte == 0 { report(.unexpectedNullCharacter, at: index) }
                index += 1
            }
        }
    }

    /// Appends to the name or identifier that is being read.
    private mutating func appendDoctype(_ byte: UInt8, at index: Int) {
        switch byte {
        case 0:
            report(.unexpectedNullCharacter, at: index)
            scratch.appendReplacement()
        case 0x0D:
            if index + 1 == input.count || input[index + 1] != 0x0A { scratch.append(0x0A) }
        default: scratch.append(byte)
        }
    }

    private mutating func emit(_ doctype: HTMLDoctype, to end: Int) throws(HTMLParserError) -> Step {
        sink.beginTag(from: position, to: end)
        position = end
        try sink.doctype(doctype)
        return .proceed
    }

    private mutating func endOfInput(
        in state: DoctypeState,
        of doctype: inout HTMLDoctype
    ) throws(HTMLParserError) -> Step {
        switch state {
        case .bogus: break
        case .name:
            doctype.name = scratch.finish()
            doctype.forcesQuirks = true
        case .publicIdentifier:
            doctype.publicIdentifier = scratch.finish()
            doctype.forcesQuirks = true
        case .systemIdentifier:
            doctype.systemIdentifier = scratch.finish()
            doctype.forcesQuirks = true
        case .doctype, .beforeName, .afterName, .afterPublicKeyword, .beforePublicIdentifier,
            .afterPublicIdentifier,
            .betweenIdentifiers, .afterSystemKeyword, .beforeSystemIdentifier, .afterSystemIdentifier:
            doctype.forcesQuirks = true
        }
        if case .bogus = state {} else { report(.eofInDoctype, at: input.count) }
        return try emit(doctype, to: input.count)
    }
}
