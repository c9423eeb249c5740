import CHTMLTables
import CLibXML2

/// SVG and MathML.
///
/// [The rules for parsing tokens in foreign content](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inforeign)
extension HTMLTreeBuilder {
    /// Whether the dispatcher passes a start tag to these rules, if the adjusted current node is not an HTML
    /// element.
    func startTagIsForeign(_ tag: HTMLTag, in kind: HTMLElementKind) -> Bool {
        if kind.contains(.htmlIntegrationPoint) { return false }
        if kind.contains(.mathMLTextIntegrationPoint) {
            return tag.name == .mglyph || tag.name == .malignmark
        }
        if kind.contains(.annotationXML), tag.name == .svg { return false }
        return true
    }

    mutating func foreignCharacters(_ text: HTMLBytes) throws(HTMLParserError) {
        try insertCharacters(text)
        if framesetOK, !text.isWhitespace { framesetOK = false }
    }

    mutating func foreignStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        if leavesForeignContent(tag) {
            try popToHTML()
            return .reprocess
        }
        // Any other start tag
        let isSVG = adjustedKind.contains(.svg)
        try insertForeignElement(tag, isSVG: isSVG)
        if tag.isSelfClosing {
            try popElement()
            acknowledgedSelfClosing = true
        }
        return .done
    }

    mutating func foreignEndTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .br, .p:
            try popToHTML()
            return .reprocess
        case .script where stack.top.kind.contains(.svg) && stack.top.atom == tag.atom:
            try popElement()
            return .done
        default:
            // The standard's loop up the stack: finds the topmost foreign element of that name above the
            // topmost HTML element.
            guard stack.count > 1 else { return .done }
            let index = stack.lastForeign(atom: tag.atom)
            guard index > Int(stack.top.nearestHTML) else { return .reprocess }
            try popElements(downTo: index)
            return .done
        }
    }

    /// Whether a start tag ends foreign content.
    private func leavesForeignContent(_ tag: HTMLTag) -> Bool {
        if tag.name == .font {
            return tag.value(of: HTMLAtom.color) != nil || tag.value(of: HTMLAtom.face) != nil
                || tag.value(of: HTMLAtom.size) != nil
        }
        return tag.atom < UInt32(truncatingIfNeeded: HTMLAtom.knownCount)
            && webl_traits(tag.atom) & HTMLElementTraits.breakout.rawValue != 0
    }

    /// Pops elements until the current node is an integration point or an HTML element.
    private mutating func popToHTML() throws(HTMLParserError) {
        while stack.count > 1,
            stack.top.kind.isDisjoint(with: [.html, .mathMLTextIntegrationPoint, .htmlIntegrationPoint])
        {
            try popElement()
        }
    }

    /// [Insert a foreign element](https://html.spec.whatwg.org/multipage/parsing.html#insert-a-foreign-element).
    mutating func insertForeignElement(_ tag: HTMLTag, isSVG: Bool) throws(HTMLParserError) {
        let isKnown = tag.atom < UInt32(truncatingIfNeeded: HTMLAtom.knownCount)
        // Adjust the tag name.
        let adjusted = isSVG && isKnown ? webl_adjusted_svg_element(tag.atom) : 0
        let element = try createElement(named: adjusted != 0 ? adjusted : tag.atom)
        let namespace = try unsafe namespace(isSVG ? .svg : .mathML)
        unsafe element.pointer.pointee.ns = namespace
        try setForeignAttributes(of: tag, on: element, isSVG: isSVG)
        var kind = isSVG ? svgKind(tag.atom) : mathMLKind(tag.atom)
        if kind.contains(.annotationXML), let encoding = tag.value(of: HTMLAtom.encoding),
            encoding.equalsIgnoringCase("text/html") || encoding.equalsIgnoringCase("application/xhtml+xml")
        {
            kind.insert(.htmlIntegrationPoint)
        }
        let place = flattened(appropriatePlace())
        insert(element, at: place)
        if unsafe place.parent.pointer.pointee.type != XML_ELEMENT_NODE
            || place.parent.pointer.pointee.ns != namespace
        {
            try declareNamespace(on: element, tag: tag, isSVG: isSVG)
        }
        stack.push(element, atom: tag.atom, kind: kind)
    }

    private mutating func namespace(
        _ kind: HTMLNamespaces.Kind
    ) throws(HTMLParserError) -> UnsafeMutablePointer<xmlNs> {
        guard let document = unsafe document, stack.count > 0 else { throw HTMLParserError(code: .finished) }
        return try unsafe namespaces.namespace(kind, of: document, root: stack[0].node)
    }

    /// Declares a namespace on its outermost element, unless an attribute of the page does.
    private func declareNamespace(on element: TreeNode, tag: HTMLTag, isSVG: Bool) throws(HTMLParserError) {
        guard tag.value(of: HTMLAtom.xmlns) == nil else { return }
        let uri = isSVG ? HTMLNamespaces.svg : HTMLNamespaces.mathML
        guard unsafe webl_declare_namespace(element.pointer, uri) != 0 else {
            throw HTMLParserError(code: .outOfMemory)
        }
    }

    /// Adjusts MathML attributes, SVG attributes and foreign attributes, and sets them.
    private mutating func setForeignAttributes(
        of tag: HTMLTag,
        on element: TreeNode,
        isSVG: Bool
    ) throws(HTMLParserError) {
        var last: UnsafeMutablePointer<xmlAttr>?
        for index in 0..<tag.attributeCount {
            let attribute = tag.attribute(index)
            var atom = attribute.atom
            var attributeNamespace: UnsafeMutablePointer<xmlNs>?
            if atom < UInt32(truncatingIfNeeded: HTMLAtom.knownCount) {
                if isSVG {
                    let adjusted = webl_adjusted_svg_attribute(atom)
                    if adjusted != 0 { atom = adjusted }
                } else if atom == HTMLAtom.definitionurl {
                    atom = HTMLAtom.definitionURL
                }
                let foreign = webl_adjusted_foreign_attribute(attribute.atom)
                if foreign != 0 {
                    atom = foreign >> 2
                    switch foreign & 3 {
                    case 1: unsafe attributeNamespace = try namespace(.xlink)
                    case 2: unsafe attributeNamespace = try namespace(.xml)
                    default: unsafe attributeNamespace = try namespace(.xmlns)
                    }
                }
            }
            let name = try unsafe names.text(atom)
            let value = limited(attribute.value)
            guard
                let made = unsafe webl_append_attribute(
                    element.pointer,
                    last,
                    name,
                    attributeNamespace,
                    value.base,
                    value.count
                )
            else { throw HTMLParserError(code: .outOfMemory) }
            countMemory(Self.attributeSize &+ value.count)
            unsafe last = made
        }
    }
}
