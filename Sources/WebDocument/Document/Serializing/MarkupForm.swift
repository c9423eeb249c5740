/// A form in which a tree is written as text.
public enum MarkupForm: String, Sendable, CaseIterable {
    /// As browsers write it: HTML by the standard's fragment serialisation, XML documents as ``xml``.
    case html

    /// HTML for people to read: one block a line, indented, invisible white space collapsed.
    ///
    /// To a program it is a different page: texts that stood side by side may now have white space between
    /// them.
    case pretty

    /// Well-formed XML, with namespaces declared.
    ///
    /// Names, comments and characters that HTML allows and XML does not are coerced as the HTML standard proposes: each
    /// character that is not allowed in a name becomes `U` and six hexadecimal digits, two hyphens in a comment get a
    /// space between them, and characters that XML does not allow become U+FFFD.
    ///
    /// <https://html.spec.whatwg.org/multipage/parsing.html#coercing-an-html-dom-into-an-infoset>
    case xml
}

extension Document {
    /// The whole document as text, including its doctype and comments.
    ///
    /// - Parameter form: How to write it.
    /// - Returns: The text.
    /// - Complexity: O(n) in the length of the text, without recursion.
    public func markup(_ form: MarkupForm = .html) -> String {
        String(decoding: node.markup(form, in: self, isInner: true), as: UTF8.self)
    }
}

extension Node {
    /// The contents of the node, as browsers write them; in an XML document, as XML.
    ///
    /// For a template these are its template contents; a shadow root is not included.
    ///
    /// - Complexity: O(n) in the length of the text, without recursion.
    ///
    /// <https://html.spec.whatwg.org/multipage/dynamic-markup-insertion.html#dom-element-innerhtml>
    public var innerHTML: String {
        String(decoding: treeNode.markup(.html, in: document, isInner: true), as: UTF8.self)
    }

    /// The node and its contents, as browsers write them; in an XML document, as XML.
    ///
    /// - Complexity: O(n) in the length of the text, without recursion.
    ///
    /// <https://html.spec.whatwg.org/multipage/dynamic-markup-insertion.html#dom-element-outerhtml>
    public var outerHTML: String { markup(.html) }

    /// The node and its contents, as text.
    ///
    /// - Parameter form: How to write it.
    /// - Returns: The text.
    /// - Complexity: O(n) in the length of the text, without recursion.
    public func markup(_ form: MarkupForm) -> String {
        String(decoding: treeNode.markup(form, in: document, isInner: false), as: UTF8.self)
    }
}

extension TreeNode {
    /// The contents of the node, and the node itself unless `isInner`, in UTF-8.
    func markup(_ form: MarkupForm, in document: Document, isInner: Bool) -> [UInt8] {
        switch (form, document.kind) {
        case (.html, .html):
            var writer = HTMLWriter()
            writer.write(self, isInner: isInner)
            return writer.bytes
        case (.pretty, .html):
            var writer = PrettyHTMLWriter()
            writer.write(self, isInner: isInner)
            return writer.bytes
        case (.xml, _), (_, .xml):
            var writer = XMLWriter(document.kind)
            writer.write(self, isInner: isInner)
            return writer.bytes
        }
    }

    /// The contents of the node as browsers write them, but with other values of some attributes, in UTF-8; in an XML
    /// document all values are their own.
    func innerMarkup(in document: Document, replacement: @escaping HTMLWriter.Replacement) -> [UInt8] {
        guard document.kind == .html else { return markup(.html, in: document, isInner: true) }
        var writer = HTMLWriter(replacement: replacement)
        writer.write(self, isInner: true)
        return writer.bytes
    }

    /// Calls `body` with the steps of a walk over the contents of the node, and over the node itself unless
    /// `isInner`.
    func walkMarkup(isInner: Bool, _ body: (ContentsWalk.Step) -> Void) {
        var walk = ContentsWalk(inside: self, entersShadowRoots: false)
        if !isInner { body(.enter(self)) }
        // A template's own children are skipped; the parser makes none.
        let contents = isTemplate ? self.contents : nil
        if let contents { walk = ContentsWalk(inside: contents, entersShadowRoots: false) }
        if isElement || contents != nil || isInner {
            while let step = walk.next() { body(step) }
        }
        if !isInner, isElement { body(.leave(self)) }
    }

    /// Whether the node is a `template` element of HTML.
    var isTemplate: Bool { isHTMLElement && hasName("template") }
}
