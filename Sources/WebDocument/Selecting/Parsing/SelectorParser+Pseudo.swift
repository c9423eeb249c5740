/// Pseudo-classes and pseudo-elements.
extension SelectorParser {
    mutating func parsePseudo(_ compound: inout Compound, _ context: Context) throws(SelectorError) {
        index += 1
        let isElement = token.kind == .colon
        if isElement { index += 1 }
        let name = token
        guard name.kind == .identifier || name.kind == .function else {
            throw expected(isElement ? "a pseudo-element" : "a pseudo-class")
        }
        let lowered = String(asciiLowercasing: name.text.utf8)
        let isFunction = name.kind == .function
        if isElement || !isFunction && PseudoElement.legacy.contains(lowered) {
            try parsePseudoElement(lowered, name, &compound, context)
            return
        }
        guard isFunction else {
            guard let pseudoClass = PseudoClass(rawValue: lowered) else {
                throw error(Self.unknown("pseudo-class"), at: name)
            }
            if compound.pseudoElement != nil, !pseudoClass.mayFollowPseudoElement {
                throw error("expected a pseudo-class that is allowed after a pseudo-element", at: name)
            }
            index += 1
            compound.specificity.classes += 1
            append(
                pseudoClass.isStatic
                    ? .init(operation: .pseudoClass, pseudoClass: pseudoClass) : .init(operation: .never),
                to: &compound
            )
            return
        }
        guard context.depth < Self.maximumDepth else {
            throw SelectorError(
                .limit,
                "byte \(name.start): functions nested more than \(Self.maximumDepth) deep",
                offset: name.start
            )
        }
        try parseInside { (parser) throws(SelectorError) in
            try parser.parseFunction(lowered, name, &compound, context)
        }
    }

    private static func unknown(_ what: String) -> String { "expected a known \(what)" }

    /// Parses the argument of the function at the current token, and continues after it.
    private mutating func parseInside(
        _ parse: (inout SelectorParser) throws(SelectorError) -> Void
    ) throws(SelectorError) {
        let close = token.partner
        let outer = end
        index += 1
        end = min(close, outer)
        defer { end = outer }
        skipWhitespace()
        try parse(&self)
        skipWhitespace()
        guard index >= end else { throw expected("\")\"") }
        index = min(close + 1, outer)
    }

    // MARK: - Functions

    private mutating func parseFunction(
        _ name: String,
        _ token: SelectorToken,
        _ compound: inout Compound,
        _ context: Context
    ) throws(SelectorError) {
        var inner = context
        inner.depth += 1
        inner.isTopLevel = false
        inner.allowsPseudoElements = false
        switch name {
        case "is", "where":
            let list = try parseForgivingList(inner)
            appendList(.matchesAny, list, to: &compound, counts: name == "is")
        case "-webkit-any": appendList(.matchesAny, try parseList(inner), to: &compound)
        case "not":
            appendList(.matchesNone, try parseList(inner), to: &compound)
        case _ where compound.pseudoElement != nil:
            throw error("expected a pseudo-class that is allowed after a pseudo-element", at: token)
        case "has":
            guard !context.isInsideHas else { throw error("expected no :has() inside :has()", at: token) }
            inner.isInsideHas = true
            appendList(.has, try parseList(inner, isRelative: true), to: &compound)
        case "nth-child": try parseNthFunction(.nthChild, &compound, inner)
        case "nth-last-child": try parseNthFunction(.nthLastChild, &compound, inner)
        case "nth-of-type": try parseNthFunction(.nthOfType, &compound, inner)
        case "nth-last-of-type": try parseNthFunction(.nthLastOfType, &compound, inner)
        case "lang": try parseLanguages(&compound)
        case "dir":
            guard self.token.kind == .identifier else { throw expected("\"ltr\" or \"rtl\"") }
            let direction = String(asciiLowercasing: self.token.text.utf8)
            index += 1
            compound.specificity.classes += 1
            append(.init(operation: .direction, value: program.index(ofText: direction)), to: &compound)
        case "host", "host-context":
            let list = try parseList(inner)
            appendNever(to: &compound, program.complexes(of: program.lists[Int(list)]))
        case "state", "active-view-transition-type": try parseNames(&compound)
        case "contains", "matches", "eq":
            guard options.dialect == .extended else {
                throw error("expected a standard pseudo-class (this is an extension)", at: token)
            }
            try parseExtension(name, &compound, context)
        default: throw error(Self.unknown("pseudo-class"), at: token)
        }
    }

