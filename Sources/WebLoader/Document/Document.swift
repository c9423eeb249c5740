import CLibXML2

/// A parsed page: a libxml2 tree that nothing changes any more, freed with the last reference to it.
///
/// Nodes keep their document alive. Reading from several threads at once is safe, since nobody writes.
@safe public final class Document: @unchecked Sendable {
    /// How the page was parsed.
    public enum Kind: String, Sendable, Codable {
        /// As HTML.
        case html
        /// As XML: XHTML, SVG, feeds and all others.
        case xml
    }

    /// Whether browsers lay the page out as the standards have it or as old browsers did.
    public enum CompatibilityMode: String, Sendable, Codable, CaseIterable {
        /// The page has a doctype that asks for standards mode, or almost.
        case standards = "CSS1Compat"
        /// The page has none, or an old one.
        case quirks = "BackCompat"
    }

    /// How the page was parsed.
    public let kind: Kind

    /// The mode that the page's doctype asks for; always `standards` for XML.
    public let compatibilityMode: CompatibilityMode

    let tree: UnsafeMutablePointer<xmlDoc>

    /// Whether equal names of elements and attributes have the same address, that in the tree's dictionary.
    let hasInternedNames: Bool

    /// What came with the page; whoever makes the document says it, before anybody else has it.
    var surroundings = Surroundings()

    /// Roughly the bytes that the tree takes, as its parser says; 0 where it does not count them.
    var memory = 0

    /// What is known of a page besides its bytes.
    struct Surroundings {
        /// The fragment of its URL, percent-decoded.
        var fragment: String?
        /// The Content-Language field.
        var contentLanguage: String?
        /// How many bytes the page has, by which what is gathered from it is bounded.
        var size = 0
        /// What goes when the document does.
        var attachment: AnyObject?
    }

    private var sideTables: HTMLSideTables

    /// Takes over a tree that a parser has made.
    init(
        _ kind: Kind,
        tree: UnsafeMutablePointer<xmlDoc>,
        compatibilityMode: CompatibilityMode = .standards,
        hasInternedNames: Bool = true,
        sideTables: HTMLSideTables = HTMLSideTables()
    ) {
        self.kind = kind
        self.compatibilityMode = compatibilityMode
        self.hasInternedNames = unsafe hasInternedNames && tree.pointee.dict != nil
        unsafe self.tree = tree
        self.sideTables = sideTables
    }

    deinit {
        sideTables.free()
        unsafe xmlFreeDoc(tree)
    }

    /// The controls that the parser gave to a form that they are not inside of.
    var parserFormOwners: [(control: TreeNode, form: TreeNode)] { sideTables.formOwners }

    /// The document as a node of its tree.
    var node: TreeNode {
        // A document begins with the same fields as a node; libxml2 casts between them throughout.
        unsafe TreeNode(UnsafeMutableRawPointer(tree).assumingMemoryBound(to: xmlNode.self))
    }

    /// False only where no element and no attribute has the name: most pages have no `base`, and need no walk to say so.
    func mayHaveName(_ name: StaticString) -> Bool {
        guard hasInternedNames, let dictionary = unsafe tree.pointee.dict else { return true }
        return unsafe xmlDictExists(
            dictionary,
            name.utf8Start,
            Int32(truncatingIfNeeded: name.utf8CodeUnitCount)
        ) != nil
    }

    /// The outermost element, nil if there is none.
    public var root: Node? {
        guard let element = unsafe TreeNode(xmlDocGetRootElement(tree)) else { return nil }
        return Node(element, in: self)
    }

    /// The title: the text of the first `title` element of HTML (of the root itself, for SVG), white space
    /// stripped and collapsed; nil if there is none.
    ///
    /// Complexity: O(n) in the number of nodes before it.
    ///
    /// <https://html.spec.whatwg.org/multipage/dom.html#document.title>
    public var title: String? {
        let isSVG = root?.treeNode.hasName("svg") == true && root?.treeNode.isHTMLElement == false
        if isSVG {
            var child = root?.treeNode.firstChild
            while let current = child, !(current.isElement && current.hasName("title")) {
                child = current.next
            }
            return child?.childTextContent.collapsingASCIIWhitespace
        }
        var walk = TreeWalk(inside: node)
        while let element = walk.nextElement() {
            guard element.hasName("title"), element.isHTMLElement else { continue }
            return element.childTextContent.collapsingASCIIWhitespace
        }
        return nil
    }
}
