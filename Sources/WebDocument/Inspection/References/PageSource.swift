/// The source of a page with the places of its tags, of their attributes, and of the references of the page.
///
/// It is made of the same walk as ``ParsedPage/links``, of a tree the tags of which were noted while it was parsed: the page's own where
/// ``ParsingSettings/notesTags`` asked for that, or else one that is made for it. Complexity: O(n log n) in the size of the source, a `srcdoc` being an attribute like others.
package struct PageSource: Sendable {
    /// The source in UTF-8, without a byte order mark.
    package private(set) var bytes: [UInt8]

    /// Whether it is read as XML.
    package let isXML: Bool

    /// Every tag that the parser saw, in their order.
    package internal(set) var tags: [SourceTag] = []

    /// The attributes of all start tags, in their order.
    package internal(set) var attributes: [SourceAttribute] = []

    /// The references, in document order.
    package internal(set) var references: [PlacedReference] = []

    /// Whether some references are missing, since a page was made to exhaust memory or time.
    package internal(set) var isTruncated = false

    /// Where markup for the head of a page of XHTML is put, and whether its head is there; nil for other pages.
    package let xhtmlHead: (index: Int, isInHead: Bool)?

    /// The first tag of SVG or MathML in a page of HTML; nil without one.
    private let firstForeign: Int?

    /// Where the doctype that counts ends; nil without one.
    private let doctypeEnd: Int?

    /// The first tags of the elements that a page has one of, by their numbers.
    private let roots: [String: Int]

    /// How many `srcdoc`s are sources, each in the one before it.
    package static let maximumFrameDepth = LinkCollector.maximumFrameDepth

    /// The URL that references are relative to.
    package let baseURL: WebURL

    /// The first `base` with a URL, by its tag, and what resolves what is loaded in front of it; nil where nothing is.
    private let early: (base: Int, resolver: ReferenceResolver)?

    /// The URL of the page itself.
    package let documentURL: WebURL

    /// The encoding of queries.
    package let encoding: TextEncoding

    /// The source of a page.
    ///
    /// - Parameter page: A page of HTML or XML.
    /// - Throws: ``ParsingError``, if there is not enough memory, or the page is neither.
    package init(_ page: ParsedPage) throws(ParsingError) {
        guard let encoding = page.encoding, let document = page.document else {
            throw ParsingError(
                .unsupportedType,
                "\(page.mediaType.essence) has no references that could be placed"
            )
        }
        let parsing = page.facts.settings.parsing
        var tree = document
        let found: SourceTags
        var isCut = false
        if page.kind == .html, let noted = document.sourceTags {
            found = noted
        } else if page.kind == .html {
            let text = DecodedText(page.response.body, encoding)
            (tree, found) = try Self.parsed(unsafe text.withUTF8 { unsafe Array($0) }, parsing)
        } else {
            var written = XMLSourceWriter(document)
            isCut = written.isTruncated
            if written.hasEntities {
                tree = try Self.document(written.bytes, like: page)
                written = XMLSourceWriter(tree)
            }
            found = try SourceTags(xml: written, maximumAttributes: parsing.limits.maximumAttributes)
        }
        self.init(
            tree,
            found,
            documentURL: page.facts.fallbackBaseURL,
            frameBase: nil,
            encoding: encoding.encoding,
            parsing
        )
        isTruncated = isTruncated || isCut
    }

    /// The tree of a page of HTML, with its tags.
    private static func parsed(
        _ bytes: [UInt8],
        _ parsing: ParsingSettings
    ) throws(ParsingError) -> (Document, SourceTags) {
        var settings = parsing
        settings.notesTags = true
        let parser = StandardHTMLParser(settings: settings)
        let parsed = try unsafe bytes.withUnsafeBufferPointer { (utf8) throws(ParsingError) in
            try unsafe parser.parse(utf8)
        }
        guard let found = parsed.document.sourceTags else { throw ParsingError.outOfMemory }
        return (parsed.document, found)
    }

    /// The tree of another text of a page of XML.
    private static func document(_ bytes: [UInt8], like page: ParsedPage) throws(ParsingError) -> Document {
        var response = page.response
        response.body = bytes
        var settings = page.facts.settings
        settings.overrides.textEncodingName = "utf-8"
        guard let document = try ParsedPage(response, settings).document else {
            throw ParsingError(.unsupportedType, "\(page.mediaType.essence) is no markup")
        }
        return document
    }

    /// The source of a `srcdoc`.
    ///
    /// - Parameters:
    ///   - markup: The value of the attribute.
    ///   - base: The base URL of the page that it is in.
    ///   - parsing: How it is parsed.
    /// - Throws: ``ParsingError``, if there is not enough memory.
    package init(frame markup: [UInt8], base: WebURL, _ parsing: ParsingSettings) throws(ParsingError) {
        let (tree, found) = try Self.parsed(markup, parsing)
        self.init(
            tree,
            found,
            documentURL: .aboutSrcdoc,
            frameBase: base,
            encoding: .utf8,
            parsing
        )
    }

    private init(
        _ document: Document,
        _ found: consuming SourceTags,
        documentURL: WebURL,
        frameBase: WebURL?,
        encoding: TextEncoding,
        _ parsing: ParsingSettings
    ) {
        self.documentURL = documentURL
        self.encoding = encoding
        isXML = found.isXML
        var found = found
        let fallback = frameBase ?? documentURL
        baseURL = document.baseURL(fallback: fallback, encoding: encoding) ?? fallback
        let budget = InspectionBudget(
            units: InspectionBudget.units(ofOneInspection: found.bytes.count),
            seconds: parsing.limits.maximumSeconds
        )
        var collector = LinkCollector(
            documentURL: documentURL,
            base: baseURL,
            encoding: encoding,
            budget,
            limits: parsing.limits,
            notesPlaces: true
        )
        collector.collect(document)
        references = found.place(collector.links, collector.places ?? [])
        if fallback != baseURL, let base = Self.base(in: found) {
            early = (base, ReferenceResolver(base: fallback, encoding: encoding))
        } else {
            early = nil
        }
        self.bytes = found.bytes
        tags = found.tags
        attributes = found.attributes
        xhtmlHead = found.headPlace.map { ($0.index, $0.isInHead) }
        firstForeign =
            found.isXML
            ? nil
            : found.tags.firstIndex { !$0.isEnd && ($0.vocabulary == .svg || $0.vocabulary == .mathML) }
        doctypeEnd = found.doctypeEnd
        roots = Self.roots(of: found)
        isTruncated = budget.isTruncated || found.isTruncated
    }
}

