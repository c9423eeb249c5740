/// Finds the URLs in CSS: `url()`, `src()`, the strings of `image-set()`, `@import`.
///
/// It tokenizes the text as CSS Syntax does, including strings, comments, escapes and bad URLs, and tracks
/// only as much of the structure as decides whether a URL counts. Complexity: O(n) in the length of the text.
///
/// <https://drafts.csswg.org/css-syntax-3/#tokenization>
struct StyleReferences {
    /// What the text contains.
    enum Content {
        /// A style sheet, with rules.
        case styleSheet
        /// Declarations, as in a `style` attribute.
        case declarations
    }

    /// A URL that was found.
    struct Reference: Equatable {
        let text: String
        let kind: Link.Kind
        /// Where it begins, in bytes of the text: the place of its string, or of `url(`.
        var offset = 0
        /// The URL itself, between its quotes or parentheses, as it is written.
        var range = 0..<0
        /// All of the value that is a URL: its `url()`, or its string.
        var value = 0..<0
        /// The type that `image-set()` says the image is of; nil where it says none.
        var type: String?
    }

    /// The URLs in CSS, in order; empty ones, which CSS calls invalid, are left out.
    static func find(in text: String, _ content: Content = .styleSheet) -> [Reference] {
        var text = text
        return text.withUTF8 { bytes in
            var finder = StyleReferences(unsafe CSSTokenizer(bytes), content)
            finder.run()
            return finder.references
        }
    }

    /// The meaning of an open bracket.
    private enum Frame {
        /// `url(` or `src(`, before anything in it.
        case url
        /// `image-set(`, whose strings are URLs.
        case imageSet
        /// `type(` in `image-set(`, whose string is the type of the image before it.
        case imageType
        /// Any other parenthesis.
        case parenthesis
        case squareBracket
        /// A brace inside a parenthesis or square bracket.
        case brace
        /// The block of `@font-face`.
        case fontFace
        /// The block of any other rule.
        case block

        /// The only bracket that closes it.
        var end: CSSToken.Kind {
            switch self {
            case .url, .imageSet, .imageType, .parenthesis: .closeRound
            case .squareBracket: .closeSquare
            case .brace, .fontFace, .block: .closeCurly
            }
        }
    }

    /// The at-rule whose prelude, the part before its block or semicolon, the tokenizer is in.
    private enum Prelude {
        case none
        /// `@import`, before its URL.
        case importURL
        case fontFace
        case other
    }

    private var tokenizer: CSSTokenizer
    private var references: [Reference] = []
    /// Where the current token is.
    private var range = 0..<0
    /// The function `url(` that is open with a URL in it: how many brackets are open with it, its reference, and
    /// where it begins.
    private var openURL: (depth: Int, reference: Int, start: Int)?
    /// Where the last function begins.
    private var functionStart = 0
    private var frames: [Frame] = []
    /// How many of the frames are ``Frame/fontFace``.
    private var fontFaces = 0
    private var prelude = Prelude.none
    /// Whether `@import` may still come: it stands before all other rules.
    private var allowsImport: Bool

    private init(_ tokenizer: CSSTokenizer, _ content: Content) {
        self.tokenizer = tokenizer
        allowsImport = content == .styleSheet
    }

    private mutating func run() {
        while true {
            let token = tokenizer.next()
            let kind = token.kind
            range = token.start..<token.end
            switch kind {
            case .end:
                closeURL()
                return
            case .whitespace, .cdo, .cdc: continue
            case .string:
                takeString()
                continue
            default: break
            }
            // Only a string right at the start of `src(` is a URL.
            if frames.last == .url { frames[frames.count - 1] = .parenthesis }
            switch kind {
            case .url: take(tokenizer.value)
            case .function: openFunction()
            case .atKeyword: startAtRule()
            case .openRound: open(.parenthesis)
            case .openSquare: open(.squareBracket)
            case .openCurly: openCurly()
            case .closeRound, .closeSquare, .closeCurly: close(kind)
            case .semicolon: if !isInValue { prelude = .none }
            default: passImport()
            }
        }
    }

    /// Whether the innermost open bracket is not a rule's block.
    private var isInValue: Bool {
        guard let frame = frames.last else { return false }
        return frame != .block && frame != .fontFace
    }

    /// Ends the wait for the URL of `@import`, since something else came.
    private mutating func passImport() {
        if prelude == .importURL { prelude = .other }
    }

    // MARK: - URLs

    private mutating func takeString() {
        if frames.last == .url {
            frames[frames.count - 1] = .parenthesis
            let count = references.count
            take(tokenizer.value)
            if references.count > count { openURL = (frames.count, count, functionStart) }
        } else if frames.last == .imageType {
            if !references.isEmpty {
                references[references.count - 1].type = String(decoding: tokenizer.value, as: UTF8.self)
            }
        } else if frames.last == .imageSet || prelude == .importURL {
            take(tokenizer.value)
        }
    }

    private mutating func take(_ bytes: [UInt8]) {
        let kind: Link.Kind
        switch prelude {
        case .importURL:
            kind = .stylesheet
            prelude = .other
        case .fontFace, .other: return
        case .none: kind = fontFaces > 0 ? .font : .image
        }
        if !bytes.isEmpty {
            let text = String(decoding: bytes, as: UTF8.self)
            references.append(
                Reference(
                    text: text,
                    kind: kind,
                    offset: range.lowerBound,
                    range: tokenizer.contents(of: range),
                    value: range
                )
            )
        }
    }

    /// Notes where the function ends that the last URL is in.
    private mutating func closeURL() {
        guard let open = openURL else { return }
        references[open.reference].value = open.start..<range.upperBound
        openURL = nil
    }

    // MARK: - Structure

    private mutating func openFunction() {
        if tokenizer.hasValue("url") || tokenizer.hasValue("src") {
            frames.append(.url)
            functionStart = range.lowerBound
        } else if tokenizer.hasValue("image-set") || tokenizer.hasValue("-webkit-image-set") {
            frames.append(.imageSet)
        } else if frames.last == .imageSet, tokenizer.hasValue("type") {
            frames.append(.imageType)
        } else {
            open(.parenthesis)
        }
    }

    private mutating func startAtRule() {
        guard !isInValue else { return }
        if tokenizer.hasValue("import") {
            prelude = allowsImport && frames.isEmpty ? .importURL : .other
            return
        }
        prelude = tokenizer.hasValue("font-face") ? .fontFace : .other
        if frames.isEmpty, !tokenizer.hasValue("charset"), !tokenizer.hasValue("layer") {
            allowsImport = false
        }
    }

    private mutating func open(_ frame: Frame) {
        passImport()
        frames.append(frame)
    }

    private mutating func openCurly() {
        if isInValue {
            frames.append(.brace)
        } else {
            if frames.isEmpty { allowsImport = false }
            frames.append(prelude == .fontFace ? .fontFace : .block)
            if prelude == .fontFace { fontFaces += 1 }
            prelude = .none
        }
    }

    private mutating func close(_ bracket: CSSToken.Kind) {
        guard let frame = frames.last, frame.end == bracket else { return }
        if let open = openURL, open.depth == frames.count { closeURL() }
        frames.removeLast()
        if frame == .fontFace { fontFaces -= 1 }
        if frame == .fontFace || frame == .block { prelude = .none }
    }
}
