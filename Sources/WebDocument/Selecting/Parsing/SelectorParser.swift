/// Parses selectors into a program.
///
/// Each method is a rule of the grammar. The argument of a function is parsed within the bounds of its
/// tokens, so that an error inside cannot affect what follows, and an incomplete argument ends with its
/// block.
///
/// <https://drafts.csswg.org/selectors-4/#grammar>
struct SelectorParser {
    /// The context of a selector, which determines what it may contain.
    struct Context {
        var allowsPseudoElements = true
        var isInsideHas = false
        var isTopLevel = true
        /// How many functions the selector is inside.
        var depth = 0
    }

    /// How deeply functions may be nested.
    static let maximumDepth = 32
    /// How many stack frames matching may use: compounds nested in each other.
    static let maximumFrames = 256
    static let maximumSimples = 1 << 16
    static let maximumLength = 1 << 20

    let options: Selector.Options
    let tokens: [SelectorToken]
    var index = 0
    /// The index after the last token that may be read.
    var end: Int
    var program = SelectorProgram()
    /// For each list, how many stack frames its matching uses.
    var frames: [Int] = []

    private init(_ tokens: [SelectorToken], _ options: Selector.Options) {
        self.tokens = tokens
        self.options = options
        end = tokens.count - 1
    }

    static func parse(_ text: String, _ options: Selector.Options) throws(SelectorError) -> SelectorProgram {
        guard text.utf8.count <= maximumLength else {
            throw SelectorError(.limit, "the selector is longer than \(maximumLength) bytes")
        }
        var parser = SelectorParser(SelectorToken.tokens(text), options)
        let list = try parser.parseList(Context())
        parser.program.root = parser.program.lists[Int(list)]
        return parser.program
    }

    // MARK: - Tokens

    /// The current token; one of the kind `end` after the last token that may be read.
    var token: SelectorToken {
        index < end ? tokens[index] : .end(at: tokens[end].start)
    }

    @discardableResult
    mutating func skipWhitespace() -> Bool {
        let start = index
        while index < end, tokens[index].kind == .whitespace { index += 1 }
        return index > start
    }

    /// An error at the current token.
    func expected(_ what: String) -> SelectorError { error("expected \(what)", at: token) }

    func error(_ message: String, at token: SelectorToken) -> SelectorError {
        let found = token.kind == .end ? "the end" : "\"\(Self.excerpt(token))\""
        return SelectorError(
            .invalid,
            "byte \(token.start): \(message), found \(found)",
            offset: token.start
        )
    }

    private static func excerpt(_ token: SelectorToken) -> String {
        switch token.kind {
        case .identifier: String(token.text.prefix(40))
        case .function: "\(token.text.prefix(40))("
        case .hash: "#\(token.text.prefix(40))"
        case .atKeyword: "@\(token.text.prefix(40))"
        case .string: String(token.text.prefix(40))
        case .number, .percentage, .dimension:
            "\(token.integer.map { "\($0)" } ?? "a number")\(token.text.prefix(40))"
        case .badString: "an unterminated string"
        case .url, .badURL: "url("
        case .whitespace: " "
        case .cdo: "<!--"
        case .cdc: "-->"
        default: String(Unicode.Scalar(token.byte))
        }
    }

    // MARK: - Lists

    /// Parses a list of complex selectors up to the end; returns the index of the list.
    mutating func parseList(_ context: Context, isRelative: Bool = false) throws(SelectorError) -> Int32 {
        var complexes: [SelectorProgram.Complex] = []
        var needed = 0
        while true {
            complexes.append(try parseComplex(context, isRelative: isRelative, frames: &needed))
            guard token.kind == .comma else { break }
            index += 1
        }
        guard index >= end else { throw expected("a combinator, \",\" or the end") }
        return try add(complexes, frames: needed)
    }

    /// Parses a list, leaving out the members that are invalid.
    ///
    /// <https://drafts.csswg.org/selectors-4/#forgiving-selector>
    mutating func parseForgivingList(_ context: Context) throws(SelectorError) -> Int32 {
        var complexes: [SelectorProgram.Complex] = []
        var needed = 0
        while true {
            do throws(SelectorError) {
                let complex = try parseComplex(context, isRelative: false, frames: &needed)
                if token.kind == .comma || index >= end { complexes.append(complex) }
            } catch {
                if error.code == .limit { throw error }
            }
            while index < end, tokens[index].kind != .comma {
                index = tokens[index].partner > index ? tokens[index].partner + 1 : index + 1
            }
            guard index < end else { break }
            index += 1
        }
        return try add(complexes, frames: needed)
    }

