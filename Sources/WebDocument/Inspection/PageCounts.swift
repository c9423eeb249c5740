/// The numbers of elements that a page has, in total and of some kinds.
public struct PageCounts: Hashable, Sendable, Codable {
    /// Elements.
    public var elements = 0
    /// `img` elements.
    public var images = 0
    /// `form` elements.
    public var forms = 0
    /// `table` elements.
    public var tables = 0
    /// `script` elements.
    public var scripts = 0
    /// `style` elements.
    public var styles = 0
    /// `iframe` and `frame` elements.
    public var frames = 0

    /// Creates counts of 0.
    public init() {}
}

extension PageCounts {
    /// Counts an element.
    @inline(__always)
    mutating func take(_ element: TreeNode) {
        elements += 1
        guard let name = unsafe element.nameBytes else { return }
        switch unsafe name[0] {
        case UInt8(ascii: "i"), UInt8(ascii: "s"), UInt8(ascii: "f"), UInt8(ascii: "t"):
            if element.isHTMLElement { count(element) }
        default: break
        }
    }

    private mutating func count(_ element: TreeNode) {
        if element.hasName("img") {
            images += 1
        } else if element.hasName("script") {
            scripts += 1
        } else if element.hasName("style") {
            styles += 1
        } else if element.hasName("form") {
            forms += 1
        } else if element.hasName("table") {
            tables += 1
        } else if element.hasName("iframe") || element.hasName("frame") {
            frames += 1
        }
    }
}
