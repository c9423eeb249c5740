import WebDocument
import WebStandards

/// Collects the changes of a source.
struct PageWriter {
    let source: PageSource
    private let plan: RewritingPlan
    private var edits = SourceEdits()
    var changed: [String: Int]
    /// The parts of attributes that are replaced, by the number of the attribute, in the decoded value.
    private var pieces: [Int: [(range: Range<Int>, text: [UInt8])]] = [:]
    private var removed: Set<Int>
    /// The candidates of a `srcset`, by the number of the attribute.
    private var candidates: [Int: [String]] = [:]
    /// The links that stand for refreshes.
    private var lateMarkup = ""
    /// Where they are put; nil where each stands where its refresh stood.
    private let bodyStart: Int?
    /// Whether links are shown at all.
    private let showsLinks: Bool

    init(_ source: PageSource, _ plan: RewritingPlan) {
        self.source = source
        self.plan = plan
        changed = plan.changed
        removed = plan.removedAttributes
        bodyStart = source.bodyStart
        showsLinks = !source.isXML && !source.hasFrameset
        for (range, text) in plan.removedRanges { cut(range, leaving: text) }
        for (attribute, value) in plan.values { set(attribute, Array(value.utf8)) }
    }

    /// Gives an attribute another value.
    mutating func set(_ attribute: Int, _ value: [UInt8]) {
        let written = source.attributes[attribute]
        let count = written.decoded?.bytes.count ?? written.value.count
        pieces[attribute] = [(0..<count, value)]
    }

    /// Gives a part of an attribute's value another text.
    mutating func append(_ attribute: Int, _ range: Range<Int>, _ text: [UInt8]) {
        pieces[attribute, default: []].append((range, text))
    }

    /// Takes a part of the source out, and leaves a text in its place.
    ///
    /// A `<` before it is text, and must not become a tag with what is after it.
    mutating func cut(_ range: Range<Int>, leaving text: String = "") {
        let isAfterSign = range.lowerBound > 0 && source.bytes[range.lowerBound - 1] == UInt8(ascii: "<")
        edits.replace(range, with: ((isAfterSign ? "<!---->" : "") + text).utf8)
    }

    // MARK: - References

    mutating func replace(_ target: PageRewriter.Target, _ decision: Replacement) {
        let place = target.place
        let reference = target.reference
        if place.syntax == .style {
            guard let (range, text) = StyleWriting.edit(place.range, place.value, reference, decision) else {
                return
            }
            if let attribute = place.attribute {
                append(attribute, range, text)
            } else {
                let start = source.tags[place.tag].range.upperBound
                let written =
                    source.tags[place.tag].decodedText?.source(of: range)
                    ?? start + range.lowerBound..<start + range.upperBound
                edits.replace(written, with: text)
            }
            return
        }
        guard let attribute = place.attribute else { return replaceText(target, decision) }
        switch decision {
        case .keep: if place.syntax == .imageCandidate { write(written(target, attribute), target) }
        case .absolute:
            if place.syntax == .refresh { return replaceRefresh(target, attribute) }
            write(reference.address, target)
        case .url(let url): write(url, target)
        case .marked(let url, let name, let value):
            write(url, target)
            add(name, value, place.tag)
        case .value: return
        case .missing:
            write(nothing(reference), target)
            if reference.element == "object" { add("type", NothingToLoad.objectType, place.tag) }
        case .remove:
            if reference.element == "link" || place.syntax == .refresh {
                drop(place.tag)
            } else {
                remove(attribute)
            }
        case .frame(let markup):
            remove(attribute)
            add("srcdoc", markup, place.tag)
        case .symbol(let markup, let id):
            edits.insert(markup, at: source.tags[place.tag].range.lowerBound)
            write("#" + id, target)
        }
    }

    /// A reference as it is written.
    private func written(_ target: PageRewriter.Target, _ attribute: Int) -> String {
        let value = source.value(of: source.attributes[attribute]).utf8
        return String(
            decoding: value.dropFirst(target.place.range.lowerBound).prefix(target.place.range.count),
            as: UTF8.self
        )
    }

    private func nothing(_ reference: CopyReference) -> String {
        if reference.isSymbol { return "#" }
        return reference.kind == .frame ? "about:blank" : NothingToLoad.url(for: reference.kind)
    }

    private mutating func write(_ url: String, _ target: PageRewriter.Target) {
        guard let attribute = target.place.attribute else { return }
        switch target.place.syntax {
        case .imageCandidate: candidates[attribute, default: []].append(candidate(url, target.descriptor))
        case .refresh:
            let written = source.value(of: source.attributes[attribute])
            let time = written.utf8.drop(while: \.isASCIIWhitespace).prefix {
                $0.isASCIIDigit || $0 == UInt8(ascii: ".")
            }
            set(attribute, Array("\(String(decoding: time, as: UTF8.self)); url=\(url)".utf8))
        default: append(attribute, target.place.range, Array(url.utf8))
        }
    }