    private mutating func appendList(
        _ operation: SelectorProgram.Operation,
        _ list: Int32,
        to compound: inout Compound,
        counts: Bool = true
    ) {
        let complexes = program.complexes(of: program.lists[Int(list)])
        if counts { compound.specificity += complexes.map(\.specificity).max() ?? Specificity() }
        compound.frames = max(compound.frames, frames[Int(list)])
        append(.init(operation: operation, list: list), to: &compound)
    }

    private func appendNever(to compound: inout Compound, _ complexes: ArraySlice<SelectorProgram.Complex>) {
        compound.specificity += complexes.map(\.specificity).max() ?? Specificity()
        compound.specificity.classes += 1
        append(.init(operation: .never), to: &compound)
    }

    /// Parses An+B and, for children, "of" with a list.
    private mutating func parseNthFunction(
        _ operation: SelectorProgram.Operation,
        _ compound: inout Compound,
        _ context: Context
    ) throws(SelectorError) {
        let (step, offset) = try parseNth()
        var simple = SelectorProgram.Simple(operation: operation)
        simple.step = step
        simple.offset = offset
        compound.specificity.classes += 1
        if index < end, operation == .nthChild || operation == .nthLastChild {
            guard token.kind == .identifier, token.text.isEqualIgnoringASCIICase(to: "of") else {
                throw expected("\"of\" or \")\"")
            }
            index += 1
            let list = try parseList(context)
            compound.specificity +=
                program.complexes(of: program.lists[Int(list)]).map(\.specificity).max() ?? Specificity()
            compound.frames = max(compound.frames, frames[Int(list)])
            simple.list = list
        }
        append(simple, to: &compound)
    }

    /// Parses language ranges, each a name or a string.
    private mutating func parseLanguages(_ compound: inout Compound) throws(SelectorError) {
        var ranges: [String] = []
        while true {
            skipWhitespace()
            guard token.kind == .identifier || token.kind == .string else {
                throw expected("a language range, as in \"en\"")
            }
            ranges.append(token.text)
            index += 1
            skipWhitespace()
            guard token.kind == .comma else { break }
            index += 1
        }
        compound.specificity.classes += 1
        let first = Int32(truncatingIfNeeded: program.texts.count)
        for range in ranges { _ = program.index(ofText: range) }
        append(
            .init(operation: .language, value: first, step: Int32(truncatingIfNeeded: ranges.count)),
            to: &compound
        )
    }

    /// Parses names of states, which no element of a static page has.
    private mutating func parseNames(_ compound: inout Compound) throws(SelectorError) {
        guard token.kind == .identifier else { throw expected("a name") }
        while token.kind == .identifier {
            index += 1
            skipWhitespace()
            guard token.kind == .comma else { break }
            index += 1
            skipWhitespace()
        }
        appendNever(to: &compound, [])
    }

    // MARK: - Pseudo-elements

    private mutating func parsePseudoElement(
        _ name: String,
        _ token: SelectorToken,
        _ compound: inout Compound,
        _ context: Context
    ) throws(SelectorError) {
        let isFunction = token.kind == .function
        if options.dialect == .extended, name == "text" && !isFunction || name == "attr" && isFunction {
            try parseExtraction(name, token, &compound, context)
            return
        }
        guard PseudoElement.isKnown(name, hasArgument: isFunction) else {
            throw error(Self.unknown("pseudo-element"), at: token)
        }
        if let first = compound.pseudoElement, !PseudoElement.isAllowed(name, after: first) {
            throw error("expected no pseudo-element after ::\(first)", at: token)
        }
        guard context.allowsPseudoElements else {
            throw error("expected no pseudo-element here", at: token)
        }
        if isFunction {
            let end = token.partner
            guard tokens[(index + 1)..<min(end, self.end)].contains(where: { $0.kind != .whitespace }) else {
                index += 1
                throw expected("an argument")
            }
            index = min(end + 1, self.end)
        } else {
            index += 1
        }
        compound.pseudoElement = name
        compound.specificity.types += 1
        append(.init(operation: .never), to: &compound)
    }
}
