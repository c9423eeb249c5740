/// A tree as arrays: its elements, texts and comments in document order, each with the range of what is inside it.
///
/// It is made in one walk, without recursion, and holds no pointers. The contents of templates and of shadow roots are
/// inside their elements. Two trees that share their ``Names`` have equal numbers for equal names.
package struct FlatTree: Sendable {
    /// The kind of an item.
    package enum Kind: UInt8, Sendable {
        case element
        case text
        case comment
    }

    /// A node.
    package struct Item: Sendable {
        package let kind: Kind
        /// The number of an element's name.
        package let name: Int32
        /// The number of the element around it; -1 for the outermost ones.
        package let parent: Int32
        /// The number of the first item behind it and everything inside it.
        package var end: Int32
        /// Where an element begins in the source, from 1; 0 where that is unknown.
        package let line: Int32
        /// The text of a text or comment, in ``FlatTree/bytes``.
        package let text: Range<Int>
        /// The attributes of an element.
        package let attributes: Range<Int>
        /// The address of an element's node.
        package let address: UInt
    }

    /// An attribute.
    package struct Attribute: Sendable {
        /// The number of its name.
        package let name: Int32
        /// Its value, in ``FlatTree/bytes``; empty for a boolean attribute, which means the same whatever its value.
        package let value: Range<Int>
    }

    /// The names of elements and attributes, by number.
    package struct Names: Sendable {
        package private(set) var all: [String] = []
        /// Whether they are names of boolean attributes.
        private var areBoolean: [Bool] = []
        private var numbers: [String: Int32] = [:]

        package init() {}

        /// The number of a name, a new one for a name that has none.
        package mutating func number(_ name: String) -> Int32 {
            if let number = numbers[name] { return number }
            let number = Int32(clamping: all.count)
            numbers[name] = number
            all.append(name)
            areBoolean.append(Self.isBooleanAttribute(name))
            return number
        }

        /// Whether a number is that of a boolean attribute's name.
        func isBoolean(_ number: Int32) -> Bool { areBoolean[Int(number)] }

        /// Whether a name is a boolean attribute's.
        package static func isBooleanAttribute(_ name: String) -> Bool { booleanAttributes.contains(name) }

        /// [Boolean attributes](https://html.spec.whatwg.org/#boolean-attribute), and `hidden`, all of whose values but
        /// one mean the same.
        private static let booleanAttributes: Set<String> = [
            "allowfullscreen", "alpha", "async", "autofocus", "autoplay", "checked", "controls",
            "default", "defer", "disabled", "formnovalidate", "hidden", "inert", "ismap", "itemscope",
            "loop", "multiple", "muted", "nomodule", "novalidate", "open", "playsinline", "readonly",
            "required", "reversed", "selected", "shadowrootclonable", "shadowrootcustomelementregistry",
            "shadowrootdelegatesfocus", "shadowrootserializable",
        ]
    }

    package private(set) var items: [Item] = []
    package private(set) var attributes: [Attribute] = []
    package private(set) var bytes: [UInt8] = []

    /// An empty tree.
    package init() {}

    /// The tree of a document.
    package init(_ document: Document, _ names: inout Names) {
        var known: [UInt: Int32] = [:]
        add(inside: document.node, parent: -1, &names, &known)
    }

    /// The trees of elements in document order, each once: an element that stands in another one is in the tree of
    /// that.
    package init(_ elements: [Node], _ names: inout Names) {
        var known: [UInt: Int32] = [:]
        var last: Node?
        for element in elements {
            if let last, element.ancestors.contains(last) { continue }
            last = element
            let number = Int32(clamping: items.count)
            let node = element.treeNode
            add(node, parent: -1, &names, &known)
            if let contents = node.contents { add(inside: contents, parent: number, &names, &known) }
            add(inside: node, parent: number, &names, &known)
            items[Int(number)].end = Int32(clamping: items.count)
        }
    }

    /// Adds what is inside a node.
    ///
    /// - Parameters:
    ///   - root: The node.
    ///   - parent: The number of its item, -1 for a document.
    ///   - names: The numbers of names.
    ///   - known: The numbers of names by address: most are at one address each, that in the document's dictionary.
    private mutating func add(
        inside root: TreeNode,
        parent: Int32,
        _ names: inout Names,
        _ known: inout [UInt: Int32]
    ) {
        var open: [Int32] = []
        var walk = ContentsWalk(inside: root)
        while let step = walk.next() {
            switch step {
            case .enter(let node):
                let number = Int32(clamping: items.count)
                if node.isElement {
                    add(node, parent: open.last ?? parent, &names, &known)
                    open.append(number)
                } else if node.isText {
                    let start = bytes.count
                    node.appendText(to: &bytes)
                    add(.text, open.last ?? parent, number, start..<bytes.count)
                } else if node.isComment {
                    let start = bytes.count
                    bytes.append(contentsOf: node.commentText.utf8)
                    add(.comment, open.last ?? parent, number, start..<bytes.count)
                }
            case .leave:
                if let number = open.popLast() { items[Int(number)].end = Int32(clamping: items.count) }
            case .enterContents, .leaveContents:
                break
            }
        }
    }

    private mutating func add(_ kind: Kind, _ parent: Int32, _ number: Int32, _ text: Range<Int>) {
        items.append(
            Item(
                kind: kind,
                name: -1,
                parent: parent,
                end: number &+ 1,
                line: 0,
                text: text,
                attributes: 0..<0,
                address: 0
            )
        )
    }

    private mutating func add(
        _ element: TreeNode,
        parent: Int32,
        _ names: inout Names,
        _ known: inout [UInt: Int32]
    ) {
        let first = attributes.count
        var next = element.firstAttribute
        while let attribute = next {
            let start = bytes.count
            if let value = unsafe attribute.valueBytes {
                unsafe bytes.append(
                    contentsOf: UnsafeBufferPointer(start: value, count: TreeNode.length(value))
                )
            } else {
                bytes.append(contentsOf: attribute.value.utf8)
            }
            let name = names.number(attribute.name)
            if names.isBoolean(name), bytes.count > start, Self.isBoolean(bytes[start...], on: element) {
                bytes.removeSubrange(start...)
            }
            attributes.append(Attribute(name: name, value: start..<bytes.count))
            next = attribute.next
        }
        let address = unsafe UInt(bitPattern: element.nameBytes)
        let name = known[address] ?? names.number(element.name)
        known[address] = name
        items.append(
            Item(
                kind: .element,
                name: name,
                parent: parent,
                end: Int32(clamping: items.count + 1),
                line: Int32(clamping: element.sourcePosition?.line ?? 0),
                text: 0..<0,
                attributes: first..<attributes.count,
                address: element.address
            )
        )
    }

    /// Whether the value of an attribute with a boolean attribute's name has no meaning of its own.
    private static func isBoolean(_ value: ArraySlice<UInt8>, on element: TreeNode) -> Bool {
        // Custom elements give it what meaning they like, and `marquee` has a count of loops.
        guard element.isHTMLElement, element.name != "marquee", !element.name.contains("-") else {
            return false
        }
        return !String(decoding: value, as: UTF8.self).isEqualIgnoringASCIICase(to: "until-found")
    }
}
