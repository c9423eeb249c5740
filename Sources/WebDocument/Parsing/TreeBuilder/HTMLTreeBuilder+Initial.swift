import CLibXML2

/// The modes initial, before html and before head.
extension HTMLTreeBuilder {
    // MARK: - Initial

    /// [The "initial" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#the-initial-insertion-mode).
    mutating func initialStartTag() -> HTMLFlow {
        initialAnythingElse()
        return .reprocess
    }

    mutating func initialAnythingElse() {
        // Without a DOCTYPE, a page is in quirks mode.
        quirksMode = .quirks
        mode = .beforeHTML
    }

    mutating func initialDoctype(_ doctype: HTMLDoctype) throws(HTMLParserError) {
        quirksMode = Self.quirksMode(of: doctype)
        mode = .beforeHTML
        var name = Self.terminated(doctype.name)
        var publicIdentifier = Self.terminated(doctype.publicIdentifier)
        var systemIdentifier = Self.terminated(doctype.systemIdentifier)
        let hasPublic = doctype.publicIdentifier != nil
        let hasSystem = doctype.systemIdentifier != nil
        let made = unsafe name.withUnsafeMutableBufferPointer { name in
            unsafe publicIdentifier.withUnsafeMutableBufferPointer { publicIdentifier in
                unsafe systemIdentifier.withUnsafeMutableBufferPointer { systemIdentifier in
                    unsafe xmlCreateIntSubset(
                        document,
                        name.baseAddress,
                        hasPublic ? publicIdentifier.baseAddress : nil,
                        hasSystem ? systemIdentifier.baseAddress : nil
                    )
                }
            }
        }
        guard let made = unsafe made else { throw HTMLParserError(code: .outOfMemory) }
        nodeCount += 1
        // libxml2 inserts it as the first child; it belongs after the comments before it.
        let node = unsafe TreeNode(UnsafeMutableRawPointer(made).assumingMemoryBound(to: xmlNode.self))
        node.remove()
        documentNode.append(node)
    }

    private static func terminated(_ bytes: HTMLBytes?) -> [UInt8] {
        var copy: [UInt8] = []
        if let bytes {
            for index in 0..<bytes.count { copy.append(bytes[index]) }
        }
        copy.append(0)
        return copy
    }

    /// The quirks mode that a DOCTYPE causes.
    private static func quirksMode(of doctype: HTMLDoctype) -> HTMLQuirksMode {
        if doctype.forcesQuirks { return .quirks }
        guard let name = doctype.name, name.equals("html") else { return .quirks }
        let system = doctype.systemIdentifier
        if let system, system.equalsIgnoringCase("http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd")
        {
            return .quirks
        }
        guard let publicIdentifier = doctype.publicIdentifier else { return .noQuirks }
        if publicIdentifier.equalsIgnoringCase("-//w3o//dtd w3 html strict 3.0//en//")
            || publicIdentifier.equalsIgnoringCase("-/w3c/dtd html 4.0 transitional/en")
            || publicIdentifier.equalsIgnoringCase("html")
        {
            return .quirks
        }
        for prefix in quirkyPublicPrefixes where publicIdentifier.hasPrefixIgnoringCase(prefix) {
            return .quirks
        }
        if publicIdentifier.hasPrefixIgnoringCase("-//w3c//dtd html 4.01 frameset//")
            || publicIdentifier.hasPrefixIgnoringCase("-//w3c//dtd html 4.01 transitional//")
        {
            return system == nil ? .quirks : .limitedQuirks
        }
        if publicIdentifier.hasPrefixIgnoringCase("-//w3c//dtd xhtml 1.0 frameset//")
            || publicIdentifier.hasPrefixIgnoringCase("-//w3c//dtd xhtml 1.0 transitional//")
        {
            return .limitedQuirks
        }
        return .noQuirks
    }

