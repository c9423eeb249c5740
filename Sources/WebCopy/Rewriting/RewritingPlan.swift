import WebDocument
import WebStandards

/// The parts of a source that a copy omits or changes, whatever replaces its references.
struct RewritingPlan: Sendable {
    /// The tags of the elements that are removed.
    private(set) var removed: Set<Int> = []
    /// The ranges that are removed with them, and the text in their place.
    private(set) var removedRanges: [(range: Range<Int>, text: String)] = []
    /// The attributes that are removed.
    private(set) var removedAttributes: Set<Int> = []
    /// The attributes that get another value.
    private(set) var values: [(attribute: Int, value: String)] = []
    /// The policies of the page.
    private(set) var policies: ContentPolicies
    private(set) var changed: [String: Int] = [:]

    /// The `noscript` that is open.
    private var noscript: Int?

    private let source: PageSource
    private let keepsScripts: Bool

    init(_ source: PageSource, _ options: PageRewriter.Options, _ policies: ContentPolicies) {
        self.source = source
        self.policies = policies
        keepsScripts = options.keepsScripts
        for (index, tag) in source.tags.enumerated() {
            if tag.isEnd {
                if tag.localName == "noscript", !keepsScripts { unwrapEnd(index) }
            } else {
                visit(index, tag)
            }
        }
    }

    mutating func count(_ name: String, _ number: Int = 1) {
        if number > 0 { changed[name, default: 0] += number }
    }

    /// Removes the attributes of images that other candidates of their elements replace.
    mutating func apply(_ choice: ImageChoice) {
        if choice.count > 0 { changed["srcset"] = choice.count }
        removedAttributes.formUnion(choice.droppedAttributes)
    }

    mutating func remove(attribute: Int, _ name: String) {
        if removedAttributes.insert(attribute).inserted { count(name) }
    }

    /// Removes an empty element; one that may end SVG or MathML only loses its attributes.
    private mutating func drop(_ index: Int) {
        removed.insert(index)
        if source.mayEndForeign(index) {
            removedAttributes.formUnion(source.tags[index].attributes)
            return
        }
        removedRanges.append((source.rangeOfEmpty(index), ""))
    }

    /// Removes an end tag of `noscript`, and ends in its place the elements that it ended.
    ///
    /// The parser ignores such a tag inside of elements like `div`, and reopens elements like `b` after it.
    private mutating func unwrapEnd(_ index: Int) {
        var open: [String] = []
        if let start = noscript, !source.isXML {
            for tag in source.tags[(start + 1)..<index].suffix(256) where tag.vocabulary == .html {
                if tag.isEnd {
                    if let last = open.lastIndex(of: tag.name) { open.removeSubrange(last...) }
                } else if tag.hasElement, !Self.voidElements.contains(tag.name) {
                    open.append(tag.name)
                }
            }
        }
        noscript = nil
        removed.insert(index)
        let isEnded = open.allSatisfy { Self.phrases.contains($0) || Self.formatting.contains($0) }
        let ended = isEnded ? open.reversed().filter { Self.phrases.contains($0) } : []
        removedRanges.append((source.tags[index].range, ended.map { "</\($0)>" }.joined()))
    }

    /// Elements that have no end tags.
    private static let voidElements: Set<String> = [
        "area", "base", "basefont", "bgsound", "br", "col", "embed", "frame", "hr", "image", "img", "input",
        "keygen", "link", "meta", "param", "source", "track", "wbr",
    ]

    /// Elements that any end tag around them ends.
    private static let phrases: Set<String> = [
        "abbr", "acronym", "audio", "bdi", "bdo", "canvas", "cite", "data", "datalist", "del", "dfn", "ins",
        "kbd", "label", "map", "mark", "meter", "output", "picture", "progress", "q", "ruby", "samp", "slot",
        "span", "sub", "sup", "time", "var", "video",
    ]

    /// Elements that are reopened if they were not ended by their own end tags.
    private static let formatting: Set<String> = [
        "a", "b", "big", "code", "em", "font", "i", "nobr", "s", "small", "strike", "strong", "tt", "u",
    ]

    /// Removes an element with all of its contents.
    private mutating func removeElement(_ index: Int, _ name: String) {
        count(name)
        removed.insert(index)
        let tag = source.tags[index]
        // The range of an instruction is without its last byte.
        var end = tag.range.upperBound + (tag.isInstruction ? 1 : 0)
        if let last = source.endOfElement(index) { end = last }
        // Selectors count the siblings in a body: an empty element takes its place there.
        let isCounted =
            tag.localName == "script" && tag.vocabulary == .html && tag.hasElement && tag.parent != .head
        removedRanges.append((tag.range.lowerBound..<end, isCounted && !source.isXML ? Self.emptyScript : ""))
    }

    /// An element in place of a script, which no browser runs.
    private static let emptyScript = "<script type=\"text/plain\"></script>"

