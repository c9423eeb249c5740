/// The extensions for scrapers, which browsers do not support (``Selector/Dialect/extended``).
extension SelectorParser {
    /// Parses `::text` or `::attr(name)`.
    mutating func parseExtraction(
        _ name: String,
        _ token: SelectorToken,
        _ compound: inout Compound,
        _ context: Context
    ) throws(SelectorError) {
        guard context.isTopLevel, compound.extraction == .element else {
            throw error("expected ::\(name) at the end of a selector only", at: token)
        }
        index += 1
        guard name == "attr" else {
            compound.extraction = .text
            return
        }
        skipWhitespace()
        guard self.token.kind == .identifier, index < token.partner else {
            throw expected("the name of an attribute")
        }
        compound.extraction = .attribute(self.token.text)
        index += 1
        skipWhitespace()
        guard index >= min(token.partner, end) else { throw expected("\")\"") }
        index = min(token.partner + 1, end)
    }

    /// Parses the argument of `:contains()`, `:matches()` or `:eq()`.
    mutating func parseExtension(
        _ name: String,
        _ compound: inout Compound,
        _ context: Context
    ) throws(SelectorError) {
        let argument = token
        switch name {
        case "eq":
            guard context.isTopLevel else { throw expected(":eq() at the end of a selector only") }
            guard argument.kind == .number, let position = argument.integer else {
                throw expected("an integer")
            }
            compound.position = position
        case "contains":
            guard argument.kind == .string || argument.kind == .identifier else { throw expected("a string") }
            append(.init(operation: .contains, value: program.index(ofText: argument.text)), to: &compound)
            compound.specificity.classes += 1
        default:
            guard argument.kind == .string else { throw expected("a regular expression in quotes") }
            do throws(RegularExpression.Failure) {
                program.expressions.append(try RegularExpression(argument.text))
            } catch {
                throw SelectorError(
                    error.isLimit ? .limit : .invalid,
                    "byte \(argument.start): in the regular expression: \(error.message)",
                    offset: argument.start
                )
            }
            append(
                .init(
                    operation: .regularExpression,
                    value: Int32(truncatingIfNeeded: program.expressions.count - 1)
                ),
                to: &compound
            )
            compound.specificity.classes += 1
        }
        index += 1
    }
}
