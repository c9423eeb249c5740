/// The modes in head, in head noscript and after head.
extension HTMLTreeBuilder {
    // MARK: - In head

    /// [The "in head" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inhead).
    mutating func inHeadStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .html: return try inBodyStartTag(tag)
        case .base, .basefont, .bgsound, .link:
            try insertVoidElement(tag)
        case .meta:
            try insertVoidElement(tag)
            noteEncoding(tag)
        case .title: try parseRawText(tag, in: .rcdata)
        case .noscript where !scripting:
            try insertHTMLElement(tag)
            mode = .inHeadNoscript
        case .noscript, .noframes, .style: try parseRawText(tag, in: .rawtext)
        case .script: try parseRawText(tag, in: .scriptData)
        case .template: try templateStartTag(tag)
        case .head: return .done
        default:
            try inHeadAnythingElse()
            return .reprocess
        }
        return .done
    }

    mutating func inHeadEndTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .head:
            try popElement()
            mode = .afterHead
            return .done
        case .body, .html, .br:
            try inHeadAnythingElse()
            return .reprocess
        case .template:
            try templateEndTag()
            return .done
        default: return .done
        }
    }

    mutating func inHeadAnythingElse() throws(HTMLParserError) {
        try popElement()
        mode = .afterHead
    }

    /// [Generic raw text and RCDATA element parsing algorithms](https://html.spec.whatwg.org/multipage/parsing.html#parsing-elements-that-contain-only-text),
    /// and the same for scripts.
    mutating func parseRawText(_ tag: HTMLTag, in state: HTMLTokenizerState) throws(HTMLParserError) {
        try insertHTMLElement(tag)
        nextTokenizerState = state
        originalMode = mode
        mode = .text
    }

    /// Records the encoding that a meta element declares.
    private mutating func noteEncoding(_ tag: HTMLTag) {
        guard encodingDeclarations.count < 8 else { return }
        if let charset = tag.value(of: HTMLAtom.charset) {
            encodingDeclarations.append(.charset(limited(charset).string))
        } else if let equivalent = tag.value(of: HTMLAtom.httpEquiv),
            equivalent.equalsIgnoringCase("content-type"),
            let content = tag.value(of: HTMLAtom.content)
        {
            encodingDeclarations.append(.contentType(limited(content).string))
        }
    }

    // MARK: - In head noscript

    /// [The "in head noscript" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inheadnoscript).
    mutating func inHeadNoscriptStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .html: return try inBodyStartTag(tag)
        case .basefont, .bgsound, .link, .meta, .noframes, .style: return try inHeadStartTag(tag)
        case .head, .noscript: return .done
        default:
            try inHeadNoscriptAnythingElse()
            return .reprocess
        }
    }

    mutating func inHeadNoscriptEndTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .noscript:
            try inHeadNoscriptAnythingElse()
            return .done
        case .br:
            try inHeadNoscriptAnythingElse()
            return .reprocess
        default: return .done
        }
    }

    mutating func inHeadNoscriptAnythingElse() throws(HTMLParserError) {
        try popElement()
        mode = .inHead
    }

    // MARK: - After head

    /// [The "after head" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#the-after-head-insertion-mode).
    mutating func afterHeadStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .html: return try inBodyStartTag(tag)
        case .body:
            try insertHTMLElement(tag)
            framesetOK = false
            mode = .inBody
            return .done
        case .frameset:
            try insertHTMLElement(tag)
            mode = .inFrameset
            return .done
        case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title:
            // Push the node pointed to by the head element pointer, and remove it afterwards.
            guard let head else { return .done }
            stack.push(
                head,
                atom: UInt32(HTMLElementName.head.rawValue),
                kind: htmlKind(UInt32(HTMLElementName.head.rawValue))
            )
            let flow = try inHeadStartTag(tag)
            if let index = stack.index(of: head, named: .head) { stack.remove(at: index) }
            return flow
        case .head: return .done
        default:
            try afterHeadAnythingElse()
            return .reprocess
        }
    }

    mutating func afterHeadEndTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .template: return try inHeadEndTag(tag)
        case .body, .html, .br:
            try afterHeadAnythingElse()
            return .reprocess
        default: return .done
        }
    }

    mutating func afterHeadAnythingElse() throws(HTMLParserError) {
        try insertHTMLElement(.implied(.body))
        mode = .inBody
    }
}
