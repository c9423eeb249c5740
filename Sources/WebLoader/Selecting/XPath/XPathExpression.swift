import CLibXML2

/// An XPath 1.0 expression, read once and good for any number of documents.
///
/// Besides XPath's own functions there are `matches(text, expression)`, `ends-with(text, end)` and
/// `lower-case(text)`, as XPath 2 has them.
///
/// libxml2 evaluates it. Its work is bounded (``maximumOperations``), but a single operation may take long on a large
/// page: evaluate what strangers have written in a process of its own.
///
/// <https://www.w3.org/TR/1999/REC-xpath-19991116/>
public struct XPathExpression: Hashable, Sendable {
    /// What was parsed.
    public let text: String

    /// Namespaces by the prefixes that the expression may use.
    public let namespaces: [String: String]

    /// How many operations libxml2 may take: nodes visited and the like.
    public static let maximumOperations = 100_000_000

    /// How long an expression may be, in bytes.
    static let maximumLength = 1 << 16
    /// How many brackets and parentheses may be inside each other.
    static let maximumDepth = 100

    /// Parses an expression.
    ///
    /// - Parameters:
    ///   - text: The expression.
    ///   - namespaces: Namespaces by the prefixes that it may use.
    /// - Throws: ``XPathError`` for what is no expression, and one beyond a limit. Unknown functions, variables and
    ///   prefixes show when it is evaluated.
    public init(_ text: String, namespaces: [String: String] = [:]) throws(XPathError) {
        self.text = text
        self.namespaces = namespaces
        try Self.checkSize(text)
        let run = try XPathRun(nil, self, variables: [:])
        try run.compile()
    }

    /// What libxml2's own parser would take as many frames of the stack for as the expression has levels.
    private static func checkSize(_ text: String) throws(XPathError) {
        guard text.utf8.count <= maximumLength else {
            throw XPathError(.limit, "the expression is longer than \(maximumLength) bytes")
        }
        var depth = 0
        var quote: UInt8 = 0
        for (offset, byte) in text.utf8.enumerated() {
            if byte == 0 {
                throw XPathError(.invalid, "byte \(offset): NUL in an expression", offset: offset)
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
                throw XPathError(
                    .limit,
                    "byte \(offset): more than \(maximumDepth) brackets inside each other",
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
    ///   - expression: What to evaluate.
    ///   - variables: Values of the variables that it names; not nodes.
    /// - Returns: Nodes, a text, a number or a truth value, as the expression has it.
    /// - Throws: ``XPathError`` for unknown functions, variables and prefixes, and at a limit.
    public func evaluate(
        _ expression: XPathExpression,
        variables: [String: XPathValue] = [:]
    ) throws(XPathError) -> XPathValue {
        let run = try XPathRun(self, expression, variables: variables)
        return try run.evaluate()
    }

    /// Evaluates an expression with this node as its context.
    ///
    /// - Parameter expression: What to evaluate.
    /// - Returns: Nodes, a text, a number or a truth value, as the expression has it.
    /// - Throws: ``XPathError`` for what is no expression, and at a limit.
    public func evaluate(_ expression: String) throws(XPathError) -> XPathValue {
        try evaluate(XPathExpression(expression))
    }
}

extension Document {
    /// Evaluates an expression with the document as its context.
    ///
    /// - Parameters:
    ///   - expression: What to evaluate.
    ///   - variables: Values of the variables that it names; not nodes.
    /// - Returns: Nodes, a text, a number or a truth value, as the expression has it.
    /// - Throws: ``XPathError`` for unknown functions, variables and prefixes, and at a limit.
    public func evaluate(
        _ expression: XPathExpression,
        variables: [String: XPathValue] = [:]
    ) throws(XPathError) -> XPathValue {
        try documentNode.evaluate(expression, variables: variables)
    }

    /// Evaluates an expression with the document as its context.
    ///
    /// - Parameter expression: What to evaluate.
    /// - Returns: Nodes, a text, a number or a truth value, as the expression has it.
    /// - Throws: ``XPathError`` for what is no expression, and at a limit.
    public func evaluate(_ expression: String) throws(XPathError) -> XPathValue {
        try documentNode.evaluate(expression)
    }
}
