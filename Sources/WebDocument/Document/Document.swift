import CLibXML2

/// A parsed page: an immutable libxml2 tree, freed with the last reference to it.
///
/// Nodes keep their document alive. Reading from several threads at once is safe, since nothing changes the
/// tree.
@safe public final class Document: @unchecked Sendable {
    /// How the page was parsed.
    public enum Kind: String, Sendable, Codable {
        /// As HTML.
        case html
        /// As XML: XHTML, SVG, feeds and all others.
        case xml
    }

    /// Whether browsers lay the page out by the standards or as old browsers did.
    public enum CompatibilityMode: String, Sendable, Codable, CaseIterable {
        /// The page's doctype asks for standards mode, or for limited-quirks ("almost standards") mode.
        case standards = "CSS1Compat"
        /// The page has no doctype, or an old one.
        case quirks = "BackCompat"
    }

    /// How the page was parsed.
    public let kind: Kind

    /// The mode that the page's doctype asks for; always `standards` for XML.
    public let compatibilityMode: CompatibilityMode

    let tree: UnsafeMutablePointer<xmlDoc>

    /// Whether equal names of elements and attributes have the same address, that in the tree's dictionary.
    let hasInternedNames: Bool

    /// Facts about the page besides its bytes; set by the code that makes the document, before any other code
    /// uses it.
    package var context = Context()

    /// The approximate size of the tree in bytes, as its parser counted it; 0 where the parser does not
    /// count.
    var memory = 0

    /// The tags that the tree was made of, where the settings asked for them; set as ``context`` is.
    var sourceTags: SourceTags?

    /// Facts about a page besides its bytes.
    package struct Context {
        /// The fragment of its URL, percent-decoded.
        var fragment: String?
        /// The Content-Language field.
        var contentLanguage: String?
        /// How many bytes the page has, from which the limits of inspections follow.
        var size = 0
        /// An object that is released together with the document.
        package var attachment: AnyObject?
    }

    private let sideTables: HTMLSideTables

    /// The nodes that its slots show, which the tree refers to (``TreeNode/slotAssignments``); `nil` without shadow
    /// roots.
    let slotAssignments: SlotAssignments?

    /// Takes ownership of a tree that a parser has made.
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
        slotAssignments =
            sideTables.shadowRoots.isEmpty ? nil : SlotAssignments(sideTables.shadowRoots)
        if let slotAssignments {
            unsafe tree.pointee.psvi = Unmanaged.passUnretained(slotAssignments).toOpaque()
        }
    }

    deinit {
        unsafe webl_free_tree(tree)
    }

    /// The controls that the parser associated with a form that does not contain them.
    var parserFormOwners: [(control: TreeNode, form: TreeNode)] { sideTables.formOwners }

    /// The document as a node of its tree.
    package var node: TreeNode {
        // A document begins with the same fields as a node; libxml2 casts between them throughout.
        unsafe TreeNode(UnsafeMutableRawPointer(tree).assumingMemoryBound(to: xmlNode.self))
    }

    /// False only where no element and no attribute has the name: most pages have no `base`, so no walk has
    /// to look for it.
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

    /// The title: the text of the first `title` element of HTML (for SVG, of a child of the root), with white
    /// space stripped and collapsed; nil if there is none.
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
