/// The modes in body and text: end tags.
///
/// [The "in body" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody)
extension HTMLTreeBuilder {
    mutating func inBodyEndTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .template: return try inHeadEndTag(tag)
        case .body:
            if stack.hasInScope(.body) { mode = .afterBody }
        case .html:
            guard stack.hasInScope(.body) else { return .done }
            mode = .afterBody
            return .reprocess
        case .address, .article, .aside, .blockquote, .button, .center, .details, .dialog, .dir, .div, .dl,
            .fieldset,
            .figcaption, .figure, .footer, .header, .hgroup, .listing, .main, .menu, .nav, .ol, .pre, .search,
            .section, .select, .summary, .ul:
            guard stack.hasInScope(tag.name) else { return .done }
            try generateImpliedEndTags()
            try popUntil(tag.name)
        case .form: try endForm()
        case .p:
            if !stack.hasInButtonScope(.p) { try insertHTMLElement(.implied(.p)) }
            try closeParagraph()
        case .li:
            guard stack.hasInListItemScope(.li) else { return .done }
            try generateImpliedEndTags(except: .li)
            try popUntil(.li)
        case .dd, .dt:
            guard stack.hasInScope(tag.name) else { return .done }
            try generateImpliedEndTags(except: tag.name)
            try popUntil(tag.name)
        case .h1, .h2, .h3, .h4, .h5, .h6:
            guard stack.hasHeadingInScope() else { return .done }
            try generateImpliedEndTags()
            let topmost = max(
                max(stack.last(.h1), stack.last(.h2), stack.last(.h3)),
                max(stack.last(.h4), stack.last(.h5), stack.last(.h6))
            )
            try popElements(downTo: topmost)
        case .a, .b, .big, .code, .em, .font, .i, .nobr, .s, .small, .strike, .strong, .tt, .u:
            return try adoptionAgency(for: tag)
        case .applet, .marquee, .object:
            guard stack.hasInScope(tag.name) else { return .done }
            try generateImpliedEndTags()
            try popUntil(tag.name)
            formatting.clearToLastMarker()
        case .br:
            // Drop the attributes and act as for a start tag.
            return try inBodyStartTag(.implied(.br))
        default: return try anyOtherEndTag(tag)
        }
        return .done
    }

    /// Any other end tag: closes the topmost element of that name, unless a special one is above it.
    mutating func anyOtherEndTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        let index = stack.last(atom: tag.atom)
        guard index > 0 || index == 0 && stack.count == 1, index >= Int(stack.top.nearestSpecial) else {
            return .done
        }
        let node = stack[index].node
        try generateImpliedEndTags(except: HTMLElementName(atom: tag.atom))
        // An element of that name is not closed by implied end tags, so it is still there.
        if let index = stack.index(of: node, atom: tag.atom) { try popElements(downTo: index) }
        return .done
    }

    /// An end tag whose tag name is "form".
    private mutating func endForm() throws(HTMLParserError) {
        guard stack.last(.template) < 0 else {
            guard stack.hasInScope(.form) else { return }
            try generateImpliedEndTags()
            return try popUntil(.form)
        }
        let node = form
        form = nil
        guard let node, let index = stack.index(of: node, named: .form), index >= Int(stack.top.nearestScope)
        else {
            return
        }
        try generateImpliedEndTags()
        if stack.top.node == node {
            try popElement()
        } else if let index = stack.index(of: node, named: .form) {
            stack.remove(at: index)
        }
    }

    // MARK: - Text

    /// [The "text" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-incdata).
    mutating func textEndTag() throws(HTMLParserError) -> HTMLFlow {
        try popElement()
        mode = originalMode
        return .done
    }
}
