/// Formulas: MathML that also says what it was made of.
extension ContentTree {
    /// The TeX of a `math` element, which says more than the letters in it; nil for anything else.
    ///
    /// It is that of an annotation, or else the alternative text.
    ///
    /// <https://w3c.github.io/mathml-core/#semantics-and-presentation>
    func tex(_ index: Int) -> [UInt8]? {
        let entry = entries[index]
        guard entry.element == .other, entry.node.hasName("math") else { return nil }
        var inner = index + 1
        // Contents are examined only once: another formula in them ends the search.
        while inner < entry.end, !entries[inner].node.hasName("math") {
            let annotation = entries[inner]
            if isAnnotation(inner), let type = annotation.node.attribute("encoding"),
                type == "application/x-tex" || type == "TeX"
            {
                var text: [UInt8] = []
                for part in inner..<Int(annotation.end) { entries[part].node.appendText(to: &text) }
                return Self.trimmed(text)
            }
            inner += 1
        }
        return entry.node.attribute("alttext").flatMap { Self.trimmed(Array($0.utf8)) }
    }

    /// Whether an element is one that says of the formula before it what that was made of, and is not shown.
    func isAnnotation(_ index: Int) -> Bool {
        let entry = entries[index]
        return entry.element == .other && !entry.node.isHTMLElement
            && (entry.node.hasName("annotation") || entry.node.hasName("annotation-xml"))
            && entry.node.previousElement != nil
    }

    /// Nil where there is nothing but white space.
    private static func trimmed(_ text: [UInt8]) -> [UInt8]? {
        guard let first = text.firstIndex(where: { !$0.isASCIIWhitespace }),
            let last = text.lastIndex(where: { !$0.isASCIIWhitespace })
        else { return nil }
        return Array(text[first...last])
    }
}

/// The readings above characters.
extension ContentTree.Entry {
    /// Whether it is a reading that browsers show in parentheses where they cannot show it above, and that brings none.
    ///
    /// <https://html.spec.whatwg.org/multipage/text-level-semantics.html#the-rt-element>
    var isBareReading: Bool {
        guard element == .inline, node.hasName("rt") else { return false }
        return node.previousElement?.hasName("rp") != true && node.nextElement?.hasName("rp") != true
    }
}
