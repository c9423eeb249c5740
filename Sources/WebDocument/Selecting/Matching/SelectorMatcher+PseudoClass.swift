import CLibXML2

/// The pseudo-classes without an argument, except for those of form controls.
extension SelectorMatcher {
    mutating func matches(_ element: TreeNode, _ pseudoClass: PseudoClass) -> Bool {
        switch pseudoClass {
        case .root: element.isRoot
        case .scope: scope.map { $0 == element } ?? element.isRoot
        case .empty: isEmpty(element)
        case .firstChild: isFirst(element, ofType: false, isFromEnd: false)
        case .lastChild: isFirst(element, ofType: false, isFromEnd: true)
        case .onlyChild:
            isFirst(element, ofType: false, isFromEnd: false)
                && isFirst(element, ofType: false, isFromEnd: true)
        case .firstOfType: isFirst(element, ofType: true, isFromEnd: false)
        case .lastOfType: isFirst(element, ofType: true, isFromEnd: true)
        case .onlyOfType:
            isFirst(element, ofType: true, isFromEnd: false)
                && isFirst(element, ofType: true, isFromEnd: true)
        case .link, .anyLink, .webkitAnyLink: isLink(element)
        case .target: isTarget(element)
        case .defined: isDefined(element)
        case .open: isHTML(element, "details", "dialog") && has(element, "open")
        case .paused: isHTML(element, "audio", "video")
        case .muted: isHTML(element, "audio", "video") && has(element, "muted")
        default: matchesControl(element, pseudoClass)
        }
    }

    /// Whether it is an HTML element with one of two names.
    func isHTML(_ element: TreeNode, _ name: StaticString, _ other: StaticString) -> Bool {
        element.isHTMLElement && (element.hasName(name) || element.hasName(other))
    }

    /// Whether the element is a hyperlink.
    ///
    /// <https://html.spec.whatwg.org/multipage/semantics-other.html#selector-link>
    private mutating func isLink(_ element: TreeNode) -> Bool {
        if element.isHTMLElement {
            return (element.hasName("a") || element.hasName("area")) && has(element, "href")
        }
        guard element.hasName("a"), element.isInNamespace("http://www.w3.org/2000/svg") else { return false }
        var attribute = element.firstAttribute
        while let current = attribute {
            if current.hasName("href"),
                current.isPlain || current.isInNamespace("http://www.w3.org/1999/xlink")
            {
                return true
            }
            attribute = current.next
        }
        return false
    }

    /// Whether the element is the target of the document's fragment: the first with that ID.
    ///
    /// <https://html.spec.whatwg.org/multipage/browsing-the-web.html#the-indicated-part-of-the-document>
    private mutating func isTarget(_ element: TreeNode) -> Bool {
        if let known = target { return known == element }
        var found: TreeNode?
        if let fragment = document.context.fragment {
            found = unsafe fragment.withCString { text in
                unsafe firstElement(withID: UnsafeRawPointer(text).assumingMemoryBound(to: UInt8.self))
            }
        }
        target = .some(found)
        return found == element
    }

    /// Whether an element is defined: all are except for custom elements, HTML elements with a hyphen in the
    /// name or an `is` attribute.
    ///
    /// <https://html.spec.whatwg.org/multipage/semantics-other.html#selector-defined>
    private mutating func isDefined(_ element: TreeNode) -> Bool {
        guard element.isHTMLElement, let name = unsafe element.nameBytes else { return true }
        if unsafe value(element, "is") != nil { return false }
        guard unsafe name[0] >= 0x61, unsafe name[0] <= 0x7A else { return true }
        var index = 1
        var hasHyphen = false
        while unsafe name[index] != 0 {
            if unsafe name[index] == UInt8(ascii: "-") { hasHyphen = true }
            if unsafe name[index].isASCIIUppercase { return true }
            index += 1
        }
        guard hasHyphen else { return true }
        // Names of SVG and MathML, which no custom element may have.
        let reserved: [StaticString] = [
            "annotation-xml", "color-profile", "font-face", "font-face-src", "font-face-uri",
            "font-face-format", "font-face-name", "missing-glyph",
        ]
        for other in reserved where element.hasName(other) { return true }
        return false
    }
}