    private mutating func visit(_ index: Int, _ tag: SourceTag) {
        if tag.isMisread {
            removeElement(index, "styles")
            return
        }
        if !tag.hasElement, !source.isXML, tag.name != "html", tag.name != "body" {
            return visitStray(index, tag)
        }
        if let excess = tag.excess {
            // The tree omits attributes beyond its limit, so that the references in these are unknown.
            removedRanges.append((excess, ""))
            count("attributes")
        }
        if tag.isInstruction, !keepsScripts, !isStyleSheet(tag) {
            removeElement(index, "xslt")
            return
        }
        switch tag.localName {
        case "script" where !keepsScripts && isScript(tag):
            removeElement(index, "scripts")
            return
        case "script" where isSpeculation(tag):
            removeElement(index, "preload")
            return
        case "noscript" where !keepsScripts:
            count("noscript")
            removed.insert(index)
            removedRanges.append((tag.range, ""))
            noscript = index
            return
        case "meta" where tag.vocabulary == .html: if visitMeta(index, tag) { return }
        case "base" where tag.vocabulary == .html:
            if let attribute = source.attribute("href", of: tag) { remove(attribute: attribute, "base") }
        case "link" where tag.vocabulary == .html:
            if isAhead(tag), !(keepsScripts && source.becomesStyleSheet(tag)) {
                count("preload")
                drop(index)
                return
            }
        case "template" where tag.vocabulary == .html:
            // It made no shadow root, in a `noscript` say; without its parent it would, and load its contents.
            if let attribute = source.attribute("shadowrootmode", of: tag) {
                remove(attribute: attribute, "shadowroot")
            }
        case "style" where tag.hasElement && !allowsStyle(index, tag):
            removeElement(index, "csp")
            return
        default: break
        }
        if tag.vocabulary == .svg, tag.localName == "animate" || tag.localName == "set" {
            visitAnimation(tag)
        }
        for attribute in tag.attributes { visit(attribute: attribute, of: index) }
    }

    /// Removes everything that could load from a tag whose element was not created, or does not exist any more.
    ///
    /// While a browser parses a page, such an element may exist for a moment, until a `frameset` removes it, and take
    /// effect at once: a refresh, say.
    private mutating func visitStray(_ index: Int, _ tag: SourceTag) {
        switch tag.name {
        case "script" where !keepsScripts: removeElement(index, "scripts")
        case "noscript" where !keepsScripts: drop(index)
        case "style": removeElement(index, "strays")
        case "meta", "link", "base":
            count("strays")
            drop(index)
        // A template that makes a shadow root is not an element of the tree.
        case "template": return
        default:
            // These attributes affect the parser.
            for attribute in tag.attributes
            where !["type", "encoding"].contains(source.attributes[attribute].name) {
                remove(attribute: attribute, "strays")
            }
        }
    }

    private mutating func visit(attribute index: Int, of tag: Int) {
        let attribute = source.attributes[index]
        let name = attribute.name
        if attribute.isMisread { return remove(attribute: index, "styles") }
        switch name {
        case "integrity": remove(attribute: index, "integrity")
        case "crossorigin": remove(attribute: index, "crossorigin")
        case "nonce": remove(attribute: index, "nonce")
        case "ping": remove(attribute: index, "ping")
        case "attributionsrc": remove(attribute: index, "ping")
        case "style" where !policies.allowsInlineStyle(nonce: nil, isAttribute: true, at: tag):
            remove(attribute: index, "csp")
        case "csp": remove(attribute: index, "csp")
        default:
            if source.isXML { return visit(attributeOfXML: index, of: tag) }
            guard !keepsScripts, Self.isHandler(name[...]) else { return }
            remove(attribute: index, "handlers")
        }
    }

    private static func isHandler(_ name: Substring) -> Bool {
        name.utf8.count > 2 && name.utf8.starts(with: "on".utf8)
    }

    /// Removes attributes that a prefix hides, or might hide from others: a handler, a second reference, a script as a
    /// reference.
    private mutating func visit(attributeOfXML index: Int, of tag: Int) {
        let attribute = source.attributes[index]
        let parts = attribute.name.split(separator: ":", omittingEmptySubsequences: false)
        let name = parts.last ?? ""
        // A namespace declaration is not an attribute.
        if parts.first == "xmlns" { return }
        if parts.count > 1, name == "href" {
            // Only the first one is listed as a reference; those of other namespaces are not references.
            let own = source.attribute("href", of: source.tags[tag])
            let first = source.tags[tag].attributes.first { source.attributes[$0].name.hasSuffix(":href") }
            if (own ?? first) != index { return remove(attribute: index, "attributes") }
        }
        guard !keepsScripts else { return }
        if Self.isHandler(name) { return remove(attribute: index, "handlers") }
        if parts.count > 1, name == "srcdoc" { return remove(attribute: index, "attributes") }
        if source.tags[tag].vocabulary == .html, Self.textAttributes.contains(attribute.name) { return }
        // In any vocabulary.
        let value = source.value(of: attribute).unicodeScalars.filter { $0.value > 0x20 }.prefix(11)
        if String(String.UnicodeScalarView(value)).asciiLowercase == "javascript:" {
            remove(attribute: index, "scripts")
        }
    }

