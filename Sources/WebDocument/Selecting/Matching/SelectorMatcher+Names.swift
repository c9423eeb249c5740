import CLibXML2
import Glibc

/// Names, classes, IDs and attributes.
extension SelectorMatcher {
    /// Whether an element has the name.
    ///
    /// In HTML documents, the names of HTML elements are compared without regard to case, and so are all
    /// others: the standard compares these case-sensitively, but browsers take `foreignobject` for
    /// `foreignObject`.
    @inline(__always)
    func hasName(_ element: TreeNode, _ test: UnsafePointer<Test>) -> Bool {
        let name = unsafe element.pointer.pointee.name
        guard isInterned else { return unsafe hasSpelling(element, name, test.pointee.spelling) }
        guard isHTML else { return unsafe name == test.pointee.name }
        if unsafe name == test.pointee.lowered { return true }
        guard unsafe element.pointer.pointee.ns != nil else { return false }
        return unsafe hasSpelling(element, name, test.pointee.spelling)
    }

    /// Whether a name equals another, byte for byte or, in HTML documents, without regard to case.
    func hasSpelling(
        _ element: TreeNode,
        _ name: UnsafePointer<UInt8>?,
        _ spelling: UnsafePointer<UInt8>
    ) -> Bool {
        guard let name = unsafe name else { return false }
        return unsafe isHTML ? ASCIIText.equalIgnoringCase(name, spelling) : ASCIIText.equal(name, spelling)
    }

    func isInNamespace(_ element: TreeNode, _ name: UnsafePointer<UInt8>) -> Bool {
        guard let own = unsafe element.pointer.pointee.ns?.pointee.href else {
            return unsafe element.isHTMLElement && TreeNode.equal(name, "http://www.w3.org/1999/xhtml")
        }
        return unsafe ASCIIText.equal(own, name)
    }

    // MARK: - Attributes in no namespace, by names that the library knows

    /// The value of an attribute in no namespace; nil if it is not there.
    mutating func value(_ element: TreeNode, _ name: StaticString) -> UnsafePointer<UInt8>? {
        var attribute = unsafe element.pointer.pointee.properties
        while let current = unsafe attribute {
            steps &-= 1
            if unsafe current.pointee.ns == nil, let own = unsafe current.pointee.name,
                unsafe TreeNode.equal(own, name)
            {
                return unsafe value(current)
            }
            unsafe attribute = current.pointee.next
        }
        return nil
    }

    /// Whether an element has an attribute in no namespace.
    mutating func has(_ element: TreeNode, _ name: StaticString) -> Bool {
        unsafe value(element, name) != nil
    }

    // MARK: - Selectors

    /// The value of an attribute in no namespace whose name the dictionary has at `key`.
    @inline(__always)
    private mutating func value(
        _ element: TreeNode,
        _ key: UnsafePointer<UInt8>?,
        _ name: StaticString
    ) -> UnsafePointer<UInt8>? {
        guard isInterned else { return unsafe value(element, name) }
        var attribute = unsafe element.pointer.pointee.properties
        while let current = unsafe attribute {
            steps &-= 1
            if unsafe current.pointee.name == key, unsafe current.pointee.ns == nil {
                return unsafe value(current)
            }
            unsafe attribute = current.pointee.next
        }
        return nil
    }

    @inline(__always)
    mutating func hasClass(_ element: TreeNode, _ test: UnsafePointer<Test>) -> Bool {
        guard let value = unsafe value(element, classKey, "class") else { return false }
        return unsafe hasWord(value, test.pointee.text, ignoringCase: isQuirks)
    }

    @inline(__always)
    mutating func hasID(_ element: TreeNode, _ test: UnsafePointer<Test>) -> Bool {
        guard let value = unsafe value(element, idKey, "id") else { return false }
        return unsafe isQuirks
            ? ASCIIText.equalIgnoringCase(value, test.pointee.text)
            : ASCIIText.equal(value, test.pointee.text)
    }

    @inline(__always)
    mutating func hasAttribute(_ element: TreeNode, _ test: UnsafePointer<Test>) -> Bool {
        let isForeign = unsafe element.pointer.pointee.ns != nil
        let wanted = unsafe isHTML ? test.pointee.lowered : test.pointee.name
        var attribute = unsafe element.pointer.pointee.properties
        while let current = unsafe attribute {
            steps &-= 1
            let name = unsafe current.pointee.name
            var isNamed = unsafe isInterned && name == wanted
            if !isNamed, !isInterned || isHTML && isForeign {
                isNamed = unsafe hasSpelling(element, name, test.pointee.spelling)
            }
            if isNamed, unsafe isInSpace(current, test), unsafe valueMatches(current, element, test) {
                return true
            }
            unsafe attribute = current.pointee.next
        }
        return false
    }

    @inline(__always)
    private func isInSpace(_ attribute: UnsafeMutablePointer<xmlAttr>, _ test: UnsafePointer<Test>) -> Bool {
        let own = unsafe attribute.pointee.ns
        switch unsafe test.pointee.simple.space {
        case .none: return unsafe own == nil
        case .any: return true
        case .named:
            guard let name = unsafe own?.pointee.href else { return false }
            return unsafe ASCIIText.equal(name, test.pointee.space)
        }
    }

