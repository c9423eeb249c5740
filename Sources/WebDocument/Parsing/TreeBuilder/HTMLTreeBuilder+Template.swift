import CLibXML2

/// Templates: the rules for their tags, and the mode in template.
extension HTMLTreeBuilder {
    /// A start tag whose tag name is "template", in the in head mode.
    mutating func templateStartTag(_ tag: HTMLTag) throws(HTMLParserError) {
        framesetOK = false
        mode = .inTemplate
        templateModes.append(.inTemplate)
        let element: TreeNode
        if let shadowMode = shadowRootMode(of: tag), let host = shadowHost() {
            element = try attachShadow(tag, mode: shadowMode, host: host)
        } else {
            element = try insertHTMLElement(tag)
            let contents = try createFragment()
            element.fragment = contents
            sideTables.templates.append((element, contents))
        }
        formatting.pushMarker(element)
    }

    /// The mode of the shadow root that a template requests.
    private func shadowRootMode(of tag: HTMLTag) -> HTMLShadowRoot.Mode? {
        guard let value = tag.value(of: HTMLAtom.shadowrootmode) else { return nil }
        if value.equalsIgnoringCase("open") { return .open }
        if value.equalsIgnoringCase("closed") { return .closed }
        return nil
    }

    /// The element that can be given a shadow root here, nil if none can.
    ///
    /// It is the adjusted current node, unless that is the first element of the stack, if it is [an element
    /// that a shadow root can be attached to](https://dom.spec.whatwg.org/#valid-shadow-host-name) and has
    /// none.
    private func shadowHost() -> TreeNode? {
        guard stack.count > 1, context == nil || context?.allowsDeclarativeShadowRoots == true else {
            return nil
        }
        let host = stack.top
        guard host.kind.contains(.html), host.node.fragment == nil else { return nil }
        switch host.name {
        case .article, .aside, .blockquote, .body, .div, .footer, .h1, .h2, .h3, .h4, .h5, .h6, .header,
            .main, .nav,
            .p, .section, .span:
            return host.node
        case .annotationXml: return nil
        default: return isCustomElementName(host.node) ? host.node : nil
        }
    }

    /// [Valid custom element name](https://html.spec.whatwg.org/multipage/custom-elements.html#valid-custom-element-name):
    /// it begins with a lowercase letter and has a hyphen; some names of SVG and MathML are taken.
    private func isCustomElementName(_ node: TreeNode) -> Bool {
        guard let text = unsafe node.pointer.pointee.name else { return false }
        let name = unsafe String(cString: text)
        guard let first = name.utf8.first, first.isASCIIAlpha, name.utf8.contains(UInt8(ascii: "-")) else {
            return false
        }
        return ![
            "annotation-xml", "color-profile", "font-face", "font-face-src", "font-face-uri",
            "font-face-format",
            "font-face-name", "missing-glyph",
        ].contains(name)
    }

    /// Attaches a shadow root; the template itself stays out of the tree.
    private mutating func attachShadow(
        _ tag: HTMLTag,
        mode: HTMLShadowRoot.Mode,
        host: TreeNode
    ) throws(HTMLParserError) -> TreeNode {
        let template = try createElement(tag)
        push(template, tag: tag)
        let contents = try createFragment()
        template.fragment = contents
        host.fragment = contents
        sideTables.shadowRoots.append(
            HTMLShadowRoot(
                host: host,
                contents: contents,
                mode: mode,
                isClonable: tag.value(of: HTMLAtom.shadowrootclonable) != nil,
                isSerializable: tag.value(of: HTMLAtom.shadowrootserializable) != nil,
                delegatesFocus: tag.value(of: HTMLAtom.shadowrootdelegatesfocus) != nil
            )
        )
        return template
    }

    /// An end tag whose tag name is "template", in the in head mode.
    mutating func templateEndTag() throws(HTMLParserError) {
        guard stack.last(.template) >= 0 else { return }
        try generateAllImpliedEndTagsThoroughly()
        try popUntil(.template)
        formatting.clearToLastMarker()
        _ = templateModes.popLast()
        resetInsertionMode()
    }

    // MARK: - In template

    /// [The "in template" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-intemplate).
    mutating func inTemplateStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        let next: HTMLInsertionMode
        switch tag.name {
        case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title:
            return try inHeadStartTag(tag)
        case .caption, .colgroup, .tbody, .tfoot, .thead: next = .inTable
        case .col: next = .inColumnGroup
        case .tr: next = .inTableBody
        case .td, .th: next = .inRow
        default: next = .inBody
        }
        if !templateModes.isEmpty { templateModes[templateModes.count - 1] = next }
        mode = next
        return .reprocess
    }

    mutating func inTemplateEndTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        tag.name == .template ? try inHeadEndTag(tag) : .done
    }

    /// Handles the end of file while templates are open; the result is `done` if parsing is over.
    mutating func endOfFileInTemplate() throws(HTMLParserError) -> HTMLFlow {
        // Fragment case
        guard stack.last(.template) >= 0 else { return .done }
        try popUntil(.template)
        formatting.clearToLastMarker()
        _ = templateModes.popLast()
        resetInsertionMode()
        return .reprocess
    }
}