    /// Attributes of HTML that are text for people, or for forms.
    private static let textAttributes: Set<String> = [
        "abbr", "alt", "aria-description", "aria-label", "content", "label", "placeholder", "summary",
        "title", "value",
    ]

    // MARK: - Scripts

    /// Whether a browser runs the script; false for a data block.
    private func isScript(_ tag: SourceTag) -> Bool {
        guard let type = source.value("type", of: tag) else { return true }
        let words = type.asciiLowercasedWords
        guard let first = words.first, words.count == 1 else { return words.isEmpty }
        if first == "module" || first == "importmap" { return true }
        let essence = first.split(separator: ";").first.map(String.init) ?? ""
        return essence.hasSuffix("javascript") || essence.contains("ecmascript") || essence == "text/jscript"
            || essence.hasPrefix("text/javascript1") || essence.hasSuffix("/livescript")
    }

    /// Whether an `xml-stylesheet` is CSS: from any other type a browser makes another page, which may have scripts.
    private func isStyleSheet(_ tag: SourceTag) -> Bool {
        guard let type = source.value("type", of: tag), !type.isEmpty else { return true }
        return MediaType(type)?.essence == "text/css"
    }

    private func isSpeculation(_ tag: SourceTag) -> Bool {
        let words = source.value("type", of: tag)?.asciiLowercasedWords
        return words == ["speculationrules"] || words == ["webbundle"]
    }

    /// Whether the page's policies allow its own style sheet.
    private func allowsStyle(_ index: Int, _ tag: SourceTag) -> Bool {
        policies.isEmpty
            || policies.allowsInlineStyle(
                nonce: source.value("nonce", of: tag),
                isAttribute: false,
                at: index
            )
    }

    /// Removes an animation of a reference, which could refer to something outside of the copy.
    private mutating func visitAnimation(_ tag: SourceTag) {
        guard let attribute = source.attribute(source.isXML ? "attributeName" : "attributename", of: tag)
        else {
            return
        }
        let name = source.value(of: source.attributes[attribute]).asciiLowercasedWords.first ?? ""
        let leadsOut =
            name == "href" || name.hasSuffix(":href")
            || ["from", "to", "by", "values"].contains { hasReference(source.value($0, of: tag) ?? "") }
        if leadsOut { remove(attribute: attribute, "animation") }
    }

    /// Whether a value of CSS refers to something that is not in the page.
    private func hasReference(_ value: String) -> Bool {
        guard value.utf8.contains(UInt8(ascii: "(")) else { return false }
        return StyleSheetLinks.places(in: "a{b:\(value)}", base: source.baseURL)
            .contains { !$0.reference.hasPrefix("#") }
    }

    // MARK: - Links and metadata

    /// Whether a link only preloads, or connects to, what the copy has already.
    private func isAhead(_ tag: SourceTag) -> Bool {
        let words = source.value("rel", of: tag)?.asciiLowercasedWords ?? []
        if words.contains("stylesheet") { return false }
        return words.contains { word in
            [
                "preload", "prefetch", "prerender", "modulepreload", "preconnect", "dns-prefetch",
                "compression-dictionary",
            ]
            .contains(word)
        }
    }

    /// Visits a `meta` element; returns whether it was removed.
    private mutating func visitMeta(_ index: Int, _ tag: SourceTag) -> Bool {
        if let attribute = source.attribute("charset", of: tag) {
            declare(attribute, as: "utf-8")
            return false
        }
        switch source.value("http-equiv", of: tag)?.asciiLowercasedWords.first {
        case "content-security-policy":
            if tag.hasElement, !tag.isInert, tag.parent == .head, let text = source.value("content", of: tag)
            {
                policies.add(text, after: index)
            }
            fallthrough
        case "content-security-policy-report-only":
            count("csp")
            drop(index)
            return true
        case "content-type":
            if let attribute = source.attribute("content", of: tag) {
                declare(attribute, as: "text/html; charset=utf-8")
            }
        case "x-dns-prefetch-control":
            count("preload")
            drop(index)
            return true
        default: break
        }
        return false
    }

    private mutating func declare(_ attribute: Int, as value: String) {
        let written = source.value(of: source.attributes[attribute])
        if written.asciiLowercasedWords.joined().hasSuffix(value.split(separator: "=").last ?? "") { return }
        values.append((attribute, value))
        count("charset")
    }
}

extension PageSource {
    /// Whether a handler turns a preloading link into a style sheet: `onload="this.rel='stylesheet'"`.
    func becomesStyleSheet(_ tag: SourceTag) -> Bool {
        let words = value("rel", of: tag)?.asciiLowercasedWords ?? []
        return tag.vocabulary == .html && tag.localName == "link" && words.contains("preload")
            && value("as", of: tag)?.asciiLowercase == "style"
            && value("onload", of: tag)?.asciiLowercase.contains("stylesheet") == true
    }
}

extension String {
    var asciiLowercase: String { String(asciiLowercasing: utf8) }

    /// The words that white space separates, in lower case.
    var asciiLowercasedWords: [String] {
        utf8.split(whereSeparator: \.isASCIIWhitespace).map { String(asciiLowercasing: $0) }
    }
}
