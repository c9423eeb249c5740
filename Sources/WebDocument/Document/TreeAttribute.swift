import CLibXML2

/// An attribute of an element of a libxml2 tree, for reading: a pointer and nothing else, valid as long as its
/// ``Document``.
@safe struct TreeAttribute {
    private let pointer: UnsafeMutablePointer<xmlAttr>

    @inline(__always)
    init?(_ pointer: UnsafeMutablePointer<xmlAttr>?) {
        guard let pointer = unsafe pointer else { return nil }
        unsafe self.pointer = pointer
    }

    /// The element's next attribute.
    @inline(__always)
    var next: TreeAttribute? { unsafe TreeAttribute(pointer.pointee.next) }

    /// Whether the attribute is in no namespace.
    @inline(__always)
    var isPlain: Bool { unsafe pointer.pointee.ns == nil }

    /// The first byte of the local name; 0 for an empty name.
    @inline(__always)
    var initial: UInt8 { unsafe pointer.pointee.name?[0] ?? 0 }

    /// The local name.
    var name: String { unsafe pointer.pointee.name.map { unsafe String(cString: $0) } ?? "" }

    /// Whether the local name is exactly this one, case included.
    @inline(__always)
    func hasName(_ name: StaticString) -> Bool {
        guard let own = unsafe pointer.pointee.name else { return false }
        return unsafe TreeNode.equal(own, name)
    }

    /// Whether the attribute is in the namespace of this name.
    func isInNamespace(_ name: StaticString) -> Bool {
        guard let own = unsafe pointer.pointee.ns?.pointee.href else { return false }
        return unsafe TreeNode.equal(own, name)
    }

    /// The namespace name; nil for most attributes.
    var namespaceName: String? {
        unsafe pointer.pointee.ns?.pointee.href.map { unsafe String(cString: $0) }
    }

    /// Whether an entity stands for a part of the value, which only XML has.
    var hasEntities: Bool {
        var part = unsafe pointer.pointee.children
        while let current = unsafe part {
            if unsafe current.pointee.type == XML_ENTITY_REF_NODE { return true }
            unsafe part = current.pointee.next
        }
        return false
    }

    var value: String { unsafe TreeNode.value(pointer) }

    /// The value as bytes that end with NUL; nil where it is empty, or in several nodes, which only XML has.
    @inline(__always)
    var valueBytes: UnsafePointer<UInt8>? {
        guard let first = unsafe pointer.pointee.children, unsafe first.pointee.next == nil,
            let content = unsafe first.pointee.content
        else { return nil }
        return unsafe UnsafePointer(content)
    }
}

extension TreeNode {
    /// How many bytes the values of the element's attributes have.
    ///
    /// Complexity: O(n) in that number.
    var attributesLength: Int {
        var length = 0
        var next = firstAttribute
        while let attribute = next {
            length += unsafe attribute.valueBytes.map { unsafe Self.length($0) } ?? attribute.value.utf8.count
            next = attribute.next
        }
        return length
    }

    /// The prefixes that an element of XML declares, each with its namespace.
    ///
    /// Complexity: O(n) in their number.
    var declaredPrefixes: [(prefix: String, name: String)] {
        guard isElement else { return [] }
        var declared: [(prefix: String, name: String)] = []
        var next = unsafe pointer.pointee.nsDef
        while let declaration = unsafe next {
            unsafe next = declaration.pointee.next
            if let prefix = unsafe declaration.pointee.prefix, let name = unsafe declaration.pointee.href {
                unsafe declared.append((String(cString: prefix), String(cString: name)))
            }
        }
        return declared
    }

    /// The element's first attribute; nil for an element without attributes, and for other nodes.
    @inline(__always)
    var firstAttribute: TreeAttribute? {
        isElement ? unsafe TreeAttribute(pointer.pointee.properties) : nil
    }
}
