import CLibXML2

/// An XPath 1.0 expression, parsed once and usable with any number of documents.
///
/// Besides XPath's own functions there are `matches(text, expression)`, `ends-with(text, end)` and
/// `lower-case(text)`, as in XPath 2.
///
/// libxml2 evaluates it. Its work is bounded (``maximumOperations``), but a single operation may take long on
/// a large page: evaluate untrusted expressions in a separate process.
///
/// <https://www.w3.org/TR/1999/REC-xpath-19991116/>
public struct XPathExpression: Hashable, Sendable {
    /// The text that was parsed.
    public let text: String

    /// Namespaces by the prefixes that the expression may use.
    public let namespaces: [String: String]

    /// The maximum number of operations that libxml2 may perform, such as visits of nodes.
    public static let maximumOperations = 100_000_000

    /// The maximum length of an expression, in bytes.
    static let maximumLength = 1 << 16
    /// How deeply brackets and parentheses may be nested.
    static let maximumDepth = 100

    /// Whether a text that may be a selector is meant as an expression: it begins with "/", "./" or "(".
    package static func isMeant(by text: String) -> Bool {
        text.hasPrefix("/") || text.hasPrefix("./") || text.hasPrefix("(")
    }

    /// Parses an expression.
    ///
    /// - Parameters:
    ///   - text: The expression.
    ///   - namespaces: Namespaces by the prefixes that it may use.
    /// - Throws: ``SelectorError`` if the expression is invalid or exceeds a limit. Unknown functions, variables
    ///   and prefixes are reported when it is evaluated.
    public init(_ text: String, namespaces: [String: String] = [:]) throws(SelectorError) {
        self.text = text
        self.namespaces = namespaces
        try Self.checkSize(text)
        let run = try XPathRun(nil, self, variables: [:])
        try run.compile()
    }

    /// Checks the length and the nesting, since libxml2's parser uses stack frames in proportion to the
    /// levels of the expression.
    private static func checkSize(_ text: String) throws(SelectorError) {
        guard text.utf8.count <= maximumLength else {
            throw SelectorError(.xpathLimit, "the expression is longer than \(maximumLength) bytes")
        }
        var depth = 0
        var quote: UInt8 = 0
        for (offset, byte) in text.utf8.enumerated() {
            if byte == 0 {
                throw SelectorError(
                    .invalidXPath,
                    "byte \(offset): the expression contains NUL",
                    offset: offset
                )
            }
            if quote != 0 {
                if byte == quote { quote = 0 }
                continue
            }
            switch byte {
            case UInt8(ascii: "'"), UInt8(ascii: "\""): quote = byte
            case UInt8(ascii: "("), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
            guard depth <= maximumDepth else {
                throw SelectorError(
                    .xpathLimit,
                    "byte \(offset): brackets nested more than \(maximumDepth) deep",
                    offset: offset
                )
            }
        }
    }
}

extension Node {
    /// Evaluates an expression with this node as its context.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - variables: The values of the variables that it uses; they cannot be nodes.
    /// - Returns: Nodes, a text, a number or a truth value, depending on the expression.
    /// - Throws: ``SelectorError`` for unknown functions, variables and prefixes, and if a limit is exceeded.
    public func evaluate(
        _ expression: XPathExpression,
        variables: [String: XPathValue] = [:]
    ) throws(SelectorError) -> XPathValue {
        let run = try XPathRun(self, expression, variables: variables)
        return try run.evaluate()
    }

    /// Evaluates an expression with this node as its context.
    ///
    /// - Parameter expression: The expression.
    /// - Returns: Nodes, a text, a number or a truth value, depending on the expression.
    /// - Throws: ``SelectorError`` if the expression is invalid or exceeds a limit.
    public func evaluate(_ expression: String) throws(SelectorError) -> XPathValue {
        try evaluate(XPathExpression(expression))
    }
}

extension Document {
    /// Evaluates an expression with the document as its context.
    ///
    /// - Parameters:
    ///   - expression: The expression.
    ///   - variables: The values of the variables that it uses; they cannot be nodes.
    /// - Returns: Nodes, a text, a number or a truth value, depending on the expression.
    /// - Throws: ``SelectorError`` for unknown functions, variables and prefixes, and if a limit is exceeded.
    public func evaluate(
        _ expression: XPathExpression,
        variables: [String: XPathValue] = [:]
    ) throws(SelectorError) -> XPathValue {
        try documentNode.evaluate(expression, variables: variables)
    }

    /// Evaluates an expression with the document as its context.
    ///
    /// - Parameter expression: The expression.
    /// - Returns: Nodes, a text, a number or a truth value, depending on the expression.
    /// - Throws: ``SelectorError`` if the expression is invalid or exceeds a limit.
    public func evaluate(_ expression: String) throws(SelectorError) -> XPathValue {
        try documentNode.evaluate(expression)
    }
}
