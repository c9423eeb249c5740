/// A page as a table of its elements and texts in document order, without those that are never visible.
///
/// Since the contents of an entry follow it, up to ``Entry/end``, sums over all subtrees take one pass from
/// the last entry to the first, without recursion. Time and memory are linear in the page.
struct ContentTree {
    struct Entry {
        let node: TreeNode
        /// The index of the entry around it; that of the first is its own.
        let parent: Int32
        /// The index after the last entry inside it.
        var end: Int32
        let element: ContentElement
        let traits: ContentElement.Traits
        /// The meaning of the words in the class and the ID.
        var words: ContentWords = []
        var hints: ContentHints = []
        /// The index of the class in ``names``.
        var className: Int32 = 0
        var marks: Marks = []
        /// The weight of the class and the ID, from -50 to 50.
        var weight: Int8 = 0
        /// For a text: characters, runs of white space counted as one.
        var length: Int32 = 0
        /// For a text: commas, including those of other scripts.
        var commas: Int32 = 0
    }

    /// Properties that the attributes of an element state.
    struct Marks: OptionSet {
        let rawValue: UInt8

        /// Its role is that of a menu, a dialogue or secondary content.
        static let unlikelyRole = Self(rawValue: 1)
        /// A link within the page.
        static let fragmentLink = Self(rawValue: 2)
        /// `rel=author` or `itemprop=author`.
        static let author = Self(rawValue: 4)
        /// `itemprop=articleBody`.
        static let articleBody = Self(rawValue: 8)
        /// Begins after two line breaks or more.
        static let afterBreaks = Self(rawValue: 16)
        /// Its role is that of a part around the main content.
        static let landmarkRole = Self(rawValue: 32)
        /// Its role is that of the main content.
        static let mainRole = Self(rawValue: 64)
    }

    /// The entries, first the root element.
    private(set) var entries: [Entry] = []

    /// The classes and IDs.
    private var names = ContentNames()

    private let kinds = ContentBytes.kinds

    /// The units that an entry takes, with all the data about it, and its text that is written.
    private static let entrySize = 160

    /// Reads an element and its contents.
    ///
    /// - Parameters:
    ///   - root: The element.
    ///   - stop: The kind of elements whose contents are left out, except for `root`; `nil` to leave out nothing.
    ///   - showsHidden: Whether to read also the contents that an attribute hides until a script shows them, and those
    ///     for browsers without scripts.
    ///   - budget: The budget, beyond which nothing is read; nil for a part of a page that is soon freed.
    init(
        _ root: TreeNode,
        stopsAt stop: ContentElement? = nil,
        showsHidden: Bool = false,
        budget: InspectionBudget? = nil
    ) {
        let elements = ContentElement.Table()
        let slots = root.slotAssignments
        var open: [Int32] = []
        var node = root
        var isAtSpace = true
        var verbatimDepth = 0
        while budget?.spend(Self.entrySize) ?? true || entries.isEmpty {
            var (element, traits) = elements.element(node)
            if showsHidden, element == .hidden, node.hasName("noscript") {
                element = .block
                traits = element.traits
            }
            var enters = false
            if element == .text {
                append(text: node, traits, in: open.last ?? 0, isVerbatim: verbatimDepth > 0, &isAtSpace)
            } else if node.isElement, element != .hidden || node == root {
                // The first entry is added even where it is not visible.
                let isShown = append(element, traits, node, in: open.last ?? 0, showsHidden: showsHidden)
                enters = isShown && element != .hidden
                if traits.contains(.block) || element == .br { isAtSpace = true }
            }
            if element == stop, node != root { enters = false }
            if enters, let child = node.firstShownChild(slots) {
                open.append(Int32(truncatingIfNeeded: entries.count - 1))
                if element == .pre { verbatimDepth += 1 }
                node = child
                continue
            }
            while node != root, node.nextShown(slots) == nil, let parent = node.shownParent(slots) {
                node = parent
                guard let index = open.popLast() else { break }
                close(index)
                if entries[Int(index)].traits.contains(.block) { isAtSpace = true }
                if entries[Int(index)].element == .pre { verbatimDepth -= 1 }
            }
            guard node != root, let next = node.nextShown(slots) else { break }
            node = next
        }
        while let index = open.popLast() { close(index) }
    }

    /// The characters of all texts.
    var length: Int { entries.reduce(0) { $0 + Int($1.length) } }

    /// The number that every ``Entry/className`` is below.
    var nameCount: Int { names.names.count }

    /// Returns the data about the class of an entry.
    func className(of entry: Entry) -> ContentName { names.names[Int(entry.className)] }

    private mutating func close(_ index: Int32) {
        entries[Int(index)].end = Int32(truncatingIfNeeded: entries.count)
    }

    /// Adds a text, unless it is white space that is not visible.
    private mutating func append(
        text node: TreeNode,
        _ traits: ContentElement.Traits,
        in parent: Int32,
        isVerbatim: Bool,
        _ isAtSpace: inout Bool
    ) {
        guard let bytes = unsafe node.textBytes else { return }
        var counts = ContentBytes()
        var spaces = 0
        let couldDrop = isAtSpace
        var cursor = unsafe bytes
        while unsafe cursor[0] != 0 {
            if unsafe cursor[0].isASCIIWhitespace {
                if !isAtSpace { spaces += 1 }
                isAtSpace = true
                unsafe cursor += 1
            } else {
                unsafe cursor += counts.add(cursor, kinds)
                isAtSpace = false
            }
        }
        let hasText = counts.bytes > 0
        guard hasText || !couldDrop || isVerbatim else { return }
        let index = Int32(truncatingIfNeeded: entries.count)
        entries.append(
            Entry(
                node: node,
                parent: parent,
                end: index &+ 1,
                element: .text,
                traits: traits,
                length: Int32(truncatingIfNeeded: counts.chars + counts.spaces + spaces),
                commas: Int32(truncatingIfNeeded: counts.commas)
            )
        )
    }

