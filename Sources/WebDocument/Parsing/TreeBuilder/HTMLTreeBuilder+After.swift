/// The modes after body, in frameset and after frameset, and those after them.
extension HTMLTreeBuilder {
    // MARK: - After body

    /// [The "after body" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-afterbody).
    mutating func afterBodyStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        if tag.name == .html { return try inBodyStartTag(tag) }
        mode = .inBody
        return .reprocess
    }

    mutating func afterBodyEndTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        if tag.name == .html {
            if context == nil { mode = .afterAfterBody }
            return .done
        }
        mode = .inBody
        return .reprocess
    }

    // MARK: - In frameset

    /// [The "in frameset" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inframeset).
    mutating func inFramesetStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .html: return try inBodyStartTag(tag)
        case .frameset: try insertHTMLElement(tag)
        case .frame: try insertVoidElement(tag)
        case .noframes: return try inHeadStartTag(tag)
        default: break
        }
        return .done
    }

    mutating func inFramesetEndTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        // The root html element is the current node in the fragment case.
        guard tag.name == .frameset, stack.count > 1 else { return .done }
        try popElement()
        if context == nil, !stack.top.isHTML(.frameset) { mode = .afterFrameset }
        return .done
    }

    // MARK: - After frameset

    /// [The "after frameset" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-afterframeset).
    mutating func afterFramesetStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .html: return try inBodyStartTag(tag)
        case .noframes: return try inHeadStartTag(tag)
        default: return .done
        }
    }

    mutating func afterFramesetEndTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        if tag.name == .html { mode = .afterAfterFrameset }
        return .done
    }

    // MARK: - After after body

    /// [The "after after body" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#the-after-after-body-insertion-mode).
    mutating func afterAfterBodyStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        if tag.name == .html { return try inBodyStartTag(tag) }
        mode = .inBody
        return .reprocess
    }

    mutating func afterAfterBodyEndTag() -> HTMLFlow {
        mode = .inBody
        return .reprocess
    }

    // MARK: - After after frameset

    /// [The "after after frameset" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#the-after-after-frameset-insertion-mode).
    mutating func afterAfterFramesetStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .html: return try inBodyStartTag(tag)
        case .noframes: return try inHeadStartTag(tag)
        default: return .done
        }
    }
}
