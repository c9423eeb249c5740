package import WebDocument
import WebStandards

/// A rewriter that replaces the references of a page, and removes everything that would prevent a copy from being shown
/// by itself.
///
/// Unchanged HTML stays as it is written, byte for byte of the decoded text; XML is written from its tree. The output
/// is UTF-8 and declares it. Frames in `srcdoc` are part of the page; a page in a frame with a URL is a separate one.
///
///     let rewriter = try PageRewriter(page)
///     let copy = rewriter.rewritten { $0.isRequisite ? .url(names[$0.resource.href]) : .absolute }
package struct PageRewriter: Sendable {
    package struct Options: Sendable {
        /// Whether scripts and what belongs to them stay.
        package var keepsScripts = false

        /// The maximum number of pixels of an image for one of the page where a `srcset` offers several images.
        package var maximumDensity = 2.0

        /// Whether all candidates of a `srcset` up to the maximum density stay, rather than one of them: in a folder,
        /// where each is a file of its own.
        package var keepsCandidates = false

        /// Whether images that a script would load later are put where browsers look for them.
        package var showsLazyImages = false

        /// The values of the fields Content-Security-Policy of the response.
        package var policies: [String] = []

        package init() {}
    }

    /// All references of the page and of the frames in it, except for those whose replacement is fixed.
    package private(set) var references: [CopyReference] = []

    /// Whether some references are missing because the page was made to exhaust memory or time.
    package private(set) var isTruncated = false

    let source: PageSource
    let options: Options
    /// The removals and changes that do not depend on decisions.
    var plan: RewritingPlan
    /// The references of this source, in the order of ``references``.
    private(set) var targets: [Target] = []
    /// The frames: the attribute with their markup, and their rewriter.
    private(set) var frames: [(attribute: Int, rewriter: PageRewriter)] = []

    /// A reference of the source itself.
    struct Target: Sendable {
        let place: PlacedReference.Place
        let reference: CopyReference
        let descriptor: ImageDescriptor?
        /// The replacement; `nil` if it has to be decided.
        var fixed: Replacement?
    }

    /// Finds the references of a page.
    ///
    /// - Parameters:
    ///   - page: A page of HTML or XML.
    ///   - options: The options of rewriting.
    /// - Throws: ``/WebDocument/ParsingError`` for other pages, and if there is not enough memory.
    package init(_ page: ParsedPage, options: Options = Options()) throws(ParsingError) {
        let policies = ContentPolicies(fields: options.policies, page: page.response.url)
        var source = try PageSource(page)
        var lazyImages = 0
        if options.showsLazyImages, let shown = try LazyImages.shown(page, source) {
            source = try PageSource(shown.page)
            lazyImages = shown.count
        }
        try self.init(source, options, policies, page.facts.settings.parsing, depth: 0)
        plan.count("lazy", lazyImages)
    }

    private init(
        _ source: PageSource,
        _ options: Options,
        _ policies: ContentPolicies,
        _ parsing: ParsingSettings,
        depth: Int
    ) throws(ParsingError) {
        self.source = source
        self.options = options
        isTruncated = source.isTruncated
        plan = RewritingPlan(source, options, policies)
        let choice = ImageChoice(
            source,
            maximumDensity: options.maximumDensity,
            keepsAll: options.keepsCandidates
        )
        plan.apply(choice)
        var facts: TagFacts?
        for (index, placed) in source.references.enumerated() {
            guard let place = placed.place, !plan.removed.contains(place.tag), !choice.dropped.contains(index)
            else { continue }
            if let attribute = place.attribute, plan.removedAttributes.contains(attribute) { continue }
            var own = facts.flatMap { $0.tag == place.tag ? $0 : nil } ?? TagFacts(source, place.tag)
            let target = target(placed, place, &own, depth)
            facts = own
            guard let target else { continue }
            targets.append(target)
            if target.fixed == nil { references.append(target.reference) }
        }
        for (index, tag) in source.tags.enumerated() where !tag.isEnd && tag.vocabulary == .html {
            guard tag.localName == "iframe", !plan.removed.contains(index),
                let attribute = source.attribute("srcdoc", of: tag),
                !plan.removedAttributes.contains(attribute)
            else { continue }
            // Deeper frames have no list of their references.
            guard depth < PageSource.maximumFrameDepth else {
                plan.remove(attribute: attribute, "srcdoc")
                continue
            }
            let written = source.attributes[attribute]
            let markup = written.decoded?.bytes ?? Array(source.bytes[written.value])
            let inner = try PageSource(frame: markup, base: source.baseURL, parsing)
            let rewriter = try PageRewriter(inner, options, plan.policies.forFrame, parsing, depth: depth + 1)
            isTruncated = isTruncated || rewriter.isTruncated
            references += rewriter.references
            frames.append((attribute, rewriter))
        }
    }

    /// Whether the copy is XML: a page of XHTML or SVG, that a browser has to take for it.
    package var isXML: Bool { source.isXML }

    /// The references that a browser loads to draw the page.
    package var requisites: [CopyReference] { references.filter(\.isRequisite) }

    /// The images that the page and its frames refer to, including those that the copy replaces by another one.
    var images: [Link] {
        source.references.map(\.link).filter { $0.kind == .image } + frames.flatMap(\.rewriter.images)
    }

    // MARK: - References

    /// Returns the target of a reference that may be replaced; `nil` for one that stays as it is.
    private func target(
        _ placed: PlacedReference,
        _ place: PlacedReference.Place,
        _ facts: inout TagFacts,
        _ depth: Int
    ) -> Target? {
        let link = placed.link
        let tag = source.tags[place.tag]
        guard let url = source.loadedURL(of: placed), link.kind != .map, link.kind != .lazy,
            link.kind != .ping
        else {
            return nil
        }
        let isLocal = link.reference.drop { $0.isWhitespace }.hasPrefix("#")
        if isLocal, place.syntax == .style || tag.vocabulary != .html { return nil }
        let isLate = link.kind == .preload && options.keepsScripts && source.becomesStyleSheet(tag)
        let kind = isLate ? .stylesheet : link.kind
        var reference = CopyReference(url: url, kind: kind, isRequisite: kind.isRequisite)
        reference.element = link.element
        reference.attribute = link.attribute
        reference.isStyle = place.syntax == .style
        if reference.isStyle { reference.needsCORS = facts.needsCORS(place, source) }
        reference.hasCredentialsOfPage = url.hasCredentials(of: source.baseURL)
        reference.rel = link.rel
        reference.frameDepth = depth
        reference.isInPageScope = depth == 0 && !tag.isInShadowRoot
        reference.isScaled = link.descriptor.map { $0.width != nil || ($0.density ?? 1) != 1 } ?? false
        if reference.isStyle {
            reference.type = place.type
            reference.isOptional = !ShownTypes.contain(place.type)
        } else {
            reference.type = facts.type
            reference.sandbox = facts.sandbox
            reference.isOptional = isOptional(link, tag, facts)
        }
        reference.isForbidden =
            reference.isRequisite
            && !plan.policies.allows(
                url,
                for: kind,
                nonce: facts.nonce,
                at: place.tag
            )
        var target = Target(place: place, reference: reference, descriptor: link.descriptor)
        target.fixed =
            place.isUncertain ? .missing : fixed(link, reference, isLocal: isLocal, tag, facts)
        return target
    }

    private func isOptional(_ link: Link, _ tag: SourceTag, _ facts: TagFacts) -> Bool {
        switch link.kind {
        case .manifest: return true
        case .stylesheet:
            let type = facts.type ?? ""
            return link.rel.contains("alternate") || facts.isDisabled
                || !(type.isEmpty || MediaType(type)?.essence == "text/css")
        case .image where tag.localName == "source": return !ShownTypes.contain(facts.type)
        default: return false
        }
    }

    /// Returns the replacement of a reference that needs no decision; `nil` if it has to be decided.
    private func fixed(
        _ link: Link,
        _ reference: CopyReference,
        isLocal: Bool,
        _ tag: SourceTag,
        _ facts: TagFacts
    ) -> Replacement? {
        let url = reference.url
        if url.scheme == "javascript" {
            if options.keepsScripts { return .keep }
            if link.kind == .refresh { return .remove }
            return reference.isRequisite ? .missing : .url("#")
        }
        // A refresh loads even the content of a `data:` URL, which was not checked.
        let leads = ["http", "https", "file", "about"].contains(url.scheme)
        if link.kind == .refresh, !leads, !options.keepsScripts { return .remove }
        if reference.isRequisite {
            // Of a frame with both, "srcdoc" wins.
            if link.kind == .frame, link.element == "iframe", facts.hasMarkup { return .remove }
            if tag.isInert { return reference.canBeLoaded && url.scheme != "file" ? .absolute : .keep }
            return reference.canBeLoaded ? nil : url.hasContents(as: link.kind) ? .keep : .missing
        }
        // A fragment of the page itself is one of its copy.
        if !url.hash.isEmpty, url.withoutFragment == source.documentURL.withoutFragment {
            return .url(url.hash)
        }
        if isLocal, source.documentURL.scheme == "about" { return .keep }
        // The path of a file on this machine is not disclosed to readers of the copy.
        if url.scheme == "file" { return link.kind == .refresh ? .remove : .keep }
        return nil
    }
}

extension Link.Kind {
    /// Whether a browser loads it to draw a page.
    package var isRequisite: Bool {
        switch self {
        case .stylesheet, .script, .image, .font, .media, .frame, .object, .icon, .manifest: true
        default: false
        }
    }
}