    /// Adds an element, unless it is hidden; returns whether its contents are to be read.
    private mutating func append(
        _ element: ContentElement,
        _ traits: ContentElement.Traits,
        _ node: TreeNode,
        in parent: Int32,
        showsHidden: Bool
    ) -> Bool {
        var entry = Entry(
            node: node,
            parent: parent,
            end: Int32(truncatingIfNeeded: entries.count + 1),
            element: element,
            traits: traits
        )
        guard entry.readAttributes(&names) || showsHidden || entries.isEmpty else { return false }
        entries.append(entry)
        return !traits.contains(.opaque)
    }
}

extension ContentTree.Entry {
    /// Reads the attributes; returns false if they hide the element.
    fileprivate mutating func readAttributes(_ names: inout ContentNames) -> Bool {
        var attribute = node.firstAttribute
        var isModal = false
        var isDialog = false
        var isOpen = element != .dialog
        var weight = 0
        while let current = attribute {
            attribute = current.next
            switch current.initial {
            case UInt8(ascii: "c"), UInt8(ascii: "i"):
                guard let value = unsafe current.valueBytes else { continue }
                let isClass = current.hasName("class")
                if isClass || current.hasName("id") {
                    let index = unsafe names.index(of: value, isClass: isClass)
                    let name = names.names[Int(index)]
                    weight += name.words.weight
                    words.formUnion(name.words)
                    hints.formUnion(name.hints)
                    if isClass { className = index }
                } else if current.hasName("itemprop") {
                    if unsafe TreeNode.equal(value, "articleBody") { marks.insert(.articleBody) }
                    if unsafe TreeNode.equal(value, "author") { marks.insert(.author) }
                }
            case UInt8(ascii: "h"):
                if current.hasName("hidden") { return false }
                if element == .a, current.hasName("href"), let value = unsafe current.valueBytes,
                    unsafe value[0] == UInt8(ascii: "#"), unsafe value[1] != 0
                {
                    marks.insert(.fragmentLink)
                }
            case UInt8(ascii: "s"):
                if current.hasName("style"), let value = unsafe current.valueBytes,
                    unsafe Self.declaresHidden(value)
                {
                    return false
                }
            case UInt8(ascii: "a"):
                guard let value = unsafe current.valueBytes, unsafe TreeNode.equal(value, "true") else {
                    continue
                }
                if current.hasName("aria-hidden") { return false }
                if current.hasName("aria-modal") { isModal = true }
            case UInt8(ascii: "r"):
                guard let value = unsafe current.valueBytes else { continue }
                if current.hasName("rel"), unsafe TreeNode.equal(value, "author") { marks.insert(.author) }
                if current.hasName("role") {
                    if unsafe Self.unlikelyRoles.contains(NameWords.Word(value)) {
                        marks.insert(.unlikelyRole)
                        isDialog = unsafe TreeNode.equal(value, "dialog")
                    }
                    if unsafe Self.landmarkRoles.contains(NameWords.Word(value)) {
                        marks.insert(.landmarkRole)
                    }
                    if unsafe TreeNode.equal(value, "main") { marks.insert(.mainRole) }
                }
            case UInt8(ascii: "o"): if current.hasName("open") { isOpen = true }
            default: break
            }
        }
        self.weight = Int8(clamping: weight)
        return isOpen && !(isModal && isDialog)
    }

    private static let unlikelyRoles = NameWords(
        "menu",
        "menubar",
        "complementary",
        "navigation",
        "alert",
        "alertdialog",
        "dialog"
    )

    private static let landmarkRoles = NameWords("banner", "contentinfo", "search", "form", "toolbar")

    /// Whether a `style` has `display: none` or `visibility: hidden`.
    private static func declaresHidden(_ style: UnsafePointer<UInt8>) -> Bool {
        var cursor = unsafe style
        while case let byte = unsafe cursor[0], byte != 0 {
            if byte | 0x20 == UInt8(ascii: "d") {
                if unsafe declares("display", "none", cursor) { return true }
            } else if byte | 0x20 == UInt8(ascii: "v") {
                if unsafe declares("visibility", "hidden", cursor) { return true }
            }
            unsafe cursor += 1
        }
        return false
    }

    /// Whether text begins with a declaration of a property and a value.
    private static func declares(
        _ property: StaticString,
        _ value: StaticString,
        _ text: UnsafePointer<UInt8>
    ) -> Bool {
        guard var cursor = unsafe after(property, text) else { return false }
        while unsafe cursor[0].isASCIIWhitespace { unsafe cursor += 1 }
        guard unsafe cursor[0] == UInt8(ascii: ":") else { return false }
        repeat { unsafe cursor += 1 } while unsafe cursor[0].isASCIIWhitespace
        return unsafe after(value, cursor) != nil
    }

    private static func after(_ word: StaticString, _ text: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        for index in 0..<word.utf8CodeUnitCount
        where unsafe text[index].asciiLowercased != word.utf8Start[index] { return nil }
        return unsafe text + word.utf8CodeUnitCount
    }
}
