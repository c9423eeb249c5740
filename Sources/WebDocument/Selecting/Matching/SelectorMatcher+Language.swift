import CLibXML2

/// `:lang()`.
extension SelectorMatcher {
    /// Whether the element's language is in one of the ranges.
    mutating func isInLanguage(_ element: TreeNode, _ test: UnsafePointer<Test>) -> Bool {
        let language = unsafe language(of: element)
        var range = unsafe test.pointee.text
        for _ in unsafe 0..<test.pointee.simple.step {
            if unsafe Self.isLanguage(language, in: range) { return true }
            unsafe range += TreeNode.length(range) + 1
        }
        return false
    }

    /// The element's language, empty if it is unknown.
    ///
    /// <https://html.spec.whatwg.org/multipage/dom.html#language>
    private mutating func language(of element: TreeNode) -> UnsafePointer<UInt8> {
        var current: TreeNode? = element
        var isOwn = true
        while let node = current {
            // If an ancestor is the last element looked up, or that one's parent, the language is the same.
            if unsafe !isOwn && (node.address == lastLanguage.node || node.address == lastLanguage.parent) {
                return unsafe remember(lastLanguage.value, element)
            }
            if let own = unsafe ownLanguage(node) {
                return unsafe isOwn ? own : remember(own, element)
            }
            isOwn = false
            current = node.parentElement
        }
        return unsafe remember(defaultLanguage(), element)
    }

    /// The language in the last `meta` element with `http-equiv="content-language"`, else in the
    /// Content-Language field.
    ///
    /// <https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-content-language>
    private mutating func defaultLanguage() -> UnsafePointer<UInt8> {
        if let start = unsafe pageLanguage.baseAddress { return unsafe UnsafePointer(start) }
        var language: [UInt8] = []
        if let field = document.context.contentLanguage, let first = Self.onlyLanguage(Array(field.utf8)) {
            language = first
        }
        var current = isHTML ? document.node.firstElement : nil
        while let element = current, !isExhausted {
            steps &-= 1
            if element.isHTMLElement, element.hasName("meta"), let kind = unsafe value(element, "http-equiv"),
                unsafe ASCIIText.equalIgnoringCase(kind, Self.bytes("content-language")),
                let content = unsafe value(element, "content"),
                let own = unsafe Self.onlyLanguage(
                    Array(UnsafeBufferPointer(start: content, count: TreeNode.length(content)))
                )
            {
                language = own
            }
            current = element.elementAfter(in: document.node)
        }
        unsafe pageLanguage = .allocate(capacity: language.count + 1)
        _ = unsafe pageLanguage.initialize(from: language + [0])
        return unsafe pageLanguage.baseAddress.map { unsafe UnsafePointer($0) } ?? Self.emptyText
    }

    /// The first word of a text; nil if there is none, or if the text lists several languages.
    private static func onlyLanguage(_ text: [UInt8]) -> [UInt8]? {
        guard !text.contains(UInt8(ascii: ",")) else { return nil }
        return text.split(whereSeparator: \.isASCIIWhitespace).first.map { Array($0) }
    }

    private mutating func remember(_ value: UnsafePointer<UInt8>, _ element: TreeNode) -> UnsafePointer<UInt8>
    {
        // An assembled value is freed with the next one, so it cannot be kept.
        if unsafe !isAssembled(value) {
            unsafe lastLanguage = (element.address, element.parentElement?.address ?? 0, value)
        }
        return unsafe value
    }

    private mutating func ownLanguage(_ element: TreeNode) -> UnsafePointer<UInt8>? {
        var plain: UnsafeMutablePointer<xmlAttr>?
        var attribute = unsafe element.pointer.pointee.properties
        while let current = unsafe attribute {
            steps &-= 1
            if let name = unsafe current.pointee.name, unsafe TreeNode.equal(name, "lang") {
                guard let space = unsafe current.pointee.ns?.pointee.href else {
                    unsafe plain = current
                    unsafe attribute = current.pointee.next
                    continue
                }
                if unsafe TreeNode.equal(space, "http://www.w3.org/XML/1998/namespace") {
                    return unsafe value(current)
                }
            }
            unsafe attribute = current.pointee.next
        }
        guard let plain = unsafe plain else { return nil }
        return unsafe value(plain)
    }

    /// Extended filtering; a wildcard at the start of a range has to be written explicitly.
    ///
    /// [RFC 4647, section 3.3.2](https://www.rfc-editor.org/rfc/rfc4647#section-3.3.2)
    static func isLanguage(_ language: UnsafePointer<UInt8>, in range: UnsafePointer<UInt8>) -> Bool {
        if unsafe range[0] == 0 { return unsafe language[0] == 0 }
        guard unsafe language[0] != 0 else { return false }
        var range = unsafe range
        var tag = unsafe language
        guard unsafe isSubtag(tag, range) || isWildcard(range) else { return false }
        unsafe advance(&range)
        unsafe advance(&tag)
        while unsafe range[0] != 0 {
            if unsafe isWildcard(range) {
                unsafe advance(&range)
            } else if unsafe tag[0] == 0 {
                return false
            } else if unsafe isSubtag(tag, range) {
                unsafe advance(&range)
                unsafe advance(&tag)
            } else if unsafe length(tag) == 1 {
                return false
            } else {
                unsafe advance(&tag)
            }
        }
        return true
    }

    private static func length(_ subtag: UnsafePointer<UInt8>) -> Int {
        var count = 0
        while unsafe subtag[count] != 0, unsafe subtag[count] != UInt8(ascii: "-") { count += 1 }
        return count
    }

    private static func isWildcard(_ subtag: UnsafePointer<UInt8>) -> Bool {
        unsafe subtag[0] == UInt8(ascii: "*") && length(subtag) == 1
    }

    private static func isSubtag(_ one: UnsafePointer<UInt8>, _ other: UnsafePointer<UInt8>) -> Bool {
        let count = unsafe length(one)
        return unsafe count == length(other) && ASCIIText.hasPrefix(one, other, count, ignoringCase: true)
    }

    /// Moves on to the next subtag, or to the end.
    private static func advance(_ text: inout UnsafePointer<UInt8>) {
        unsafe text += length(text)
        if unsafe text[0] != 0 { unsafe text += 1 }
    }
}
