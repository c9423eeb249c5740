/// The modes in table, in table text, in caption and in column group.
extension HTMLTreeBuilder {
    // MARK: - In table

    /// [The "in table" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intable).
    mutating func inTableStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .caption:
            try clearStackToTableContext()
            let element = try insertHTMLElement(tag)
            formatting.pushMarker(element)
            mode = .inCaption
        case .colgroup:
            try clearStackToTableContext()
            try insertHTMLElement(tag)
            mode = .inColumnGroup
        case .col:
            try clearStackToTableContext()
            try insertHTMLElement(.implied(.colgroup))
            mode = .inColumnGroup
            return .reprocess
        case .tbody, .tfoot, .thead:
            try clearStackToTableContext()
            try insertHTMLElement(tag)
            mode = .inTableBody
        case .td, .th, .tr:
            try clearStackToTableContext()
            try insertHTMLElement(.implied(.tbody))
            mode = .inTableBody
            return .reprocess
        case .table:
            guard stack.hasInTableScope(.table) else { return .done }
            try popUntil(.table)
            resetInsertionMode()
            return .reprocess
        case .style, .script, .template: return try inHeadStartTag(tag)
        case .input where isHiddenInput(tag):
            try insertVoidElement(tag)
        case .form:
            guard stack.last(.template) < 0, form == nil else { return .done }
            form = try insertHTMLElement(tag)
            try popElement()
        default: return try inTableAnythingElse(startTag: tag)
        }
        return .done
    }

    mutating func inTableEndTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .table:
            guard stack.hasInTableScope(.table) else { return .done }
            try popUntil(.table)
            resetInsertionMode()
            return .done
        case .body, .caption, .col, .colgroup, .html, .tbody, .td, .tfoot, .th, .thead, .tr: return .done
        case .template: return try inHeadEndTag(tag)
        default:
            fosterParenting = true
            let flow = try inBodyEndTag(tag)
            fosterParenting = false
            return flow
        }
    }

    private mutating func inTableAnythingElse(startTag tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        fosterParenting = true
        let flow = try inBodyStartTag(tag)
        fosterParenting = false
        return flow
    }

    /// [Clear the stack back to a table context](https://html.spec.whatwg.org/multipage/parsing.html#clear-the-stack-back-to-a-table-context).
    private mutating func clearStackToTableContext() throws(HTMLParserError) {
        try popElements(downTo: max(stack.last(.table), stack.last(.template), 0) + 1)
    }

    // MARK: - In table text

    /// Whether characters in the current node are collected, so that they are examined together.
    var currentTakesTableText: Bool {
        switch stack.top.name {
        case .table, .tbody, .template, .tfoot, .thead, .tr: true
        default: false
        }
    }

    mutating func appendTableText(_ text: HTMLBytes) {
        unsafe pendingTableText.append(contentsOf: UnsafeBufferPointer(start: text.base, count: text.count))
    }

    /// Handles the end of a run of characters in a table.
    ///
    /// [The "in table text" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intabletext)
    mutating func endTableText() throws(HTMLParserError) -> HTMLFlow {
        mode = originalMode
        guard !pendingTableText.isEmpty else { return .reprocess }
        var pending: [UInt8] = []
        swap(&pending, &pendingTableText)
        try unsafe pending.withUnsafeBufferPointer { (buffer) throws(HTMLParserError) in
            guard let base = buffer.baseAddress else { return }
            let text = unsafe HTMLBytes(base, count: buffer.count)
            if text.isWhitespace {
                try insertCharacters(text)
            } else {
                // As for "anything else" in the "in table" mode
                fosterParenting = true
                try inBodyCharacters(text)
                fosterParenting = false
            }
        }
        pending.removeAll(keepingCapacity: true)
        swap(&pending, &pendingTableText)
        return .reprocess
    }

    // MARK: - In caption

    /// [The "in caption" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-incaption).
    mutating func inCaptionStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .caption, .col, .colgroup, .tbody, .td, .tfoot, .th, .thead, .tr:
            return try closeCaption(for: .reprocess)
        default: return try inBodyStartTag(tag)
        }
    }

    mutating func inCaptionEndTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .caption: return try closeCaption(for: .done)
        case .table: return try closeCaption(for: .reprocess)
        case .body, .col, .colgroup, .html, .tbody, .td, .tfoot, .th, .thead, .tr: return .done
        default: return try inBodyEndTag(tag)
        }
    }

    private mutating func closeCaption(for flow: HTMLFlow) throws(HTMLParserError) -> HTMLFlow {
        // Fragment case
        guard stack.hasInTableScope(.caption) else { return .done }
        try generateImpliedEndTags()
        try popUntil(.caption)
        formatting.clearToLastMarker()
        mode = .inTable
        return flow
    }

    // MARK: - In column group

    /// [The "in column group" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-incolgroup).
    mutating func inColumnGroupStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .html: return try inBodyStartTag(tag)
        case .col:
            try insertVoidElement(tag)
            return .done
        case .template: return try inHeadStartTag(tag)
        default: return try inColumnGroupAnythingElse()
        }
    }

    mutating func inColumnGroupEndTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .colgroup:
            _ = try inColumnGroupAnythingElse()
            return .done
        case .col: return .done
        case .template: return try inHeadEndTag(tag)
        default: return try inColumnGroupAnythingElse()
        }
    }

    /// Pops the column group; if there is none, the token is ignored.
    mutating func inColumnGroupAnythingElse() throws(HTMLParserError) -> HTMLFlow {
        guard stack.top.isHTML(.colgroup) else { return .done }
        try popElement()
        mode = .inTable
        return .reprocess
    }
}