    /// A candidate of a `srcset`, whose URL may neither contain white space nor begin or end with a comma.
    private func candidate(_ url: String, _ descriptor: ImageDescriptor?) -> String {
        var text = url.split(separator: " ", omittingEmptySubsequences: false).joined(separator: "%20")
        if text.hasSuffix(",") { text = text.dropLast() + "%2C" }
        if text.hasPrefix(",") { text = "%2C" + text.dropFirst() }
        if let width = descriptor?.width { text += " \(width)w" }
        if let height = descriptor?.height { text += " \(height)h" }
        if let density = descriptor?.density {
            let whole = Int(bounded: density)
            text += Double(whole) == density ? " \(whole)x" : " \(density)x"
        }
        return text
    }

    /// Replaces the text of an element, as feeds have it.
    private mutating func replaceText(_ target: PageRewriter.Target, _ decision: Replacement) {
        let text: String
        switch decision {
        case .absolute: text = target.reference.address
        case .url(let url): text = url
        default: return
        }
        edits.replace(source.textRange(after: target.place.tag), with: Escaping.attribute(text.utf8))
    }

    // MARK: - Selectors

    /// Writes the selectors of its style sheets, and keeps the values of the attributes that these or others ask for.
    mutating func write(_ selectors: SelectorWriting, tested: Set<String>) {
        guard selectors.keepsValues || selectors.sparesSymbols else { return }
        var tested = tested
        for (index, tag) in source.tags.enumerated() where isStyleSheet(tag) && !plan.removed.contains(index)
        {
            let range = source.textRange(after: index)
            let text = tag.decodedText?.bytes ?? Array(source.bytes[range])
            let found = StyleSelectors(text)
            tested.formUnion(selectors.tested(by: found))
            for (place, written) in selectors.edits(of: found, in: text.count) {
                let start = range.lowerBound
                let place =
                    tag.decodedText?.source(of: place)
                    ?? start + place.lowerBound..<start + place.upperBound
                edits.replace(place, with: written.utf8)
            }
        }
        guard !tested.isEmpty else { return }
        var room = SelectorWriting.room(in: source.bytes.count)
        for (index, tag) in source.tags.enumerated()
        where tag.hasElement && !tag.isEnd && !plan.removed.contains(index) {
            keepValues(tested, index, &room)
        }
    }

    private func isStyleSheet(_ tag: SourceTag) -> Bool {
        tag.localName == "style" && tag.hasElement && !tag.isEnd
            && (tag.vocabulary == .html || tag.vocabulary == .svg)
    }

    /// Gives an element the values of the attributes that selectors ask for once more, as long as there is room for them.
    private mutating func keepValues(_ tested: Set<String>, _ tag: Int, _ room: inout Int) {
        var values: [String: Int] = [:]
        var own: [String: Int] = [:]
        for number in source.tags[tag].attributes where !source.attributes[number].isDuplicate {
            let name = source.attributes[number].name
            if name.hasPrefix(SelectorWriting.prefix) { own[name] = number }
            for suffix in SelectorWriting.suffixes(of: name) where tested.contains(suffix) {
                if values[suffix] == nil || name == "href" { values[suffix] = number }
            }
        }
        var markup = ""
        for (suffix, number) in values.sorted(by: { $0.key < $1.key }) {
            let name = SelectorWriting.prefix + suffix
            let value = Array(source.value(of: source.attributes[number]).utf8)
            if let own = own[name] {
                set(own, value)
            } else {
                markup += " \(name)=\"\(String(decoding: Escaping.attribute(value), as: UTF8.self))\""
            }
        }
        room -= markup.utf8.count
        if !markup.isEmpty, room >= 0 { insert(markup, at: nameEnd(of: source.tags[tag])) }
    }

    // MARK: - Refreshes

    /// Takes a refresh out, which would lead away from the copy, and puts a link in place of one before which nothing was seen
    /// of the page.
    private mutating func replaceRefresh(_ target: PageRewriter.Target, _ attribute: Int) {
        changed["refresh", default: 0] += 1
        let url = String(decoding: Escaping.attribute(target.reference.address.utf8), as: UTF8.self)
        let link = "<p><a href=\"\(url)\">\(url)</a></p>"
        let isShown = showsLinks && isAtOnce(attribute) && !source.tags[target.place.tag].isInert
        if isShown, bodyStart != nil { lateMarkup += link }
        // Without a tag of the body it begins here: a place that is inside no other markup.
        drop(target.place.tag, leaving: isShown && bodyStart == nil ? link : "")
    }

    /// Takes an element out that has nothing in it, or only its attributes where it may end SVG or MathML.
    private mutating func drop(_ tag: Int, leaving text: String = "") {
        guard source.mayEndForeign(tag) else { return cut(source.rangeOfEmpty(tag), leaving: text) }
        for attribute in source.tags[tag].attributes { remove(attribute) }
        if !text.isEmpty { insert(text, at: source.tags[tag].range.upperBound) }
    }

