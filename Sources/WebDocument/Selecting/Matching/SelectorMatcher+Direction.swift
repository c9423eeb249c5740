import CLibXML2

/// `:dir()`.
///
/// <https://html.spec.whatwg.org/multipage/dom.html#the-directionality>
extension SelectorMatcher {
    enum Direction {
        case leftToRight
        case rightToLeft
    }

    mutating func hasDirection(_ element: TreeNode, _ test: UnsafePointer<Test>) -> Bool {
        switch direction(of: element) {
        case .leftToRight: unsafe TreeNode.equal(test.pointee.text, "ltr")
        case .rightToLeft: unsafe TreeNode.equal(test.pointee.text, "rtl")
        }
    }

    /// The nearest direction that an attribute or the text determines; left to right if there is none.
    private mutating func direction(of element: TreeNode) -> Direction {
        var current: TreeNode? = element
        while let node = current {
            if node.isHTMLElement, let own = ownDirection(node) { return own }
            current = node.parentElement
        }
        return .leftToRight
    }

    /// The direction that an HTML element determines itself; nil if it inherits its parent's.
    private mutating func ownDirection(_ element: TreeNode) -> Direction? {
        if let value = unsafe value(element, "dir") {
            if unsafe ASCIIText.equalIgnoringCase(value, Self.bytes("ltr")) { return .leftToRight }
            if unsafe ASCIIText.equalIgnoringCase(value, Self.bytes("rtl")) { return .rightToLeft }
            if unsafe ASCIIText.equalIgnoringCase(value, Self.bytes("auto")) {
                return automaticDirection(element) ?? .leftToRight
            }
        }
        if element.hasName("bdi") { return automaticDirection(element) ?? .leftToRight }
        if element.hasName("input"), inputType(element) == .telephone { return .leftToRight }
        return nil
    }

    static func bytes(_ text: StaticString) -> UnsafePointer<UInt8> { unsafe text.utf8Start }

    /// The direction of the first strong character in the element's text.
    private mutating func automaticDirection(_ element: TreeNode) -> Direction? {
        if element.hasName("input") {
            guard inputType(element).isDirectional, let value = unsafe value(element, "value") else {
                return nil
            }
            return unsafe Self.direction(ofText: value)
        }
        if element.hasName("textarea") {
            for scalar in element.childTextContent.unicodeScalars {
                if let direction = Self.direction(scalar) { return direction }
            }
            return nil
        }
        var node = element.firstChild
        while let current = node {
            steps &-= 1
            guard !isExhausted else { return nil }
            if let text = unsafe current.textBytes {
                charge(unsafe TreeNode.length(text))
                if let direction = unsafe Self.direction(ofText: text) { return direction }
            }
            let isSkipped =
                current.isHTMLElement
                && (current.hasName("bdi") || current.hasName("script") || current.hasName("style")
                    || current.hasName("textarea") || current.hasAttribute("dir"))
            if current.isElement, !isSkipped, let first = current.firstChild {
                node = first
            } else {
                node = Self.after(current, in: element)
            }
        }
        return nil
    }

    private static func after(_ node: TreeNode, in root: TreeNode) -> TreeNode? {
        var node = node
        while node != root {
            if let next = node.next { return next }
            guard let parent = node.parent else { return nil }
            node = parent
        }
        return nil
    }

    private static func direction(ofText text: UnsafePointer<UInt8>) -> Direction? {
        for scalar in unsafe String(cString: text).unicodeScalars {
            if let direction = direction(scalar) { return direction }
        }
        return nil
    }

    static func direction(_ scalar: Unicode.Scalar) -> Direction? {
        switch ScalarProperties(of: scalar.value).bidiClass {
        case .leftToRight: .leftToRight
        case .rightToLeft, .arabicLetter: .rightToLeft
        default: nil
        }
    }
}
