import CLibXML2

/// One evaluation of an expression by libxml2: its context, and its first error.
///
/// libxml2 writes to a compiled expression while it evaluates it, so each evaluation compiles its own.
@safe final class XPathRun {
    private let context: xmlXPathContextPtr
    private let expression: XPathExpression
    private let node: Node?
    private var compiled: xmlXPathCompExprPtr?

    /// The first error.
    private(set) var failure: SelectorError?
    /// The regular expressions that `matches()` has compiled.
    var expressions: [String: RegularExpression] = [:]
    /// The number of steps left for regular expressions.
    var steps = SelectorMatcher.maximumSteps

    /// The levels of recursion that libxml2 allows, and how many of them are used here: libxml2's limit would
    /// overflow the stack of a thread.
    private static let libraryDepth: Int32 = 5000
    private static let depth: Int32 = 1000

    init(_ node: Node?, _ expression: XPathExpression, variables: [String: XPathValue]) throws(SelectorError)
    {
        LibXML2.initialize()
        self.node = node
        self.expression = expression
        guard let context = unsafe xmlXPathNewContext(node?.document.tree) else { throw Self.outOfMemory }
        unsafe self.context = context
        unsafe compiled = nil
        unsafe context.pointee.opLimit = UInt(truncatingIfNeeded: XPathExpression.maximumOperations)
        unsafe context.pointee.depth = Self.libraryDepth &- Self.depth
        if let node { unsafe context.pointee.node = node.treeNode.pointer }
        let own = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe context.pointee.userData = own
        unsafe context.pointee.funcLookupData = own
        unsafe context.pointee.error = { data, error in
            guard let data = unsafe data, let error = unsafe error else { return }
            let run = unsafe Unmanaged<XPathRun>.fromOpaque(data).takeUnretainedValue()
            unsafe run.note(error.pointee)
        }
        for (prefix, name) in expression.namespaces { _ = unsafe xmlXPathRegisterNs(context, prefix, name) }
        for (name, value) in variables { try set(name, value) }
        unsafe XPathFunctions.register(in: context)
    }

    deinit {
        if let compiled = unsafe compiled { unsafe xmlXPathFreeCompExpr(compiled) }
        unsafe xmlXPathFreeContext(context)
    }

    private static let outOfMemory = SelectorError(.xpathLimit, "out of memory")

    private func set(_ name: String, _ value: XPathValue) throws(SelectorError) {
        let object: xmlXPathObjectPtr?
        switch value {
        case .string(let text): unsafe object = xmlXPathNewString(text)
        case .number(let number): unsafe object = xmlXPathNewFloat(number)
        case .boolean(let isTrue): unsafe object = xmlXPathNewBoolean(isTrue ? 1 : 0)
        case .nodes: throw SelectorError(.invalidXPath, "the variable \(name) is a node set")
        }
        guard let object = unsafe object else { throw Self.outOfMemory }
        unsafe xmlXPathRegisterVariable(context, name, object)
    }

    // MARK: - Errors

    /// Stores the first error, of a function call or of the expression itself.
    func fail(_ error: SelectorError) {
        if failure == nil { failure = error }
    }

    private func note(_ error: xmlError) {
        let xpathCode = unsafe UInt32(bitPattern: error.code) &- XML_XPATH_EXPRESSION_OK.rawValue
        switch xpathCode {
        case XPATH_OP_LIMIT_EXCEEDED.rawValue:
            fail(
                SelectorError(
                    .xpathLimit,
                    "evaluation takes more than \(XPathExpression.maximumOperations) operations"
                )
            )
        case XPATH_RECURSION_LIMIT_EXCEEDED.rawValue:
            fail(SelectorError(.xpathLimit, "nested more than \(Self.depth) levels deep"))
        case XPATH_MEMORY_ERROR.rawValue: fail(Self.outOfMemory)
        default:
            let message = Self.words(xpathCode)
            let offset = unsafe Int(error.int1)
            // Only syntax errors have a place.
            let isPlaced = unsafe error.str1 != nil && offset >= 0
            fail(
                SelectorError(
                    .invalidXPath,
                    isPlaced ? "byte \(offset): \(message)" : message,
                    offset: isPlaced ? offset : nil
                )
            )
        }
    }

