/// The kinds of HTML elements that finding and writing a page's main content distinguishes.
enum ContentElement: UInt8 {
    /// A text node.
    case text
    /// Any element that is not named here, including custom ones and those of other vocabularies.
    case other
    case a, address, article, aside, audio, b, blockquote, body, br, button, caption, code, col, colgroup, dd,
        del
    case details, dialog, div, dl, dt, em, embed, fieldset, figcaption, figure, footer, form, h1, h2, h3, h4,
        h5, h6
    case header, hr, i, iframe, img, input, ins, kbd, li, link, main, nav, object, ol, optgroup, option, p,
        picture
    case pre, q, s, samp, section, select, strong, sub, summary, sup, svg, table, tbody, td, textarea, tfoot,
        th,
        thead
    case tr, tt, ul, video
    /// An inline element without any other meaning here: `span`, `time`, `cite` and their like.
    case inline
    /// A block without any other meaning here: `hgroup`, `search`, `center` and their like.
    case block
    /// An element that is never visible: scripts, styles, templates, metadata.
    case hidden

    /// The properties of an element that do not depend on its contents.
    struct Traits: OptionSet {
        let rawValue: UInt16

        /// Is in one line with the content around it.
        static let inline = Self(rawValue: 1)
        /// Is in one line with the content around it if all its contents are.
        static let inlineByContent = Self(rawValue: 2)
        /// Begins a line and ends one.
        static let block = Self(rawValue: 4)
        /// Is separated from the content around it, as a paragraph is.
        static let paragraph = Self(rawValue: 8)
        /// Usually holds text of its own.
        static let holdsText = Self(rawValue: 16)
        /// Makes the `div` around it a container rather than a paragraph.
        static let breaksDivision = Self(rawValue: 32)
        static let heading = Self(rawValue: 64)
        static let list = Self(rawValue: 128)
        /// Shows something other than text, or does not show its contents.
        static let opaque = Self(rawValue: 256)
        /// Is removed where its contents do not look like text.
        static let suspect = Self(rawValue: 512)
        /// Is not part of an article, whatever its contents are.
        static let foreign = Self(rawValue: 1024)
    }

    /// The traits of the element.
    @inline(__always)
    var traits: Traits { Self.traits[Int(rawValue)] }

    private static let traits: [Traits] = {
        var traits = [Traits](repeating: [], count: Int(ContentElement.hidden.rawValue) + 1)
        func set(_ added: Traits, _ elements: ContentElement...) {
            for element in elements { traits[Int(element.rawValue)].formUnion(added) }
        }
        set(
            .inline,
            .text,
            .audio,
            .b,
            .br,
            .button,
            .code,
            .em,
            .embed,
            .i,
            .img,
            .input,
            .kbd,
            .object,
            .q,
            .s,
            .samp,
            .select,
            .strong,
            .sub,
            .sup,
            .textarea,
            .tt,
            .inline
        )
        set(.inlineByContent, .a, .del, .ins)
        set(
            .block,
            .address,
            .article,
            .aside,
            .blockquote,
            .body,
            .caption,
            .dd,
            .details,
            .dialog,
            .div,
            .dl,
            .dt,
            .fieldset,
            .figcaption,
            .figure,
            .footer,
            .form,
            .h1,
            .h2,
            .h3,
            .h4,
            .h5,
            .h6,
            .header,
            .hr,
            .li,
            .main,
            .nav,
            .ol,
            .optgroup,
            .option,
            .p,
            .pre,
            .section,
            .summary,
            .table,
            .tbody,
            .td,
            .tfoot,
            .th,
            .thead,
            .tr,
            .ul,
            .block
        )
        set(
            .paragraph,
            .blockquote,
            .dl,
            .fieldset,
            .figure,
            .h1,
            .h2,
            .h3,
            .h4,
            .h5,
            .h6,
            .hr,
            .ol,
            .p,
            .pre,
            .table,
            .ul
        )
        set(.holdsText, .section, .h2, .h3, .h4, .h5, .h6, .p, .td, .pre)
        set(.breaksDivision, .blockquote, .dl, .div, .img, .ol, .p, .pre, .table, .ul)
        set(.heading, .h1, .h2, .h3, .h4, .h5, .h6)
        set(.list, .ol, .ul)
        set(.opaque, .audio, .button, .embed, .iframe, .object, .select, .svg, .textarea, .video)
        set(.suspect, .div, .fieldset, .form, .table, .ul)
        set(.foreign, .aside, .button, .footer, .input, .link, .select, .textarea)
        return traits
    }()