extension PageSource {
    /// The URL that browsers load for a reference, which is another one than ``Link/url`` in front of the page's `base`: they do not know
    /// that yet; nil for what is no URL.
    package func loadedURL(of reference: PlacedReference) -> WebURL? {
        let link = reference.link
        guard let early, let place = reference.place, place.tag < early.base, link.kind.isLoadedAtOnce,
            let url = try? early.resolver.resolve(link.reference)
        else { return link.url }
        return url
    }

    /// The value of an attribute, with character references replaced.
    package func value(of attribute: SourceAttribute) -> String {
        String(decoding: attribute.decoded?.bytes[...] ?? bytes[attribute.value], as: UTF8.self)
    }

    /// The number of an attribute of a tag among ``attributes``; nil if it does not have it.
    ///
    /// - Parameters:
    ///   - name: In lower case in HTML, as "xlink:href".
    ///   - tag: The tag.
    /// - Returns: The number.
    package func attribute(_ name: String, of tag: SourceTag) -> Int? {
        tag.attributes.first { !attributes[$0].isDuplicate && attributes[$0].name == name }
    }

    /// The value of an attribute of a tag; nil if it does not have it.
    package func value(_ name: String, of tag: SourceTag) -> String? {
        attribute(name, of: tag).map { value(of: attributes[$0]) }
    }

    /// Whether a tag of an element that has nothing in it may end SVG or MathML around it: of these, `meta` does.
    ///
    /// [Parsing tokens in foreign content](https://html.spec.whatwg.org/multipage/parsing.html#parsing-main-inforeign)
    package func mayEndForeign(_ tag: Int) -> Bool {
        guard let firstForeign, firstForeign < tag else { return false }
        return tags[tag].name == "meta"
    }

    /// The text between a start tag and the next tag.
    package func textRange(after tag: Int) -> Range<Int> {
        let start = tags[tag].range.upperBound
        let end = tag + 1 < tags.count ? tags[tag + 1].range.lowerBound : bytes.count
        return start..<max(start, end)
    }

    /// Where markup for the head is put: after the tag of the head, or what stands for it.
    package var headStart: Int {
        if let tag = rootTag("head") ?? rootTag("html") { return tag.range.upperBound }
        return doctypeEnd ?? 0
    }

    /// Where markup for the body is put: after its tag; nil where it has none.
    package var bodyStart: Int? { rootTag("body")?.range.upperBound }

    /// Whether it has frames in place of a body.
    package var hasFrameset: Bool { rootTag("frameset") != nil }

    /// The tag of the page's `html`, `head` or `body`.
    private func rootTag(_ name: String) -> SourceTag? { roots[name].map { tags[$0] } }

    /// The first `base` with a URL: what is in front of it is loaded without.
    private static func base(in found: SourceTags) -> Int? {
        found.tags.firstIndex { tag in
            tag.name == "base" && tag.vocabulary == .html && !tag.isEnd && tag.hasElement
                && tag.attributes.contains { found.attributes[$0].name == "href" }
        }
    }

    private static func roots(of found: SourceTags) -> [String: Int] {
        var roots: [String: Int] = [:]
        for index in found.tags.indices where found.tags[index].isRoot {
            let name = found.tags[index].name
            if roots[name] == nil { roots[name] = index }
        }
        return roots
    }

    /// Where a `style` or a `script` ends; nil for one that does not end.
    package func endOfElement(_ tag: Int) -> Int? {
        guard !tags[tag].isEmptyElement else { return nil }
        if let last = tags[tag].endTag { return tags[last].range.upperBound }
        return tags[tag].vocabulary == .html && tag + 1 == tags.count ? bytes.count : nil
    }

    /// All of an element that has nothing in it: in XML with its end tag, and whatever it has in it all the same.
    package func rangeOfEmpty(_ tag: Int) -> Range<Int> {
        let range = tags[tag].range
        guard isXML, let last = tags[tag].endTag else { return range }
        return range.lowerBound..<tags[last].range.upperBound
    }
}