    /// The message for an error of which libxml2 gives only the number.
    private static func words(_ code: UInt32) -> String {
        switch xmlXPathError(rawValue: code) {
        case XPATH_NUMBER_ERROR: "invalid number"
        case XPATH_UNFINISHED_LITERAL_ERROR: "unterminated string"
        case XPATH_START_LITERAL_ERROR: "expected a string"
        case XPATH_VARIABLE_REF_ERROR: "expected a variable name after \"$\""
        case XPATH_UNDEF_VARIABLE_ERROR: "undefined variable"
        case XPATH_INVALID_PREDICATE_ERROR: "unterminated or invalid predicate"
        case XPATH_EXPR_ERROR: "invalid expression"
        case XPATH_UNCLOSED_ERROR: "unclosed \"(\""
        case XPATH_UNKNOWN_FUNC_ERROR: "unknown function"
        case XPATH_INVALID_OPERAND: "invalid operand"
        case XPATH_INVALID_TYPE: "a value of the wrong type"
        case XPATH_INVALID_ARITY: "wrong number of arguments"
        case XPATH_UNDEF_PREFIX_ERROR: "undeclared namespace prefix"
        case XPATH_INVALID_CHAR_ERROR, XPATH_ENCODING_ERROR: "invalid character"
        case XPATH_STACK_ERROR: "an operator without operands"
        default: "libxml2 rejects the expression (error \(code))"
        }
    }

    // MARK: - Running

    /// Compiles the expression.
    func compile() throws(SelectorError) {
        unsafe compiled = xmlXPathCtxtCompile(context, expression.text)
        if let failure { throw failure }
        guard unsafe compiled != nil else { throw SelectorError(.invalidXPath, "invalid expression") }
    }

    /// Compiles and evaluates the expression.
    func evaluate() throws(SelectorError) -> XPathValue {
        try compile()
        let result = unsafe xmlXPathCompiledEval(compiled, context)
        defer { if let result = unsafe result { unsafe xmlXPathFreeObject(result) } }
        if let failure { throw failure }
        guard let result = unsafe result, let node else {
            throw SelectorError(.invalidXPath, "the expression has no value")
        }
        switch unsafe result.pointee.type {
        case XPATH_NODESET, XPATH_XSLT_TREE:
            return unsafe .nodes(nodes(result.pointee.nodesetval, in: node.document))
        case XPATH_BOOLEAN: return unsafe .boolean(result.pointee.boolval != 0)
        case XPATH_NUMBER: return unsafe .number(result.pointee.floatval)
        case XPATH_STRING:
            return unsafe .string(result.pointee.stringval.map { unsafe String(cString: $0) } ?? "")
        default: throw SelectorError(.invalidXPath, "the value has no XPath type")
        }
    }

    private func nodes(_ set: xmlNodeSetPtr?, in document: Document) -> [XPathNode] {
        guard let set = unsafe set, let table = unsafe set.pointee.nodeTab else { return [] }
        var nodes: [XPathNode] = []
        nodes.reserveCapacity(Int(unsafe set.pointee.nodeNr))
        for index in 0..<Int(unsafe set.pointee.nodeNr) {
            guard let pointer = unsafe table[index] else { continue }
            switch unsafe pointer.pointee.type {
            case XML_ATTRIBUTE_NODE:
                let attribute = unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: xmlAttr.self)
                guard let owner = unsafe TreeNode(attribute.pointee.parent),
                    let own = unsafe TreeAttribute(attribute)
                else { continue }
                nodes.append(.attribute(Node.Attribute(own), of: Node(owner, in: document)))
            case XML_NAMESPACE_DECL:
                let space = unsafe UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: xmlNs.self)
                nodes.append(
                    unsafe .namespace(
                        prefix: space.pointee.prefix.map { unsafe String(cString: $0) } ?? "",
                        name: space.pointee.href.map { unsafe String(cString: $0) } ?? ""
                    )
                )
            default: nodes.append(.node(unsafe Node(TreeNode(pointer), in: document)))
            }
        }
        return nodes
    }
}
