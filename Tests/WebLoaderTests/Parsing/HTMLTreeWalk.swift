import CLibXML2

@testable import WebDocument

/// Questions about a tree, asked of libxml2 or of its links.
enum HTMLTreeWalk {
    /// All nodes below a node, in the order of the tree.
    static func nodes(below root: TreeNode) -> [TreeNode] {
        var nodes: [TreeNode] = []
        var node = root
        while true {
            if let child = hasChildren(node) ? node.firstChild : nil {
                node = child
            } else {
                while node != root, node.next == nil {
                    guard let parent = node.parent else { return nodes }
                    node = parent
                }
                guard node != root, let next = node.next else { return nodes }
                node = next
            }
            nodes.append(node)
        }
    }

    private static func hasChildren(_ node: TreeNode) -> Bool {
        let type = unsafe node.pointer.pointee.type
        return type == XML_ELEMENT_NODE || type == XML_HTML_DOCUMENT_NODE || type == XML_DOCUMENT_FRAG_NODE
    }

    /// How many nodes lie on the longest way down.
    static func depth(below root: TreeNode) -> Int {
        var deepest = 0
        var depth = 0
        var node = root
        while true {
            if let child = hasChildren(node) ? node.firstChild : nil {
                node = child
                depth += 1
                deepest = max(deepest, depth)
            } else {
                while node != root, node.next == nil {
                    guard let parent = node.parent else { return deepest }
                    node = parent
                    depth -= 1
                }
                guard node != root, let next = node.next else { return deepest }
                node = next
            }
        }
    }

    static func name(of node: TreeNode) -> String {
        unsafe node.pointer.pointee.name.map { unsafe String(cString: $0) } ?? ""
    }

    static func content(of node: TreeNode) -> String? {
        guard let content = unsafe xmlNodeGetContent(node.pointer) else { return nil }
        defer { unsafe webl_xmlFree(content) }
        return unsafe String(cString: content)
    }

    static func attribute(_ name: String, of node: TreeNode) -> String? {
        guard let content = unsafe xmlGetNoNsProp(node.pointer, name) else { return nil }
        defer { unsafe webl_xmlFree(content) }
        return unsafe String(cString: content)
    }

    /// How many nodes an XPath expression finds.
    static func count(of expression: String, in page: ParsedHTML) -> Int {
        let context = unsafe xmlXPathNewContext(page.document)
        defer { unsafe xmlXPathFreeContext(context) }
        let found = unsafe xmlXPathEvalExpression(expression, context)
        defer { unsafe xmlXPathFreeObject(found) }
        return unsafe Int(found?.pointee.nodesetval?.pointee.nodeNr ?? 0)
    }

    /// Whether all links of a tree and of what is beside it agree, and all texts are in their place.
    static func isConsistent(_ page: ParsedHTML) -> Bool {
        var roots = [page.documentNode]
        roots += page.sideTables.templates.map(\.contents)
        roots += page.sideTables.shadowRoots.map(\.contents)
        return roots.allSatisfy { root in
            childrenAgree(root)
                && nodes(below: root).allSatisfy {
                    unsafe $0.pointer.pointee.doc == page.document && childrenAgree($0)
                }
        }
    }

    private static func childrenAgree(_ parent: TreeNode) -> Bool {
        guard hasChildren(parent) else { return true }
        if parent.isElement, unsafe parent.pointer.pointee.extra != 0 { return false }
        var last: TreeNode?
        var next = parent.firstChild
        while let child = next {
            guard child.parent == parent, child.previous == last else { return false }
            if child.isText {
                guard last?.isText != true, content(of: child)?.isEmpty == false else { return false }
            }
            last = child
            next = child.next
        }
        return parent.lastChild == last
    }
}
