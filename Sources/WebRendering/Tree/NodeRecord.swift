import WebStandards

/// A node that is being read: its members may come in any order.
struct NodeRecord {
    /// The role of a node in the node around it.
    enum Role {
        case child
        case shadowRoot
        case contents
        case document
    }

    /// The members that are read.
    enum Member: String {
        case backendNodeId
        case childNodeCount
        case nodeType
        case nodeName
        case localName
        case nodeValue
        case attributes
        case children
        case shadowRoots
        case shadowRootType
        case templateContent
        case contentDocument
        case publicId
        case systemId
        case documentURL
        case baseURL
        case xmlVersion
        case isSVG
        case compatibilityMode

        /// Creates the member with a name; `nil` for any other name, and for one that is escaped.
        init?(_ name: Range<Int>, in bytes: [UInt8]) {
            guard let member = Self.candidate(name.count, { bytes[name.lowerBound + $0] }) else {
                return nil
            }
            var index = name.lowerBound
            for byte in member.rawValue.utf8 {
                guard index < name.upperBound, bytes[index] == byte else { return nil }
                index += 1
            }
            self = member
        }

        /// Returns the member that a name of this length can be, if there is one.
        @inline(__always)
        private static func candidate(_ length: Int, _ byte: (Int) -> UInt8) -> Member? {
            switch length {
            case 5: .isSVG
            case 7: .baseURL
            case 8:
                switch byte(4) {
                case UInt8(ascii: "T"): .nodeType
                case UInt8(ascii: "N"): .nodeName
                case UInt8(ascii: "d"): .children
                case UInt8(ascii: "i"): .publicId
                case UInt8(ascii: "e"): .systemId
                default: nil
                }
            case 9: byte(0) == UInt8(ascii: "n") ? .nodeValue : .localName
            case 10: byte(0) == UInt8(ascii: "a") ? .attributes : .xmlVersion
            case 11: byte(0) == UInt8(ascii: "d") ? .documentURL : .shadowRoots
            case 13: .backendNodeId
            case 14: byte(0) == UInt8(ascii: "s") ? .shadowRootType : .childNodeCount
            case 15: byte(0) == UInt8(ascii: "t") ? .templateContent : .contentDocument
            case 17: .compatibilityMode
            default: nil
            }
        }
    }

    let role: Role
    /// The number of nodes that were incomplete before it.
    let queueEnd: Int
    @Place var identifier: Int?
    /// Whether it has children, sent or not.
    var mayHaveChildren = false
    /// Whether its children were sent.
    var hasChildren = false
    var kind: DOMNode.Kind?
    var isSVG = false
    @Place var attributes: Int?

    /// The role of the nodes in the array that is being read.
    var list: Role?
    @Place var firstChild: Int?
    @Place var lastChild: Int?
    @Place var shadowRoot: Int?
    @Place var contents: Int?
    @Place var document: Int?

    private var nodeName: Range<Int>?
    private var localName: Range<Int>?
    @Place private var value: Int?
    /// The URL of a document, the public identifier of a doctype.
    @Place private var first: Int?
    /// The base URL of a document, the system identifier of a doctype.
    @Place private var second: Int?
    private var shadowMode: DOMNode.ShadowMode?
    private var isXML = false
    private var isStandardsMode = false

    init(role: Role, queueEnd: Int) {
        self.role = role
        self.queueEnd = queueEnd
    }

    /// Whether it has children that were not sent.
    var isIncomplete: Bool {
        mayHaveChildren && !hasChildren && (kind == .element || kind == .fragment || kind == .document)
    }

    /// Takes a member that is a string.
    mutating func take(_ member: Member, _ range: Range<Int>, _ bytes: [UInt8]) {
        switch member {
        case .nodeName: nodeName = range
        case .localName: localName = range
        case .nodeValue: value = range.isEmpty ? nil : range.lowerBound
        case .publicId, .documentURL: first = range.isEmpty ? nil : range.lowerBound
        case .systemId, .baseURL: second = range.isEmpty ? nil : range.lowerBound
        case .xmlVersion: isXML = !range.isEmpty
        case .compatibilityMode: isStandardsMode = !bytes[range].elementsEqual("QuirksMode".utf8)
        case .shadowRootType:
            if bytes[range].elementsEqual("open".utf8) { shadowMode = .open }
            if bytes[range].elementsEqual("closed".utf8) { shadowMode = .closed }
        case .backendNodeId, .childNodeCount, .nodeType, .attributes, .children, .shadowRoots,
            .templateContent, .contentDocument, .isSVG:
            break
        }
    }

    /// Returns the node, once all of it is known; `nil` if nothing of it would be written.
    func node(_ bytes: [UInt8]) -> DOMNode? {
        guard let kind else { return nil }
        var node = DOMNode(kind: kind)
        node.firstChild = firstChild
        switch kind {
        case .element:
            node.name = name(bytes)
            // Only its children would be written.
            guard node.name != nil || firstChild != nil else { return nil }
            node.hasUpperCaseName = nodeName.map { Self.hasNoLowerCase(bytes[$0]) } ?? false
            node.attributes = attributes
            node.isSVG = isSVG
            node.isXML = isXML
            node.shadowRoot = shadowRoot
            node.contents = contents
            node.document = document
        case .text, .characterData, .comment:
            guard value != nil || kind == .comment else { return nil }
            node.value = value
        case .processingInstruction:
            node.name = nodeName?.lowerBound
            node.value = value
        case .document:
            node.name = first
            node.value = second
            node.isStandardsMode = isStandardsMode
        case .doctype:
            node.name = nodeName?.lowerBound
            node.attributes = first
            node.systemID = second
        case .fragment: node.shadowMode = shadowMode
        }
        return node
    }

    /// Returns the place of the name to write: the local name of elements that HTML knows, the qualified name of
    /// others.
    private func name(_ bytes: [UInt8]) -> Int? {
        guard let localName, !localName.isEmpty else { return nodeName?.lowerBound }
        guard let nodeName, !isSVG, nodeName.count > localName.count, !Self.hasNoLowerCase(bytes[nodeName])
        else { return localName.lowerBound }
        return nodeName.lowerBound
    }

    private static func hasNoLowerCase(_ name: ArraySlice<UInt8>) -> Bool {
        var index = name.startIndex
        while index < name.endIndex {
            if name[index] &- UInt8(ascii: "a") < 26 { return false }
            // An escaped character in a name is not an ASCII letter.
            index += name[index] == UInt8(ascii: "\\") ? 6 : 1
        }
        return true
    }
}
