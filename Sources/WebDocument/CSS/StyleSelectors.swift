import WebStandards

/// The parts of a style sheet's selectors with their places in its text, for rewriting them.
///
/// [Selectors 4](https://drafts.csswg.org/selectors-4/), [CSS Nesting](https://drafts.csswg.org/css-nesting-1/)
package struct StyleSelectors: Sendable {
    /// The test of an attribute, as `[href^="http"]`.
    package struct AttributeTest: Sendable {
        /// All of it, from bracket to bracket.
        package fileprivate(set) var range: Range<Int>
        /// The name with the prefix before it.
        package fileprivate(set) var name: Range<Int>
        /// The name without prefix and escapes, in lower case.
        package fileprivate(set) var localName = ""
        package fileprivate(set) var prefix = Prefix.none
        /// Whether it asks for a value, rather than for whether there is one.
        package fileprivate(set) var hasValue = false

        /// The namespace prefix of the name.
        package enum Prefix: Sendable {
            case none
            /// `*|`
            case any
            case named
        }
    }

    /// The tests of attributes, in their order, those inside of pseudo-classes too.
    package private(set) var attributes: [AttributeTest] = []

    /// The identifiers that are asked for: `#id` with its sign, and the identifier without escapes.
    package private(set) var identifiers: [(range: Range<Int>, id: String)] = []

    /// Where a condition on the elements that a selector of a rule is for can be put: at the end of its last compound
    /// selector, before a pseudo-element.
    package private(set) var subjects: [Int] = []

    /// The at-rules that are for no elements in particular, as `@font-face`, `@keyframes` and `@import`.
    package private(set) var otherRules: [Range<Int>] = []

    /// Whether there are more of these than are read, so that a rewrite would cover only some of them.
    package private(set) var isTruncated = false

    /// How many of all of them are read: several times what the largest style sheets of sites have.
    private static let maximumCount = 1 << 18

    /// Reads the selectors of a style sheet.
    ///
    /// - Parameter text: The sheet's text, in UTF-8.
    /// - Complexity: O(n) in the length of the text.
    package init(_ text: [UInt8]) {
        unsafe text.withUnsafeBufferPointer { bytes in
            var reader = Reader(unsafe CSSTokenizer(bytes))
            reader.run()
            (attributes, identifiers, subjects) = (reader.attributes, reader.identifiers, reader.subjects)
            (otherRules, isTruncated) = (reader.otherRules, reader.isFull)
        }
    }

    /// Reads rules, and the prelude of each.
    ///
    /// The text before a `{` is a list of selectors, the text before a `;` a declaration.
    private struct Reader {
        /// The contents of a block.
        private enum Block {
            /// Rules, and declarations where it is inside of a rule.
            case rules
            /// Anything else, as in `@font-face` and `@keyframes`; where the rule begins, nil inside of another.
            case other(from: Int?)
        }

        /// The prelude read so far, since the last block or semicolon.
        private struct Prelude {
            var atRule: String?
            /// Where it begins.
            var start = 0
            var isEmpty = true
            /// Whether it began with a name like that of a custom property.
            var beginsWithDashes = false
            var isCustomProperty = false
            var attributes: [AttributeTest] = []
            var identifiers: [(range: Range<Int>, id: String)] = []
            var subjects: [Int] = []
            /// The tokens that close the open brackets.
            var closings: [CSSToken.Kind] = []
            var compound = Compound()
        }

        /// The compound selector that is read.
        private struct Compound {
            /// Where it ends, or its pseudo-element begins; nil before it begins.
            var end: Int?
            var hasPseudoElement = false
            /// Where a colon begins that was the last token.
            var colon: Int?
            /// Whether something that separates it from the next one was read.
            var isOver = false
        }

        private var tokenizer: CSSTokenizer
        private var blocks: [Block] = []
        private var prelude = Prelude()
        var attributes: [AttributeTest] = []
        var identifiers: [(range: Range<Int>, id: String)] = []
        var subjects: [Int] = []
        var otherRules: [Range<Int>] = []

        /// How many of all of them were read.
        private var count = 0
        /// Whether there are more than are read.
        var isFull: Bool { count > StyleSelectors.maximumCount }

        init(_ tokenizer: CSSTokenizer) { self.tokenizer = tokenizer }

        mutating func run() {
            while true {
                let token = tokenizer.next()
                if token.kind == .end { return end(at: token.start) }
                guard !isFull else { return }
                if token.kind == .openSquare, !isInCurly {
                    guard readAttribute(from: token) else { return end(at: token.end) }
                } else if prelude.closings.isEmpty {
                    take(token)
                } else {
                    takeInBrackets(token)
                }
            }
        }

        /// Whether braces are open that are no block.
        private var isInCurly: Bool { prelude.closings.first == .closeCurly }

        private mutating func takeInBrackets(_ token: CSSToken) {
            if token.kind == prelude.closings.last {
                prelude.closings.removeLast()
                if prelude.closings.isEmpty { extend(to: token.end) }
            } else if let closing = token.kind.closing {
                prelude.closings.append(closing)
            } else if token.kind == .hash, !isInCurly {
                noteIdentifier(token)
            }
        }

        private mutating func take(_ token: CSSToken) {
            switch token.kind {
            case .semicolon:
                if prelude.atRule != nil, !isInOther { note(prelude.start..<token.end) }
                prelude = Prelude()
            case .closeCurly:
                if case .other(let start?)? = blocks.popLast() { note(start..<token.end) }
                prelude = Prelude()
            case .openCurly: open()
            case .whitespace, .cdo, .cdc: prelude.compound.isOver = true
            default:
                begin(token)
                takeInSelector(token)
            }
        }

        /// Whether a block of something else than rules is open.
        private var isInOther: Bool {
            if case .other? = blocks.last { true } else { false }
        }

        private mutating func note(_ rule: Range<Int>) {
            otherRules.append(rule)
            count += 1
        }

        /// Ends what is open where the text ends.
        private mutating func end(at end: Int) {
            for case .other(let start?) in blocks { otherRules.append(start..<end) }
            if prelude.atRule != nil, !isInOther { otherRules.append(prelude.start..<end) }
        }

        /// Notes how a rule or a declaration begins.
        private mutating func begin(_ token: CSSToken) {
            if prelude.isEmpty {
                prelude.isEmpty = false
                prelude.start = token.start
                if token.kind == .atKeyword {
                    prelude.atRule = String(asciiLowercasing: tokenizer.value)
                }
                prelude.beginsWithDashes =
                    token.kind == .identifier && tokenizer.value.starts(with: "--".utf8)
            } else if prelude.beginsWithDashes {
                prelude.isCustomProperty = token.kind == .colon
                prelude.beginsWithDashes = false
            }
        }

        private mutating func takeInSelector(_ token: CSSToken) {
            switch token.kind {
            case .comma: endSelector()
            case .delimiter where [">", "+", "~"].contains(Unicode.Scalar(token.byte)):
                prelude.compound.isOver = true
            case .colon:
                beginCompound()
                guard !prelude.compound.hasPseudoElement else { return }
                if let first = prelude.compound.colon {
                    beginPseudoElement(at: first)
                } else {
                    prelude.compound.colon = token.start
                }
            case .function, .openRound:
                beginCompound()
                prelude.closings.append(.closeRound)
            default:
                beginCompound()
                if token.kind == .hash { noteIdentifier(token) }
                if let colon = prelude.compound.colon, isOldPseudoElement(token) {
                    return beginPseudoElement(at: colon)
                }
                extend(to: token.end)
            }
        }

        /// Whether it is the name of a pseudo-element that a single colon may be before.
        private func isOldPseudoElement(_ token: CSSToken) -> Bool {
            token.kind == .identifier
                && (tokenizer.hasValue("before") || tokenizer.hasValue("after")
                    || tokenizer.hasValue("first-line") || tokenizer.hasValue("first-letter"))
        }

        // MARK: - Compounds

        private mutating func beginCompound() {
            if prelude.compound.isOver { prelude.compound = Compound() }
        }

        private mutating func beginPseudoElement(at place: Int) {
            prelude.compound.end = place
            prelude.compound.hasPseudoElement = true
            prelude.compound.colon = nil
        }

        private mutating func extend(to end: Int) {
            prelude.compound.colon = nil
            if !prelude.compound.hasPseudoElement { prelude.compound.end = end }
        }

        private mutating func noteIdentifier(_ token: CSSToken) {
            guard token.isIdentifier else { return }
            let id = String(decoding: tokenizer.value, as: UTF8.self)
            prelude.identifiers.append((token.start..<token.end, id))
            count += 1
        }

        private mutating func endSelector() {
            if let end = prelude.compound.end {
                prelude.subjects.append(end)
                count += 1
            }
            prelude.compound = Compound()
        }

        // MARK: - Blocks

        private mutating func open() {
            if isInOther {
                blocks.append(.other(from: nil))
            } else if let name = prelude.atRule {
                if name == "scope" {
                    attributes += prelude.attributes
                    identifiers += prelude.identifiers
                }
                blocks.append(Self.rulesOfRules.contains(name) ? .rules : .other(from: prelude.start))
            } else if prelude.isCustomProperty {
                prelude.closings.append(.closeCurly)
                return
            } else {
                endSelector()
                attributes += prelude.attributes
                identifiers += prelude.identifiers
                subjects += prelude.subjects
                blocks.append(.rules)
            }
            prelude = Prelude()
        }

        /// The at-rules in whose blocks other rules stand.
        private static let rulesOfRules: Set<String> = [
            "-moz-document", "container", "layer", "media", "scope", "starting-style", "supports",
        ]

        // MARK: - Attributes

        /// Reads a test of an attribute; returns false at the end of the text.
        private mutating func readAttribute(from bracket: CSSToken) -> Bool {
            if prelude.closings.isEmpty {
                begin(bracket)
                beginCompound()
            }
            var test = AttributeTest(range: bracket.start..<bracket.end, name: bracket.end..<bracket.end)
            var closings: [CSSToken.Kind] = [.closeSquare]
            /// How many tokens of the name were read, and whether it is complete.
            var (count, isNamed, isBar) = (0, false, false)
            while let last = closings.last {
                let token = tokenizer.next()
                if token.kind == .end { return false }
                if token.kind == last {
                    closings.removeLast()
                    test.range = bracket.start..<token.end
                    continue
                }
                if let closing = token.kind.closing { closings.append(closing) }
                if token.kind == .whitespace || isNamed { continue }
                let isEquals = token.kind == .delimiter && token.byte == UInt8(ascii: "=")
                switch token.kind {
                case .identifier where count == 0 || isBar:
                    if isBar, test.prefix == .none, count > 1 { test.prefix = .named }
                    test.localName = String(asciiLowercasing: tokenizer.value)
                    let start = count == 0 ? token.start : test.name.lowerBound
                    test.name = start..<token.end
                    isBar = false
                case .delimiter where token.byte == UInt8(ascii: "*") && count == 0:
                    test.prefix = .any
                    test.name = token.start..<token.end
                case .delimiter where token.byte == UInt8(ascii: "|") && !isBar:
                    if count == 0 { test.name = token.start..<token.end }
                    isBar = true
                default:
                    isNamed = true
                    // A bar before the sign belongs to it.
                    test.hasValue = isEquals || token.kind == .delimiter
                }
                count += 1
            }
            if !test.localName.isEmpty {
                prelude.attributes.append(test)
                self.count += 1
            }
            if prelude.closings.isEmpty { extend(to: test.range.upperBound) }
            return true
        }
    }
}