    @inline(__always)
    private mutating func valueMatches(
        _ attribute: UnsafeMutablePointer<xmlAttr>,
        _ element: TreeNode,
        _ test: UnsafePointer<Test>
    ) -> Bool {
        guard unsafe test.pointee.simple.operation != .attribute else { return true }
        let value = unsafe value(attribute)
        let ignoresCase: Bool
        switch unsafe test.pointee.simple.comparison {
        case .exact: ignoresCase = false
        case .ignoringCase: ignoresCase = true
        case .asHTMLSays:
            ignoresCase = unsafe test.pointee.ignoresCaseInHTML && isHTML && element.isHTMLElement
        }
        switch unsafe test.pointee.simple.operation {
        case .equals:
            return unsafe ignoresCase
                ? ASCIIText.equalIgnoringCase(value, test.pointee.text)
                : ASCIIText.equal(value, test.pointee.text)
        case .includes: return unsafe hasWord(value, test.pointee.text, ignoringCase: ignoresCase)
        case .dashMatch:
            guard
                unsafe ASCIIText.hasPrefix(
                    value,
                    test.pointee.text,
                    test.pointee.count,
                    ignoringCase: ignoresCase
                )
            else {
                return false
            }
            let next = unsafe value[test.pointee.count]
            return next == 0 || next == UInt8(ascii: "-")
        case .prefix:
            return unsafe ASCIIText.hasPrefix(
                value,
                test.pointee.text,
                test.pointee.count,
                ignoringCase: ignoresCase
            )
        case .suffix:
            let count = unsafe TreeNode.length(value)
            charge(count)
            guard unsafe count >= test.pointee.count else { return false }
            return unsafe ASCIIText.hasPrefix(
                value + (count - test.pointee.count),
                test.pointee.text,
                test.pointee.count,
                ignoringCase: ignoresCase
            )
        case .substring:
            charge(unsafe TreeNode.length(value))
            return unsafe ignoresCase
                ? containsIgnoringCase(value, test.pointee.text, test.pointee.count)
                : ASCIIText.contains(value, test.pointee.text)
        default: return true
        }
    }

    private mutating func containsIgnoringCase(
        _ value: UnsafePointer<UInt8>,
        _ part: UnsafePointer<UInt8>,
        _ count: Int
    ) -> Bool {
        let initial = unsafe part[0].asciiLowercased
        var start = 0
        while unsafe value[start] != 0 {
            if unsafe value[start].asciiLowercased == initial {
                charge(count)
                if isExhausted { return false }
                if unsafe ASCIIText.hasPrefix(value + start, part, count, ignoringCase: true) { return true }
            }
            start += 1
        }
        return false
    }

    /// Whether one of the words, separated by white space, equals a given word.
    @inline(__always)
    private mutating func hasWord(
        _ value: UnsafePointer<UInt8>,
        _ word: UnsafePointer<UInt8>,
        ignoringCase: Bool
    ) -> Bool {
        var start = 0
        while true {
            while unsafe value[start].isASCIIWhitespace { start += 1 }
            guard unsafe value[start] != 0 else { break }
            var index = 0
            if ignoringCase {
                while unsafe word[index] != 0,
                    unsafe value[start + index].asciiLowercased == word[index].asciiLowercased
                {
                    index += 1
                }
            } else {
                while unsafe word[index] != 0, unsafe value[start + index] == word[index] { index += 1 }
            }
            let next = unsafe value[start + index]
            if unsafe word[index] == 0, next == 0 || next.isASCIIWhitespace { return true }
            start += index
            while unsafe value[start] != 0, unsafe !value[start].isASCIIWhitespace { start += 1 }
        }
        charge(start)
        return false
    }
}

/// Functions on texts that end with NUL.
enum ASCIIText {
    @inline(__always)
    static func equal(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>) -> Bool {
        unsafe strcmp(characters(left), characters(right)) == 0
    }

    static func equalIgnoringCase(_ left: UnsafePointer<UInt8>, _ right: UnsafePointer<UInt8>) -> Bool {
        var index = 0
        while unsafe left[index].asciiLowercased == right[index].asciiLowercased {
            if unsafe left[index] == 0 { return true }
            index += 1
        }
        return false
    }

    /// Whether a text begins with another one of `count` bytes.
    @inline(__always)
    static func hasPrefix(
        _ text: UnsafePointer<UInt8>,
        _ prefix: UnsafePointer<UInt8>,
        _ count: Int,
        ignoringCase: Bool
    ) -> Bool {
        guard ignoringCase else { return unsafe strncmp(characters(text), characters(prefix), count) == 0 }
        var index = 0
        while index < count {
            guard unsafe text[index].asciiLowercased == prefix[index].asciiLowercased else { return false }
            index += 1
        }
        return true
    }

    /// Whether a text occurs in another one.
    @inline(__always)
    static func contains(_ text: UnsafePointer<UInt8>, _ part: UnsafePointer<UInt8>) -> Bool {
        unsafe strstr(characters(text), characters(part)) != nil
    }

    @inline(__always)
    private static func characters(_ text: UnsafePointer<UInt8>) -> UnsafePointer<CChar> {
        unsafe UnsafeRawPointer(text).assumingMemoryBound(to: CChar.self)
    }
}
