/// Finds the URLs in CSS: `url()`, `src()`, the strings of `image-set()`, `@import`.
///
/// It tokenizes the text as CSS Syntax does, including strings, comments, escapes and bad URLs, and tracks
/// only as much of the structure as decides whether a URL counts. Complexity: O(n) in the length of the text.
///
/// <https://drafts.csswg.org/css-syntax-3/#tokenization>
struct StyleReferences {
    /// The kind of CSS in a text.
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
        /// Whether its place alone makes it no URL, though a browser may take it for one: an `@import` after rules that
        /// may be invalid, a string with a server's URL that reaches `image-set()` through a custom property.
        var isUncertain = false
    }

    /// The URLs in CSS, in order; empty ones, which CSS calls invalid, are left out.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - content: The kind of CSS in it.
    ///   - includesUncertain: Whether to include references that may not be URLs.
    /// - Returns: The URLs.
    static func find(
        in text: String,
        _ content: Content = .styleSheet,
        includesUncertain: Bool = false
    ) -> [Reference] {
        var text = text
        return text.withUTF8 { bytes in
            var finder = StyleReferences(unsafe CSSTokenizer(bytes), content)
            finder.run()
            return includesUncertain ? finder.references : finder.references.filter { !$0.isUncertain }
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
        /// A function in whose place something else comes, as `var(`: what it falls back on may be a URL.
        case substitution
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
            case .url, .imageSet, .imageType, .substitution, .parenthesis: .closeRound
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
        /// The same after rules: it counts only if none of them does.
        case lateImportURL
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
    private let isSheet: Bool
    /// Whether the next token may begin a declaration.
    private var isAtStart = true
    /// Whether the value of the declaration may come to stand in another one.
    private var isInCustomValue = false

    private init(_ tokenizer: CSSTokenizer, _ content: Content) {
        self.tokenizer = tokenizer
        isSheet = content == .styleSheet
        allowsImport = isSheet
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
            beginDeclaration(kind)
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

    /// Notes at a declaration's name whether its value may come to stand in another one.
    private mutating func beginDeclaration(_ kind: CSSToken.Kind) {
        if kind == .identifier, isAtStart, !isInValue {
            isInCustomValue =
                tokenizer.value.starts(with: "--".utf8) || tokenizer.hasValue("initial-value")
                || tokenizer.hasValue("result")
        }
        isAtStart = kind == .openCurly || kind == .closeCurly || kind == .semicolon
        if isAtStart, !isInValue { isInCustomValue = false }
    }

    /// Whether the innermost open bracket is not a rule's block.
    private var isInValue: Bool {
        guard let frame = frames.last else { return false }
        return frame != .block && frame != .fontFace
    }

    /// Ends the wait for the URL of `@import`, since something else came.
    private mutating func passImport() {
        if prelude == .importURL || prelude == .lateImportURL { prelude = .other }
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
        } else if frames.last == .imageSet || prelude == .importURL || prelude == .lateImportURL {
            take(tokenizer.value)
        } else if frames.last == .substitution || isInCustomValue, Self.leadsOut(tokenizer.value) {
            take(tokenizer.value, isUncertain: true)
        }
    }

    /// Whether a string would be a URL of a server, whatever it is relative to.
    private static func leadsOut(_ bytes: [UInt8]) -> Bool {
        // As the URL parser reads it: without what it leaves out.
        let text = bytes.drop { $0 <= 0x20 }.lazy.filter { $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }.prefix(8)
            .map { $0 == UInt8(ascii: "\\") ? UInt8(ascii: "/") : $0.asciiLowercased }
        return ["http:", "https:", "ftp:", "ws:", "wss:", "//"].contains { text.starts(with: $0.utf8) }
    }

    private mutating func take(_ bytes: [UInt8], isUncertain: Bool = false) {
        let kind: Link.Kind
        let isLate = prelude == .lateImportURL
        switch prelude {
        case .importURL, .lateImportURL:
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
                    value: range,
                    isUncertain: isLate || isUncertain
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
            open(isSubstitution ? .substitution : .parenthesis)
        }
    }

    private var isSubstitution: Bool {
        tokenizer.value.starts(with: "--".utf8) || tokenizer.hasValue("var") || tokenizer.hasValue("env")
            || tokenizer.hasValue("if") || tokenizer.hasValue("attr") || tokenizer.hasValue("inherit")
            || tokenizer.hasValue("first-valid")
    }

    private mutating func startAtRule() {
        guard !isInValue else { return }
        if tokenizer.hasValue("import") {
            prelude = !isSheet || !frames.isEmpty ? .other : allowsImport ? .importURL : .lateImportURL
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