    // MARK: - From names

    /// The kinds of elements by their names, and their traits, for reading many nodes.
    struct Table {
        private let slots = ContentElement.slots
        private let traits = ContentElement.traits

        /// The kind of element that a node is, and its traits.
        func element(_ node: TreeNode) -> (ContentElement, Traits) {
            let element = kind(node)
            return (element, traits[Int(element.rawValue)])
        }

        private func kind(_ node: TreeNode) -> ContentElement {
            if node.isText { return .text }
            guard node.isHTMLElement, let word = node.nameWord else {
                return node.isElement && node.hasName("svg") ? .svg : .other
            }
            var index = firstSlot(word)
            while slots[index].isTaken {
                if slots[index].word == word { return slots[index].element }
                index = (index + 1) & (slotCount - 1)
            }
            return .other
        }
    }

    private struct Slot {
        var word = NameWords.Word()
        var element = ContentElement.other
        var isTaken = false
    }

    private static let slotCount = 512

    @inline(__always)
    private static func firstSlot(_ word: NameWords.Word) -> Int {
        Int(truncatingIfNeeded: ((word.first ^ word.second) &* 0x9E37_79B9_7F4A_7C15) >> 55)
    }

    /// A hash table of the names by their words, at most a third full.
    private static let slots: [Slot] = {
        var slots = [Slot](repeating: Slot(), count: slotCount)
        func put(_ name: StaticString, _ element: ContentElement) {
            guard let word = unsafe NameWords.Word(name.utf8Start) else { return }
            var index = firstSlot(word)
            while slots[index].isTaken { index = (index + 1) & (slotCount - 1) }
            slots[index] = Slot(word: word, element: element, isTaken: true)
        }
        for (name, element) in named { put(name, element) }
        for name in inlineNames { put(name, .inline) }
        for name in blockNames { put(name, .block) }
        for name in hiddenNames { put(name, .hidden) }
        return slots
    }()

    private static let named: [(StaticString, ContentElement)] = [
        ("a", .a), ("address", .address), ("article", .article), ("aside", .aside), ("audio", .audio),
        ("b", .b),
        ("blockquote", .blockquote), ("body", .body), ("br", .br), ("button", .button), ("caption", .caption),
        ("code", .code), ("col", .col), ("colgroup", .colgroup), ("dd", .dd), ("del", .del),
        ("details", .details),
        ("dialog", .dialog), ("dir", .ul), ("div", .div), ("dl", .dl), ("dt", .dt), ("em", .em),
        ("embed", .embed),
        ("fieldset", .fieldset), ("figcaption", .figcaption), ("figure", .figure), ("footer", .footer),
        ("form", .form), ("h1", .h1), ("h2", .h2), ("h3", .h3), ("h4", .h4), ("h5", .h5), ("h6", .h6),
        ("header", .header), ("hr", .hr), ("i", .i), ("iframe", .iframe), ("img", .img), ("input", .input),
        ("ins", .ins), ("kbd", .kbd), ("li", .li), ("link", .link), ("listing", .pre), ("main", .main),
        ("menu", .ul), ("nav", .nav), ("object", .object), ("ol", .ol), ("optgroup", .optgroup),
        ("option", .option), ("p", .p), ("picture", .picture), ("plaintext", .pre), ("pre", .pre), ("q", .q),
        ("s", .s),
        ("samp", .samp), ("section", .section), ("select", .select), ("strike", .s), ("strong", .strong),
        ("sub", .sub), ("summary", .summary), ("sup", .sup), ("table", .table), ("tbody", .tbody),
        ("td", .td),
        ("textarea", .textarea), ("tfoot", .tfoot), ("th", .th), ("thead", .thead), ("tr", .tr), ("tt", .tt),
        ("ul", .ul), ("video", .video), ("xmp", .pre),
    ]

    private static let inlineNames: [StaticString] = [
        "abbr", "acronym", "bdi", "bdo", "big", "cite", "data", "dfn", "font", "label", "mark", "meter",
        "nobr",
        "output", "progress", "rb", "rp", "rt", "ruby", "small", "span", "time", "u", "var", "wbr",
    ]

    private static let blockNames: [StaticString] = ["center", "hgroup", "legend", "search"]

    private static let hiddenNames: [StaticString] = [
        "area", "base", "datalist", "frame", "head", "map", "meta", "noembed", "noframes", "noscript",
        "param",
        "script", "source", "style", "template", "title", "track",
    ]
}
