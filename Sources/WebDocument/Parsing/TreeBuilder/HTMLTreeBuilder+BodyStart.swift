import CLibXML2

/// The mode in body: characters and start tags.
///
/// [The "in body" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inbody)
extension HTMLTreeBuilder {
    @inline(__always)
    mutating func inBodyCharacters(_ text: HTMLBytes) throws(HTMLParserError) {
        try reconstructFormatting()
        try insertCharacters(text)
        if framesetOK, !text.isWhitespace { framesetOK = false }
    }

    mutating func inBodyStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .other, .desc, .foreignobject, .malignmark, .mglyph, .mi, .mn, .mo, .ms, .mtext, .annotationXml,
            .ruby,
            .span, .sub, .sup, .`var`:
            // Any other start tag
            try reconstructFormatting()
            try insertHTMLElement(tag)
        case .a: try startAnchor(tag)
        case .b, .big, .code, .em, .font, .i, .s, .small, .strike, .strong, .tt, .u:
            try reconstructFormatting()
            try startFormatting(tag)
        case .nobr:
            try reconstructFormatting()
            if stack.hasInScope(.nobr) {
                _ = try adoptionAgency(for: tag)
                try reconstructFormatting()
            }
            try startFormatting(tag)
        case .address, .article, .aside, .blockquote, .center, .details, .dialog, .dir, .div, .dl, .fieldset,
            .figcaption, .figure, .footer, .header, .hgroup, .main, .menu, .nav, .ol, .p, .search, .section,
            .summary,
            .ul:
            try closeParagraphInButtonScope()
            try insertHTMLElement(tag)
        case .h1, .h2, .h3, .h4, .h5, .h6:
            try closeParagraphInButtonScope()
            switch stack.top.name {
            case .h1, .h2, .h3, .h4, .h5, .h6: try popElement()
            default: break
            }
            try insertHTMLElement(tag)
        case .li:
            framesetOK = false
            try closeItem(.li, .li)
            try closeParagraphInButtonScope()
            try insertHTMLElement(tag)
        case .dd, .dt:
            framesetOK = false
            try closeItem(.dd, .dt)
            try closeParagraphInButtonScope()
            try insertHTMLElement(tag)
        case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title:
            return try inHeadStartTag(tag)
        case .area, .br, .embed, .img, .keygen, .wbr: try startVoid(tag)
        case .image: return try inBodyStartTag(tag.renamed(.img))
        case .param, .source, .track: try insertVoidElement(tag)
        case .html, .body, .frameset: try startSecondDocument(tag)
        case .pre, .listing:
            try closeParagraphInButtonScope()
            try insertHTMLElement(tag)
            ignoresLineFeed = true
            framesetOK = false
        case .form: try startForm(tag)
        case .plaintext:
            try closeParagraphInButtonScope()
            try insertHTMLElement(tag)
            nextTokenizerState = .plaintext
        case .button:
            if stack.hasInScope(.button) {
                try generateImpliedEndTags()
                try popUntil(.button)
            }
            try reconstructFormatting()
            try insertHTMLElement(tag)
            framesetOK = false
        case .applet, .marquee, .object:
            try reconstructFormatting()
            let element = try insertHTMLElement(tag)
            formatting.pushMarker(element)
            framesetOK = false
        case .table:
            if quirksMode != .quirks { try closeParagraphInButtonScope() }
            try insertHTMLElement(tag)
            framesetOK = false
            mode = .inTable
        case .input, .hr, .select, .option, .optgroup, .selectedcontent: try startControl(tag)
        case .textarea:
            try insertHTMLElement(tag)
            ignoresLineFeed = true
            nextTokenizerState = .rcdata
            originalMode = mode
            framesetOK = false
            mode = .text
        case .xmp:
            try closeParagraphInButtonScope()
            try reconstructFormatting()
            framesetOK = false
            try parseRawText(tag, in: .rawtext)
        case .iframe:
            framesetOK = false
            try parseRawText(tag, in: .rawtext)
        case .noembed: try parseRawText(tag, in: .rawtext)
        case .noscript:
            if scripting {
                try parseRawText(tag, in: .rawtext)
            } else {
                try reconstructFormatting()
                try insertHTMLElement(tag)
            }
        case .rb, .rtc:
            if stack.hasInScope(.ruby) { try generateImpliedEndTags() }
            try insertHTMLElement(tag)
        case .rp, .rt:
            if stack.hasInScope(.ruby) { try generateImpliedEndTags(except: .rtc) }
            try insertHTMLElement(tag)
        case .math, .svg:
            try reconstructFormatting()
            try insertForeignElement(tag, isSVG: tag.name == .svg)
            if tag.isSelfClosing {
                try popElement()
                acknowledgedSelfClosing = true
            }
        case .caption, .col, .colgroup, .frame, .head, .tbody, .td, .tfoot, .th, .thead, .tr: break
        case .datalist:
            try reconstructFormatting()
            try insertHTMLElement(tag)
        }
        return .done
    }

    // MARK: - Groups of start tags

    /// A start tag whose tag name is "a".
    private mutating func startAnchor(_ tag: HTMLTag) throws(HTMLParserError) {
        if let index = formatting.last(atom: tag.atom) {
            let open = formatting.entries[index].node
            _ = try adoptionAgency(for: tag)
            if let index = formatting.index(of: open) { formatting.remove(at: index) }
            if open.isOpen, let index = stack.index(of: open, named: .a) {
                open.isOpen = false
                stack.remove(at: index)
            }
        }
        try reconstructFormatting()
        try startFormatting(tag)
    }

    @inline(__always)
    private mutating func startFormatting(_ tag: HTMLTag) throws(HTMLParserError) {
        let element = try insertHTMLElement(tag)
        pushFormatting(element, tag: tag)
    }

    /// The start tags of void elements within text.
    private mutating func startVoid(_ tag: HTMLTag) throws(HTMLParserError) {
        try reconstructFormatting()
        try insertVoidElement(tag)
        framesetOK = false
    }

    /// A start tag whose tag name is "html", "body" or "frameset".
    private mutating func startSecondDocument(_ tag: HTMLTag) throws(HTMLParserError) {
        switch tag.name {
        case .html:
            guard stack.last(.template) < 0, stack.count > 0 else { return }
            var known = rootAttributes
            rootAttributes = HTMLKnownAttributes()
            try addMissingAttributes(of: tag, to: stack[0].node, known: &known)
            rootAttributes = known
        case .body:
            guard stack.count > 1, stack[1].isHTML(.body), stack.last(.template) < 0 else { return }
            framesetOK = false
            var known = bodyAttributes
            bodyAttributes = HTMLKnownAttributes()
            try addMissingAttributes(of: tag, to: stack[1].node, known: &known)
            bodyAttributes = known
        default:
            guard stack.count > 1, stack[1].isHTML(.body), framesetOK else { return }
            let body = stack[1].node
            if body.parent != nil { body.remove() }
            try popElements(downTo: 1)
            try insertHTMLElement(tag)
            mode = .inFrameset
        }
    }

    /// Adds the attributes of a tag that the root or the body element lacks.
    private mutating func addMissingAttributes(
        of tag: HTMLTag,
        to element: TreeNode,
        known: inout HTMLKnownAttributes
    ) throws(HTMLParserError) {
        guard tag.attributeCount > 0 else { return }
        if !known.isFilled { try known.fill(from: element, names: names) }
        for index in 0..<tag.attributeCount {
            let attribute = tag.attribute(index)
            guard !known.atoms.contains(attribute.atom) else { continue }
            guard known.atoms.count < options.maximumAttributes else {
                limits.droppedAttributes += 1
                continue
            }
            let name = try unsafe names.text(attribute.atom)
            let value = limited(attribute.value)
            guard
                let made = unsafe webl_append_attribute(
                    element.pointer,
                    known.last,
                    name,
                    nil,
                    value.base,
                    value.count
                )
            else { throw HTMLParserError(code: .outOfMemory) }
            known.atoms.insert(attribute.atom)
            unsafe known.last = made
        }
    }

    /// A start tag whose tag name is "form".
    private mutating func startForm(_ tag: HTMLTag) throws(HTMLParserError) {
        let inTemplate = stack.last(.template) >= 0
        guard form == nil || inTemplate else { return }
        try closeParagraphInButtonScope()
        let element = try insertHTMLElement(tag)
        if !inTemplate { form = element }
    }

    /// The start tags related to select, by the rules since 2025.
    private mutating func startControl(_ tag: HTMLTag) throws(HTMLParserError) {
        switch tag.name {
        case .input:
            if contextName == .select { return }
            if stack.hasInScope(.select) { try popUntil(.select) }
            try reconstructFormatting()
            try insertVoidElement(tag)
            if !isHiddenInput(tag) { framesetOK = false }
        case .hr:
            try closeParagraphInButtonScope()
            if stack.hasInScope(.select) { try generateImpliedEndTags() }
            try insertVoidElement(tag)
            framesetOK = false
        case .select:
            if contextName == .select { return }
            if stack.hasInScope(.select) { return try popUntil(.select) }
            try reconstructFormatting()
            try insertHTMLElement(tag)
            framesetOK = false
        case .option:
            if stack.hasInScope(.select) {
                try generateImpliedEndTags(except: .optgroup)
            } else if stack.top.isHTML(.option) {
                try popElement()
            }
            try reconstructFormatting()
            try insertHTMLElement(tag)
        case .optgroup:
            if stack.hasInScope(.select) {
                try generateImpliedEndTags()
            } else if stack.top.isHTML(.option) {
                try popElement()
            }
            try reconstructFormatting()
            try insertHTMLElement(tag)
        default:
            // selectedcontent: any other start tag, except that the element is recorded
            try reconstructFormatting()
            let element = try insertHTMLElement(tag)
            selectedContentWasInserted(element)
        }
    }

    func isHiddenInput(_ tag: HTMLTag) -> Bool {
        tag.value(of: HTMLAtom.type)?.equalsIgnoringCase("hidden") ?? false
    }

    // MARK: - Closing

    /// If the stack has a p element in button scope, closes it.
    @inline(__always)
    mutating func closeParagraphInButtonScope() throws(HTMLParserError) {
        if stack.hasInButtonScope(.p) { try closeParagraph() }
    }

    /// [Close a p element](https://html.spec.whatwg.org/multipage/parsing.html#close-a-p-element).
    mutating func closeParagraph() throws(HTMLParserError) {
        try generateImpliedEndTags(except: .p)
        try popUntil(.p)
    }

    /// Closes an open list item, as in the loop for the start tags li, dd and dt.
    private mutating func closeItem(
        _ first: HTMLElementName,
        _ second: HTMLElementName
    ) throws(HTMLParserError) {
        let item = max(stack.last(first), stack.last(second))
        guard item >= 0, item >= Int(stack.top.nearestItemBoundary) else { return }
        let name = stack[item].name
        try generateImpliedEndTags(except: name)
        try popUntil(name)
    }
}