    /// The prefixes of public identifiers that cause quirks mode, in lowercase.
    private static let quirkyPublicPrefixes: [StaticString] = [
        "+//silmaril//dtd html pro v0r11 19970101//",
        "-//as//dtd html 3.0 aswedit + extensions//",
        "-//advasoft ltd//dtd html 3.0 aswedit + extensions//",
        "-//ietf//dtd html 2.0 level 1//",
        "-//ietf//dtd html 2.0 level 2//",
        "-//ietf//dtd html 2.0 strict level 1//",
        "-//ietf//dtd html 2.0 strict level 2//",
        "-//ietf//dtd html 2.0 strict//",
        "-//ietf//dtd html 2.0//",
        "-//ietf//dtd html 2.1e//",
        "-//ietf//dtd html 3.0//",
        "-//ietf//dtd html 3.2 final//",
        "-//ietf//dtd html 3.2//",
        "-//ietf//dtd html 3//",
        "-//ietf//dtd html level 0//",
        "-//ietf//dtd html level 1//",
        "-//ietf//dtd html level 2//",
        "-//ietf//dtd html level 3//",
        "-//ietf//dtd html strict level 0//",
        "-//ietf//dtd html strict level 1//",
        "-//ietf//dtd html strict level 2//",
        "-//ietf//dtd html strict level 3//",
        "-//ietf//dtd html strict//",
        "-//ietf//dtd html//",
        "-//metrius//dtd metrius presentational//",
        "-//microsoft//dtd internet explorer 2.0 html strict//",
        "-//microsoft//dtd internet explorer 2.0 html//",
        "-//microsoft//dtd internet explorer 2.0 tables//",
        "-//microsoft//dtd internet explorer 3.0 html strict//",
        "-//microsoft//dtd internet explorer 3.0 html//",
        "-//microsoft//dtd internet explorer 3.0 tables//",
        "-//netscape comm. corp.//dtd html//",
        "-//netscape comm. corp.//dtd strict html//",
        "-//o'reilly and associates//dtd html 2.0//",
        "-//o'reilly and associates//dtd html extended 1.0//",
        "-//o'reilly and associates//dtd html extended relaxed 1.0//",
        "-//sq//dtd html 2.0 hotmetal + extensions//",
        "-//softquad software//dtd hotmetal pro 6.0::19990601::extensions to html 4.0//",
        "-//softquad//dtd hotmetal pro 4.0::19971010::extensions to html 4.0//",
        "-//spyglass//dtd html 2.0 extended//",
        "-//sun microsystems corp.//dtd hotjava html//",
        "-//sun microsystems corp.//dtd hotjava strict html//",
        "-//w3c//dtd html 3 1995-03-24//",
        "-//w3c//dtd html 3.2 draft//",
        "-//w3c//dtd html 3.2 final//",
        "-//w3c//dtd html 3.2//",
        "-//w3c//dtd html 3.2s draft//",
        "-//w3c//dtd html 4.0 frameset//",
        "-//w3c//dtd html 4.0 transitional//",
        "-//w3c//dtd html experimental 19960712//",
        "-//w3c//dtd html experimental 970421//",
        "-//w3c//dtd w3 html//",
        "-//w3o//dtd w3 html 3.0//",
        "-//webtechs//dtd mozilla html 2.0//",
        "-//webtechs//dtd mozilla html//",
    ]

    // MARK: - Before html

    /// [The "before html" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#the-before-html-insertion-mode).
    mutating func beforeHTMLStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        if tag.name == .html {
            try createRoot(tag)
            return .done
        }
        try beforeHTMLAnythingElse()
        return .reprocess
    }

    mutating func beforeHTMLEndTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .head, .body, .html, .br:
            try beforeHTMLAnythingElse()
            return .reprocess
        default: return .done
        }
    }

    mutating func beforeHTMLAnythingElse() throws(HTMLParserError) {
        try createRoot(.implied(.html))
    }

    private mutating func createRoot(_ tag: HTMLTag) throws(HTMLParserError) {
        let root = try createElement(tag)
        documentNode.append(root)
        push(root, tag: tag)
        mode = .beforeHead
    }

    // MARK: - Before head

    /// [The "before head" insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#the-before-head-insertion-mode).
    mutating func beforeHeadStartTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .html: return try inBodyStartTag(tag)
        case .head:
            head = try insertHTMLElement(tag)
            mode = .inHead
            return .done
        default:
            try beforeHeadAnythingElse()
            return .reprocess
        }
    }

    mutating func beforeHeadEndTag(_ tag: HTMLTag) throws(HTMLParserError) -> HTMLFlow {
        switch tag.name {
        case .head, .body, .html, .br:
            try beforeHeadAnythingElse()
            return .reprocess
        default: return .done
        }
    }

    mutating func beforeHeadAnythingElse() throws(HTMLParserError) {
        head = try insertHTMLElement(.implied(.head))
        mode = .inHead
    }
}
