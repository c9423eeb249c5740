/// Receives tokens and passes them to the rules of the insertion mode.
///
/// [Tree construction dispatcher](https://html.spec.whatwg.org/multipage/parsing.html#tree-construction-dispatcher)
extension HTMLTreeBuilder {
    @inline(__always)
    mutating func characters(_ text: HTMLBytes) throws(HTMLParserError) {
        var text = text
        if ignoresLineFeed {
            ignoresLineFeed = false
            if text[0] == 0x0A { text = text.dropFirst(1) }
            if text.count == 0 { return }
        }
        let kind = adjustedKind
        if !kind.contains(.html), kind.isDisjoint(with: [.mathMLTextIntegrationPoint, .htmlIntegrationPoint])
        {
            return try foreignCharacters(text)
        }
        switch mode {
        case .inBody, .inCell, .inCaption, .inTemplate: try inBodyCharacters(text)
        case .text: try insertCharacters(text)
        case .initial, .beforeHTML, .beforeHead, .inHead, .inHeadNoscript, .afterHead, .inTable, .inTableText,
            .inColumnGroup, .inTableBody, .inRow, .afterBody, .inFrameset, .afterFrameset, .afterAfterBody,
            .afterAfterFrameset:
            try charactersOutsideBody(text)
        }
    }

    /// Handles characters in the modes that treat white space differently.
    ///
    /// Each mode consumes what it can from the start of the text.
    @inline(never)
    private mutating func charactersOutsideBody(_ text: HTMLBytes) throws(HTMLParserError) {
        var rest = text
        while rest.count > 0, !isStopped {
            let space = rest.leadingWhitespace
            switch mode {
            case .initial:
                rest = rest.dropFirst(space)
                if rest.count > 0 { initialAnythingElse() }
            case .beforeHTML:
                rest = rest.dropFirst(space)
                if rest.count > 0 { try beforeHTMLAnythingElse() }
            case .beforeHead:
                rest = rest.dropFirst(space)
                if rest.count > 0 { try beforeHeadAnythingElse() }
            case .inHead, .inHeadNoscript, .afterHead, .inColumnGroup:
                if space > 0 { try insertCharacters(rest.slice(0, space)) }
                rest = rest.dropFirst(space)
                guard rest.count > 0 else { return }
                switch mode {
                case .inHead: try inHeadAnythingElse()
                case .inHeadNoscript: try inHeadNoscriptAnythingElse()
                case .afterHead: try afterHeadAnythingElse()
                default:
                    if try inColumnGroupAnythingElse() == .done { return }
                }
            case .inTable, .inTableBody, .inRow:
                guard currentTakesTableText else {
                    // Anything else: the "in body" rules, with foster parenting.
                    fosterParenting = true
                    try inBodyCharacters(rest)
                    fosterParenting = false
                    return
                }
                pendingTableText.removeAll(keepingCapacity: true)
                originalMode = mode
                mode = .inTableText
            case .inTableText:
                appendTableText(rest)
                return
            case .afterBody, .afterAfterBody, .afterAfterFrameset:
                if space > 0 {
                    try inBodyCharacters(rest.slice(0, space))
                    rest = rest.dropFirst(space)
                } else if mode == .afterAfterFrameset {
                    rest = rest.dropFirst(rest.leadingNonWhitespace)
                } else {
                    mode = .inBody
                }
            case .inFrameset, .afterFrameset:
                if space > 0 { try insertCharacters(rest.slice(0, space)) }
                rest = rest.dropFirst(space)
                rest = rest.dropFirst(rest.leadingNonWhitespace)
            case .inBody, .inCell, .inCaption, .inTemplate:
                return try inBodyCharacters(rest)
            case .text:
                return try insertCharacters(rest)
            }
        }
    }

    /// Handles a NUL: in foreign content it becomes U+FFFD, elsewhere it is ignored.
    ///
    /// The modes before and after the body first act as for a character that is not white space.
    mutating func nullCharacter() throws(HTMLParserError) {
        ignoresLineFeed = false
        let kind = adjustedKind
        if !kind.contains(.html), kind.isDisjoint(with: [.mathMLTextIntegrationPoint, .htmlIntegrationPoint])
        {
            return try insertReplacementCharacter()
        }
        while true {
            switch mode {
            case .initial: initialAnythingElse()
            case .beforeHTML: try beforeHTMLAnythingElse()
            case .beforeHead: try beforeHeadAnythingElse()
            case .inHead: try inHeadAnythingElse()
            case .inHeadNoscript: try inHeadNoscriptAnythingElse()
            case .afterHead: try afterHeadAnythingElse()
            case .inColumnGroup:
                if try inColumnGroupAnythingElse() == .done { return }
            case .afterBody, .afterAfterBody: mode = .inBody
            case .inBody, .text, .inTable, .inTableText, .inCaption, .inTableBody, .inRow, .inCell,
                .inTemplate,
                .inFrameset, .afterFrameset, .afterAfterFrameset:
                return
            }
        }
    }

