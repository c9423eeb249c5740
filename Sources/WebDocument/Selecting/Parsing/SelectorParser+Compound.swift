/// Compound selectors: types, IDs, classes and attributes.
extension SelectorParser {
    mutating func parseCompound(_ context: Context) throws(SelectorError) -> Compound {
        var compound = Compound()
        let start = index
        try parseType(&compound)
        if index > start { compound.ends.append(tokens[index - 1].end) }
        while index < end {
            let token = self.token
            let isExtraction = token.kind == .colon && index + 1 < end && tokens[index + 1].kind == .colon
            let isDone = compound.extraction != .element || compound.position != nil && !isExtraction
            if isDone, token.kind != .whitespace, token.kind != .comma {
                throw expected("nothing more after ::text, ::attr() or :eq()")
            }
            switch token.kind {
            case .hash:
                guard token.isIdentifier else { throw expected("an identifier after \"#\"") }
                index += 1
                compound.specificity.ids += 1
                append(.init(operation: .id, value: program.index(ofText: token.text)), to: &compound)
            case .delimiter where token.byte == UInt8(ascii: "."):
                index += 1
                let name = self.token
                guard name.kind == .identifier else { throw expected("a class name after \".\"") }
                index += 1
                compound.specificity.classes += 1
                append(word(.className, name.text), to: &compound)
            case .openSquare: try parseAttribute(&compound)
            case .colon: try parsePseudo(&compound, context)
            // Outside a rule in which it could be nested, "&" is the scope.
            case .delimiter where token.byte == UInt8(ascii: "&"):
                index += 1
                append(.init(operation: .pseudoClass, pseudoClass: .scope), to: &compound)
            default:
                guard index > start else { throw expected("a selector") }
                return compound
            }
            compound.ends.append(tokens[index - 1].end)
            if compound.pseudoElement != nil, token.kind != .colon {
                throw error("expected only pseudo-classes after a pseudo-element", at: token)
            }
        }
        guard index > start else { throw expected("a selector") }
        return compound
    }

    /// A condition on a word; an empty text or one with white space matches no word.
    private mutating func word(
        _ operation: SelectorProgram.Operation,
        _ text: String
    ) -> SelectorProgram.Simple {
        guard !text.isEmpty, !text.utf8.contains(where: \.isASCIIWhitespace) else {
            return .init(operation: .never)
        }
        return .init(operation: operation, value: program.index(ofText: text))
    }

    func append(_ simple: SelectorProgram.Simple, to compound: inout Compound) {
        compound.simples.append(simple)
    }

    // MARK: - Names with a namespace

    /// A name and the namespace prefix before its "|".
    private struct QualifiedName {
        /// Nil for "*".
        var name: String?
        var prefix: Prefix

        enum Prefix {
            /// There is no "|".
            case absent
            /// There is a "|" with nothing before it.
            case empty
            /// "*".
            case any
            case named(SelectorToken)
        }
    }

    private mutating func parseQualifiedName() throws(SelectorError) -> QualifiedName? {
        let first = token
        let second = index + 1 < end ? tokens[index + 1] : .end()
        let isName = first.kind == .identifier || first.isDelimiter(UInt8(ascii: "*"))
        let bar = UInt8(ascii: "|")
        if first.isDelimiter(bar) {
            index += 1
            return QualifiedName(name: try parseLocalName(), prefix: .empty)
        }
        guard isName else { return nil }
        let third = index + 2 < end ? tokens[index + 2] : .end()
        // In an attribute selector "|=" is an operator.
        guard second.isDelimiter(bar), third.kind == .identifier || third.isDelimiter(UInt8(ascii: "*"))
        else {
            index += 1
            return QualifiedName(name: first.kind == .identifier ? first.text : nil, prefix: .absent)
        }
        index += 2
        return QualifiedName(
            name: try parseLocalName(),
            prefix: first.kind == .identifier ? .named(first) : .any
        )
    }

    private mutating func parseLocalName() throws(SelectorError) -> String? {
        let token = self.token
        guard token.kind == .identifier || token.isDelimiter(UInt8(ascii: "*")) else {
            throw expected("a name or \"*\" after \"|\"")
        }
        index += 1
        return token.kind == .identifier ? token.text : nil
    }