    private func isAtOnce(_ attribute: Int) -> Bool {
        let time = source.value(of: source.attributes[attribute]).utf8.drop(while: \.isASCIIWhitespace)
        return time.prefix { $0.isASCIIDigit }.allSatisfy { $0 == UInt8(ascii: "0") }
    }

    // MARK: - Attributes

    mutating func remove(_ attribute: Int) { removed.insert(attribute) }

    /// Gives an element an attribute, in place of its own one.
    mutating func add(_ name: String, _ value: String, _ tag: Int) {
        let tag = source.tags[tag]
        if let own = source.attribute(name, of: tag) {
            removed.remove(own)
            return set(own, Array(value.utf8))
        }
        let text = String(decoding: Escaping.attribute(value.utf8), as: UTF8.self)
        edits.insert(" \(name)=\"\(text)\"", at: nameEnd(of: tag))
    }

    /// Where the name of a start tag ends, which may have other bytes than are written.
    private func nameEnd(of tag: SourceTag) -> Int {
        source.bytes.dropFirst(tag.range.lowerBound + 1).prefix { byte in
            !byte.isASCIIWhitespace && byte != UInt8(ascii: "/") && byte != UInt8(ascii: ">")
        }.endIndex
    }

    /// Puts markup between what is written.
    mutating func insert(_ markup: String, at index: Int) { edits.insert(markup, at: index) }

    private mutating func finishAttributes() {
        for (attribute, texts) in candidates { set(attribute, Array(texts.joined(separator: ", ").utf8)) }
        // Another of the same name, which did not count, would.
        for (index, attribute) in source.attributes.enumerated() {
            if let first = attribute.first, removed.contains(first) { removed.insert(index) }
        }
        for index in removed { takeOut(source.attributes[index].range) }
        for (index, pieces) in pieces where !removed.contains(index) { write(index, pieces) }
    }

    /// Takes an attribute out with the white space before it.
    private mutating func takeOut(_ attribute: Range<Int>) {
        let bytes = source.bytes
        var next = attribute.upperBound
        while next < bytes.count, bytes[next].isASCIIWhitespace { next += 1 }
        if next < bytes.count, bytes[next] == UInt8(ascii: "=") {
            // The name of the next one begins with the sign; after the one before, it would begin that one's value.
            return edits.replace(attribute, with: "_".utf8)
        }
        var start = attribute.lowerBound
        if next > attribute.upperBound || next == bytes.count || bytes[next] == UInt8(ascii: ">") {
            while start > 0, bytes[start - 1].isASCIIWhitespace { start -= 1 }
        }
        edits.replace(start..<attribute.upperBound, with: [])
    }

    /// Writes an attribute some parts of which are replaced.
    private mutating func write(_ index: Int, _ pieces: [(range: Range<Int>, text: [UInt8])]) {
        let attribute = source.attributes[index]
        var value: [UInt8] = []
        var position = attribute.value.lowerBound
        func keep(_ range: Range<Int>) {
            if attribute.quote != nil {
                value += source.bytes[range]
            } else {
                for byte in source.bytes[range] {
                    if byte == UInt8(ascii: "\"") { value += "&quot;".utf8 } else { value.append(byte) }
                }
            }
        }
        for piece in pieces.sorted(by: { $0.range.lowerBound < $1.range.lowerBound }) {
            let start = attribute.value.lowerBound
            let range =
                attribute.decoded?.source(of: piece.range)
                ?? start + piece.range.lowerBound..<start + piece.range.upperBound
            guard range.lowerBound >= position else { continue }
            keep(position..<range.lowerBound)
            value += Escaping.attribute(piece.text)
            position = range.upperBound
        }
        keep(position..<max(position, attribute.value.upperBound))
        if attribute.quote != nil {
            edits.replace(attribute.value, with: value)
        } else {
            let quoted = [UInt8(ascii: "\"")] + value + [UInt8(ascii: "\"")]
            let hasEqualsSign = attribute.value.lowerBound > attribute.nameEnd
            edits.replace(attribute.value, with: (hasEqualsSign ? [] : [UInt8(ascii: "=")]) + quoted)
        }
    }

    // MARK: - The whole

    mutating func finish(head: String, isFrame: Bool) -> Rewritten {
        finishAttributes()
        if !source.isXML {
            let markup = (isFrame ? "" : "<meta charset=\"utf-8\">") + head
            if !markup.isEmpty { edits.insert(markup, at: source.headStart) }
            if !lateMarkup.isEmpty, let start = bodyStart { edits.insert(lateMarkup, at: start) }
        } else if let place = source.xhtmlHead, !head.isEmpty {
            let markup = place.isInHead ? head : "<head xmlns=\"http://www.w3.org/1999/xhtml\">\(head)</head>"
            edits.insert(markup, at: place.index)
        }
        return Rewritten(bytes: edits.applied(to: source.bytes), changed: changed)
    }
}