    @inline(__always)
    mutating func startTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLTokenizerState? {
        nextTokenizerState = nil
        acknowledgedSelfClosing = false
        ignoresLineFeed = false
        let kind = adjustedKind
        if !kind.contains(.html), startTagIsForeign(tag, in: kind), try foreignStartTag(tag) == .done {
            return nextTokenizerState
        }
        repeat {
            let flow: HTMLFlow
            switch mode {
            case .inBody: flow = try inBodyStartTag(tag)
            case .initial: flow = initialStartTag()
            case .beforeHTML: flow = try beforeHTMLStartTag(tag)
            case .beforeHead: flow = try beforeHeadStartTag(tag)
            case .inHead: flow = try inHeadStartTag(tag)
            case .inHeadNoscript: flow = try inHeadNoscriptStartTag(tag)
            case .afterHead: flow = try afterHeadStartTag(tag)
            case .text: flow = .done
            case .inTable: flow = try inTableStartTag(tag)
            case .inTableText: flow = try endTableText()
            case .inCaption: flow = try inCaptionStartTag(tag)
            case .inColumnGroup: flow = try inColumnGroupStartTag(tag)
            case .inTableBody: flow = try inTableBodyStartTag(tag)
            case .inRow: flow = try inRowStartTag(tag)
            case .inCell: flow = try inCellStartTag(tag)
            case .inTemplate: flow = try inTemplateStartTag(tag)
            case .afterBody: flow = try afterBodyStartTag(tag)
            case .inFrameset: flow = try inFramesetStartTag(tag)
            case .afterFrameset: flow = try afterFramesetStartTag(tag)
            case .afterAfterBody: flow = try afterAfterBodyStartTag(tag)
            case .afterAfterFrameset: flow = try afterAfterFramesetStartTag(tag)
            }
            if flow == .done { break }
        } while true
        return nextTokenizerState
    }

    @inline(__always)
    mutating func endTag(_ tag: HTMLTag) throws(HTMLParserError) {
        ignoresLineFeed = false
        if !adjustedKind.contains(.html), try foreignEndTag(tag) == .done { return }
        repeat {
            let flow: HTMLFlow
            switch mode {
            case .inBody: flow = try inBodyEndTag(tag)
            case .text: flow = try textEndTag()
            case .initial: flow = initialStartTag()
            case .beforeHTML: flow = try beforeHTMLEndTag(tag)
            case .beforeHead: flow = try beforeHeadEndTag(tag)
            case .inHead: flow = try inHeadEndTag(tag)
            case .inHeadNoscript: flow = try inHeadNoscriptEndTag(tag)
            case .afterHead: flow = try afterHeadEndTag(tag)
            case .inTable: flow = try inTableEndTag(tag)
            case .inTableText: flow = try endTableText()
            case .inCaption: flow = try inCaptionEndTag(tag)
            case .inColumnGroup: flow = try inColumnGroupEndTag(tag)
            case .inTableBody: flow = try inTableBodyEndTag(tag)
            case .inRow: flow = try inRowEndTag(tag)
            case .inCell: flow = try inCellEndTag(tag)
            case .inTemplate: flow = try inTemplateEndTag(tag)
            case .afterBody: flow = try afterBodyEndTag(tag)
            case .inFrameset: flow = try inFramesetEndTag(tag)
            case .afterFrameset: flow = try afterFramesetEndTag(tag)
            case .afterAfterBody: flow = afterAfterBodyEndTag()
            case .afterAfterFrameset: flow = .done
            }
            if flow == .done { break }
        } while true
    }

    mutating func comment(_ data: HTMLBytes) throws(HTMLParserError) {
        try insertBeside(createComment(data))
    }

    mutating func processingInstruction(target: HTMLBytes, data: HTMLBytes) throws(HTMLParserError) {
        try insertBeside(createProcessingInstruction(target: target, data: data))
    }

    /// Inserts a comment or a processing instruction; all modes have the same rules for both.
    private mutating func insertBeside(_ node: TreeNode) throws(HTMLParserError) {
        ignoresLineFeed = false
        if mode == .inTableText { _ = try endTableText() }
        switch mode {
        case .initial, .beforeHTML, .afterAfterBody, .afterAfterFrameset:
            documentNode.append(node)
        case .afterBody:
            // As the last child of the html element
            stack[0].node.append(node)
        case .beforeHead, .inHead, .inHeadNoscript, .afterHead, .inBody, .text, .inTable, .inTableText,
            .inCaption,
            .inColumnGroup, .inTableBody, .inRow, .inCell, .inTemplate, .inFrameset, .afterFrameset:
            insert(node, at: flattened(appropriatePlace()))
        }
    }

    mutating func doctype(_ doctype: HTMLDoctype) throws(HTMLParserError) {
        ignoresLineFeed = false
        if mode == .inTableText { _ = try endTableText() }
        if mode == .initial { try initialDoctype(doctype) }
    }

    mutating func endOfFile() throws(HTMLParserError) {
        repeat {
            switch mode {
            case .initial: initialAnythingElse()
            case .beforeHTML: try beforeHTMLAnythingElse()
            case .beforeHead: try beforeHeadAnythingElse()
            case .inHead: try inHeadAnythingElse()
            case .inHeadNoscript: try inHeadNoscriptAnythingElse()
            case .afterHead: try afterHeadAnythingElse()
            case .text:
                try popElement()
                mode = originalMode
            case .inTableText: _ = try endTableText()
            case .inBody, .inTable, .inCaption, .inColumnGroup, .inTableBody, .inRow, .inCell, .inTemplate:
                if templateModes.isEmpty { return try stopParsing() }
                if try endOfFileInTemplate() == .done { return try stopParsing() }
            case .afterBody, .inFrameset, .afterFrameset, .afterAfterBody, .afterAfterFrameset:
                return try stopParsing()
            }
        } while true
    }

    /// [Stop parsing](https://html.spec.whatwg.org/multipage/parsing.html#stop-parsing).
    private mutating func stopParsing() throws(HTMLParserError) {
        try popElements(downTo: 0)
    }
}

extension HTMLBytes {
    /// The number of bytes before the first white space.
    var leadingNonWhitespace: Int {
        var index = 0
        while index < count, !self[index].isASCIIWhitespace { index += 1 }
        return index
    }

    /// Whether all bytes are white space.
    @inline(__always)
    var isWhitespace: Bool {
        leadingWhitespace == count
    }
}