    private func namespace(_ prefix: SelectorToken) throws(SelectorError) -> String {
        guard let namespace = options.namespaces[prefix.text] else {
            throw error("expected a declared namespace prefix", at: prefix)
        }
        return namespace
    }

    // MARK: - Types

    private mutating func parseType(_ compound: inout Compound) throws(SelectorError) {
        let name = try parseQualifiedName()
        if let local = name?.name {
            compound.specificity.types += 1
            append(.init(operation: .type, name: program.index(ofName: local)), to: &compound)
        }
        switch name?.prefix ?? .absent {
        case .any: break
        case .empty: append(.init(operation: .noNamespace), to: &compound)
        case .named(let token): appendNamespace(try namespace(token), to: &compound)
        case .absent:
            if let space = options.namespaces[""] { appendNamespace(space, to: &compound) }
        }
    }

    private mutating func appendNamespace(_ name: String, to compound: inout Compound) {
        append(
            name.isEmpty
                ? .init(operation: .noNamespace)
                : .init(operation: .namespace, value: program.index(ofText: name)),
            to: &compound
        )
    }

    // MARK: - Attributes

    private mutating func parseAttribute(_ compound: inout Compound) throws(SelectorError) {
        let close = token.partner
        let outer = end
        index += 1
        end = close
        skipWhitespace()
        let first = token
        guard let name = try parseQualifiedName(), let local = name.name else {
            throw error("expected the name of an attribute", at: first)
        }
        var simple = SelectorProgram.Simple(operation: .attribute)
        simple.name = program.index(ofName: local)
        switch name.prefix {
        case .absent, .empty: simple.space = .none
        case .any: simple.space = .any
        case .named(let token):
            let space = try namespace(token)
            simple.space = space.isEmpty ? .none : .named
            simple.list = program.index(ofText: space)
        }
        skipWhitespace()
        if index < end {
            simple.operation = try parseAttributeMatcher()
            skipWhitespace()
            let value = token
            guard value.kind == .identifier || value.kind == .string else {
                throw expected("a name or a string")
            }
            simple.value = program.index(ofText: value.text)
            index += 1
            skipWhitespace()
            if index < end { simple.comparison = try parseAttributeModifier() }
            switch simple.operation {
            case .includes: simple.operation = word(.includes, value.text).operation
            // No value begins with, ends with or contains an empty text.
            case .prefix, .suffix, .substring: if value.text.isEmpty { simple.operation = .never }
            default: break
            }
        }
        end = outer
        index = min(close + 1, outer)
        compound.specificity.classes += 1
        append(simple, to: &compound)
    }

    private mutating func parseAttributeMatcher() throws(SelectorError) -> SelectorProgram.Operation {
        let operation: SelectorProgram.Operation
        switch (token.kind, token.byte) {
        case (.delimiter, UInt8(ascii: "=")):
            index += 1
            return .equals
        case (.delimiter, UInt8(ascii: "~")): operation = .includes
        case (.delimiter, UInt8(ascii: "|")): operation = .dashMatch
        case (.delimiter, UInt8(ascii: "^")): operation = .prefix
        case (.delimiter, UInt8(ascii: "$")): operation = .suffix
        case (.delimiter, UInt8(ascii: "*")): operation = .substring
        default: throw expected("\"]\", \"=\", \"~=\", \"|=\", \"^=\", \"$=\" or \"*=\"")
        }
        index += 1
        guard token.isDelimiter(UInt8(ascii: "=")) else { throw expected("\"=\"") }
        index += 1
        return operation
    }

    private mutating func parseAttributeModifier() throws(SelectorError) -> SelectorProgram.Comparison {
        let comparison: SelectorProgram.Comparison
        switch (token.kind, token.text) {
        case (.identifier, "i"), (.identifier, "I"): comparison = .ignoringCase
        case (.identifier, "s"), (.identifier, "S"): comparison = .exact
        default: throw expected("\"i\", \"s\" or \"]\"")
        }
        index += 1
        skipWhitespace()
        guard index >= end else { throw expected("\"]\"") }
        return comparison
    }
}
