import CLibXML2

/// The namespaces of foreign content, created when first needed.
///
/// The document keeps them (`oldNs`, after XML's own), so that they live as long as any node. The outermost
/// SVG or MathML element also declares its namespace, for serializing the tree as XML.
@safe struct HTMLNamespaces {
    enum Kind {
        case svg
        case mathML
        case xlink
        case xml
        case xmlns
    }

    private var made: [(kind: Kind, namespace: UnsafeMutablePointer<xmlNs>)] = unsafe []

    /// The namespace of a kind, for a document that has a root element.
    mutating func namespace(
        _ kind: Kind,
        of document: UnsafeMutablePointer<xmlDoc>,
        root: TreeNode
    ) throws(HTMLParserError) -> UnsafeMutablePointer<xmlNs> {
        if let entry = unsafe made.first(where: { unsafe $0.kind == kind }) { return unsafe entry.namespace }
        // XML's own namespace comes first: libxml2 takes the first one for it.
        guard let xml = unsafe xmlSearchNs(document, root.pointer, "xml") else {
            throw HTMLParserError(code: .outOfMemory)
        }
        let namespace: UnsafeMutablePointer<xmlNs>?
        switch kind {
        case .xml: unsafe namespace = xml
        case .svg: unsafe namespace = xmlNewNs(nil, Self.svg, nil)
        case .mathML: unsafe namespace = xmlNewNs(nil, Self.mathML, nil)
        case .xlink: unsafe namespace = xmlNewNs(nil, "http://www.w3.org/1999/xlink", "xlink")
        case .xmlns: unsafe namespace = xmlNewNs(nil, "http://www.w3.org/2000/xmlns/", "xmlns")
        }
        guard let namespace = unsafe namespace else { throw HTMLParserError(code: .outOfMemory) }
        if kind != .xml {
            unsafe namespace.pointee.next = xml.pointee.next
            unsafe xml.pointee.next = namespace
        }
        unsafe made.append((kind, namespace))
        return unsafe namespace
    }

    static let svg = "http://www.w3.org/2000/svg"
    static let mathML = "http://www.w3.org/1998/Math/MathML"
}