    private mutating func add(
        _ complexes: [SelectorProgram.Complex],
        frames needed: Int
    ) throws(SelectorError) -> Int32 {
        guard needed <= Self.maximumFrames else {
            throw SelectorError(
                .limit,
                "compound selectors nested more than \(Self.maximumFrames) deep"
            )
        }
        program.lists.append(
            .init(
                first: Int32(truncatingIfNeeded: program.complexes.count),
                count: Int32(truncatingIfNeeded: complexes.count)
            )
        )
        program.complexes += complexes
        frames.append(needed)
        return Int32(truncatingIfNeeded: program.lists.count - 1)
    }

    // MARK: - Complex selectors

    /// A compound selector while it is being parsed.
    struct Compound {
        var simples: [SelectorProgram.Simple] = []
        var combinator = SelectorProgram.Combinator.none
        var specificity = Specificity()
        var pseudoElement: String?
        /// How many stack frames the lists in it use when they are matched.
        var frames = 0
        var extraction = Selector.Extraction.element
        var position: Int?
        var range = 0..<0
        /// Where each of its simple selectors ends.
        var ends: [Int] = []
    }

    private mutating func parseComplex(
        _ context: Context,
        isRelative: Bool,
        frames needed: inout Int
    ) throws(SelectorError) -> SelectorProgram.Complex {
        skipWhitespace()
        let start = token.start
        var compounds: [Compound] = []
        var combinator = SelectorProgram.Combinator.none
        if isRelative {
            combinator = parseCombinator() ?? .descendant
            skipWhitespace()
        }
        while true {
            let first = token
            var compound = try parseCompound(context)
            compound.combinator = combinator
            compound.range = first.start..<tokens[index - 1].end
            compounds.append(compound)
            let hasSpace = skipWhitespace()
            if let next = parseCombinator() {
                combinator = next
                skipWhitespace()
            } else if hasSpace, index < end, token.kind != .comma {
                combinator = .descendant
            } else {
                break
            }
            if compound.pseudoElement != nil || compound.extraction != .element || compound.position != nil {
                throw expected("nothing more after a pseudo-element or :eq()")
            }
        }
        var complex = try emit(compounds, isRelative: isRelative, frames: &needed)
        complex.range = start..<(compounds.last?.range.upperBound ?? start)
        return complex
    }

    private mutating func parseCombinator() -> SelectorProgram.Combinator? {
        guard token.kind == .delimiter else { return nil }
        let combinator: SelectorProgram.Combinator
        switch token.byte {
        case UInt8(ascii: ">"): combinator = .child
        case UInt8(ascii: "+"): combinator = .nextSibling
        case UInt8(ascii: "~"): combinator = .subsequentSibling
        default: return nil
        }
        index += 1
        return combinator
    }

    /// Adds compounds to the program.
    ///
    /// A relative selector is folded, so that each level has one compound to match: `> a b` becomes `>
    /// a:has(b)`.
    private mutating func emit(
        _ compounds: [Compound],
        isRelative: Bool,
        frames needed: inout Int
    ) throws(SelectorError) -> SelectorProgram.Complex {
        var specificity = Specificity()
        for (distance, compound) in compounds.reversed().enumerated() {
            specificity += compound.specificity
            needed = max(needed, (isRelative ? compounds.count - distance : distance) + 1 + compound.frames)
        }
        guard program.simples.count + compounds.reduce(0, { $0 + $1.simples.count }) <= Self.maximumSimples
        else {
            throw SelectorError(.limit, "more than \(Self.maximumSimples) simple selectors")
        }
        var complex = SelectorProgram.Complex(
            first: Int32(truncatingIfNeeded: program.compounds.count),
            count: Int32(truncatingIfNeeded: compounds.count)
        )
        complex.specificity = specificity
        complex.extraction = compounds.last?.extraction ?? .element
        complex.position = compounds.last?.position
        guard isRelative else {
            for compound in compounds { add(compound) }
            return complex
        }
        var following: Int32 = -1
        for compound in compounds.reversed() {
            var compound = compound
            if following >= 0 {
                compound.simples.append(.init(operation: .has, list: following))
            }
            complex.first = Int32(truncatingIfNeeded: program.compounds.count)
            complex.count = 1
            complex.relation = compound.combinator
            add(compound)
            following = Int32(truncatingIfNeeded: program.lists.count)
            program.lists.append(.init(first: Int32(truncatingIfNeeded: program.complexes.count), count: 1))
            frames.append(0)
            program.complexes.append(complex)
        }
        return complex
    }

    private mutating func add(_ compound: Compound) {
        program.compounds.append(
            .init(
                first: Int32(truncatingIfNeeded: program.simples.count),
                count: Int32(truncatingIfNeeded: compound.simples.count),
                combinator: compound.combinator
            )
        )
        program.simples += compound.simples
        program.ends.append(compound.ends)
    }
}
