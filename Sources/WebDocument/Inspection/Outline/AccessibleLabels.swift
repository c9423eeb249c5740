/// The names that attributes give elements.
///
/// A text from `aria-labelledby` is cut after ``maximumLength`` bytes, and the work for all of them is
/// bounded (``work``), so that any number of elements that refer to a large one cost no more.
///
/// [Accessible Name and Description Computation](https://www.w3.org/TR/accname-1.2/), without the parts that
/// depend on style sheets and scripts
struct AccessibleLabels {
    private static let maximumLength = 1000

    private let elements: ElementsByID

    /// How much more may be inspected: a node, and each 16 bytes of text, count as 1.
    private var work = 1_000_000

    /// - Parameters:
    ///   - document: The document.
    ///   - labelled: The elements whose names will be asked for.
    init(_ document: Document, of labelled: [TreeNode]) {
        var references: [String] = []
        for element in labelled {
            if let value = element.attribute("aria-labelledby") { references += Self.words(value) }
        }
        elements = ElementsByID(document, wanted: references)
    }

    /// The name from `aria-labelledby`, `aria-label` or `title`, in this order, white space stripped and
    /// collapsed; nil if there is none.
    mutating func label(of element: TreeNode) -> String? {
        if let references = element.attribute("aria-labelledby") {
            var text: [UInt8] = []
            for word in Self.words(references) where text.count < Self.maximumLength {
                guard let target = elements[word] else { continue }
                append(target, to: &text)
            }
            let label = String(decoding: text, as: UTF8.self).collapsingASCIIWhitespace
            if !label.isEmpty { return label }
        }
        if let label = element.attribute("aria-label")?.collapsingASCIIWhitespace, !label.isEmpty {
            return label
        }
        if let label = element.attribute("title")?.collapsingASCIIWhitespace, !label.isEmpty { return label }
        return nil
    }

    /// Appends the text of an element: its own label, or the text inside it.
    private mutating func append(_ element: TreeNode, to text: inout [UInt8]) {
        if !text.isEmpty { text.append(0x20) }
        let length = text.count
        append(element.attribute("aria-label"), to: &text)
        guard text.count == length else { return }
        var rendered = RenderedText()
        let start = rendered.begin()
        var walk = RenderedWalk(inside: element)
        while rendered.count < Self.maximumLength, work > 0, let step = walk.next() {
            work -= 1
            switch step {
            case .enter(let node):
                let count = rendered.count
                rendered.enter(node)
                if node.isElement, node.hasName("img"), let alternative = node.attribute("alt") {
                    rendered.append(alternative: alternative)
                }
                work -= (rendered.count - count) / 16
            case .leave(let node): rendered.leave(node)
            }
        }
        append(rendered.end(start).utf8, to: &text)
    }

    private mutating func append(_ value: String?, to text: inout [UInt8]) {
        guard work > 0, let value = value?.collapsingASCIIWhitespace else { return }
        append(value.utf8, to: &text)
    }

    /// Appends as much as there is room for, in whole characters.
    private mutating func append(_ bytes: some BidirectionalCollection<UInt8>, to text: inout [UInt8]) {
        work -= 1 + bytes.count / 16
        let room = Self.maximumLength - text.count
        guard bytes.count > room else {
            text += bytes
            return
        }
        var end = bytes.index(bytes.startIndex, offsetBy: max(0, room))
        while end > bytes.startIndex, bytes[end] & 0xC0 == 0x80 { end = bytes.index(before: end) }
        text += bytes[..<end]
    }

    private static func words(_ text: String) -> [String] {
        text.utf8.split(whereSeparator: \.isASCIIWhitespace).map { String(Substring($0)) }
    }
}
