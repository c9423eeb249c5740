import CLibXML2

/// The attributes of an element that further tags may add to: `html` or `body`.
///
/// It is filled when a second tag comes, so that n tags with an attribute each take time in proportion to n.
@safe struct HTMLKnownAttributes {
    var isFilled = false
    var atoms: Set<UInt32> = []
    var last: UnsafeMutablePointer<xmlAttr>?

    /// Adds the attributes that the element has.
    mutating func fill(from element: TreeNode, names: HTMLNames) throws(HTMLParserError) {
        isFilled = true
        var next = unsafe element.pointer.pointee.properties
        while let attribute = unsafe next {
            if let name = unsafe attribute.pointee.name {
                let bytes = unsafe HTMLBytes(name, count: Int(xmlStrlen(name)))
                atoms.insert(try names.atom(bytes, readable: bytes.count))
            }
            unsafe last = attribute
            unsafe next = attribute.pointee.next
        }
    }
}
