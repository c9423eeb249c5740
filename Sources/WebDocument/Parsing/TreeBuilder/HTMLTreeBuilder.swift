import CHTMLTables
import CLibXML2

/// The insertion modes. (Those of `select` were removed in 2025.)
///
/// [The insertion mode](https://html.spec.whatwg.org/multipage/parsing.html#the-insertion-mode)
enum HTMLInsertionMode {
    case initial
    case beforeHTML
    case beforeHead
    case inHead
    case inHeadNoscript
    case afterHead
    case inBody
    case text
    case inTable
    case inTableText
    case inCaption
    case inColumnGroup
    case inTableBody
    case inRow
    case inCell
    case inTemplate
    case afterBody
    case inFrameset
    case afterFrameset
    case afterAfterBody
    case afterAfterFrameset
}

/// How to continue after a rule was applied.
enum HTMLFlow {
    /// The token has been handled.
    case done
    /// The token has to be processed again, in the current insertion mode.
    case reprocess
}

/// The tree construction stage: builds a libxml2 tree from tokens.
///
/// The rules are in extensions, one file for each group of insertion modes.
///
/// [Tree construction](https://html.spec.whatwg.org/multipage/parsing.html#tree-construction)
@safe struct HTMLTreeBuilder: ~Copyable, HTMLTokenSink {
    // MARK: The tree

    /// The document; nil once it has been handed over.
    private(set) var document: UnsafeMutablePointer<xmlDoc>?
    let documentNode: TreeNode
    let names: HTMLNames
    var sideTables = HTMLSideTables()
    var limits = HTMLLimitsReport()
    var quirksMode = HTMLQuirksMode.noQuirks
    var encodingDeclarations: [HTMLEncodingDeclaration] = []
    var namespaces = HTMLNamespaces()
    var texts = HTMLTextCursors()
    var nodeCount = 0
    /// Approximately the number of bytes that the tree takes, and that it may take.
    var memory = 0
    var maximumMemory: Int
    var isStopped = false
    var notedElements: [TreeNode] = []

    // MARK: The state of the algorithm

    var mode = HTMLInsertionMode.initial
    var originalMode = HTMLInsertionMode.initial
    var templateModes: [HTMLInsertionMode] = []
    var stack = HTMLOpenElements()
    var formatting = HTMLFormattingElements()
    var head: TreeNode?
    var form: TreeNode?
    var framesetOK = true
    var fosterParenting = false
    var ignoresLineFeed = false
    var pendingTableText: [UInt8] = []
    var rootAttributes = HTMLKnownAttributes()
    var bodyAttributes = HTMLKnownAttributes()
    var selectedContents = HTMLSelectedContents()
    let scripting: Bool

    // MARK: The fragment case

    let context: HTMLFragmentContext?
    private(set) var contextAtom: UInt32 = 0
    private(set) var contextKind: HTMLElementKind = .html

    // MARK: The token

    /// Where the last start tag began, packed as ``HTMLSourcePosition``.
    var position: UInt64 = 0
    var acknowledgedSelfClosing = false
    var nextTokenizerState: HTMLTokenizerState?

    let options: HTMLParser.Options

    /// Creates a builder for an empty document, or for a fragment.
    static func make(options: HTMLParser.Options) throws(HTMLParserError) -> HTMLTreeBuilder {
        LibXML2.initialize()
        let document = try unsafe makeDocument()
        var builder = unsafe HTMLTreeBuilder(document: document, options: options)
        if let context = options.fragmentContext { try builder.beginFragment(context) }
        return builder
    }

    /// An empty document with a dictionary and an arena, which `webl_free_tree` frees.
    static func makeDocument() throws(HTMLParserError) -> UnsafeMutablePointer<xmlDoc> {
        guard let document = unsafe htmlNewDocNoDtD(nil, nil) else {
            throw HTMLParserError(code: .outOfMemory)
        }
        unsafe document.pointee.dict = xmlDictCreate()
        guard unsafe document.pointee.dict != nil, unsafe webl_begin_tree(document) != 0 else {
            unsafe webl_free_tree(document)
            throw HTMLParserError(code: .outOfMemory)
        }
        return unsafe document
    }

    private init(document: UnsafeMutablePointer<xmlDoc>, options: HTMLParser.Options) {
        unsafe self.document = document
        unsafe documentNode = TreeNode(
            UnsafeMutableRawPointer(document).assumingMemoryBound(to: xmlNode.self)
        )
        unsafe names = HTMLNames(of: document)
        self.options = options
        maximumMemory = options.maximumMemory ?? .largestBounded
        scripting = options.scripting
        context = options.fragmentContext
    }

    deinit {
        names.destroy()
        if let document = unsafe document { unsafe webl_free_tree(document) }
    }

    /// Hands the tree over.
    mutating func takeResult() throws(HTMLParserError) -> ParsedHTML {
        guard let document = unsafe document else { throw HTMLParserError(code: .finished) }
        // A tree that was truncated has elements left on the stack.
        try popElements(downTo: 0)
        limits.droppedFormattingElements = formatting.dropped
        unsafe self.document = nil
        let tables = sideTables
        sideTables = HTMLSideTables()
        return unsafe ParsedHTML(
            document: document,
            fragmentRoot: context == nil ? nil : documentNode.firstChild,
            quirksMode: quirksMode,
            sideTables: tables,
            errors: ParseErrors(),
            limits: limits,
            memory: memory,
            encodingDeclarations: encodingDeclarations
        )
    }

    /// Stops the parse and keeps the tree so far.
    mutating func stop(_ interruption: ParsingSettings.Interruption) {
        switch interruption {
        case .cancelled: stop(HTMLLimitsReport.Stop.cancelled)
        case .time: stop(HTMLLimitsReport.Stop.time)
        }
    }

    @inline(never)
    mutating func stop(_ reason: HTMLLimitsReport.Stop) {
        guard !isStopped else { return }
        limits.stop = reason
        isStopped = true
    }

    /// Sets the memory limit of the tree for input of `size` bytes, unless the options give one.
    mutating func allowMemory(inputSize size: Int) {
        if options.maximumMemory == nil { maximumMemory = LoadLimits().treeMemory(inputSize: size) }
    }

    // MARK: - The fragment case

    /// [HTML fragment parsing algorithm](https://html.spec.whatwg.org/multipage/parsing.html#html-fragment-parsing-algorithm).
    private mutating func beginFragment(_ context: HTMLFragmentContext) throws(HTMLParserError) {
        quirksMode = context.isQuirky ? .quirks : .noQuirks
        var name = context.localName
        let isAnnotationXML = context.namespace == .mathML && name == "annotation-xml"
        if context.namespace != .html { name = name.asciiLowercased }
        contextAtom = try name.withHTMLBytes { (bytes) throws(HTMLParserError) in
            try names.atom(bytes, readable: bytes.count)
        }
        switch context.namespace {
        case .html: contextKind = .html
        case .svg: contextKind = svgKind(contextAtom)
        case .mathML:
            contextKind = mathMLKind(contextAtom)
            if isAnnotationXML, let encoding = context.encoding?.asciiLowercased,
                encoding == "text/html" || encoding == "application/xhtml+xml"
            {
                contextKind.insert(.htmlIntegrationPoint)
            }
        }
        let root = try createElement(.implied(.html))
        documentNode.append(root)
        push(root, tag: .implied(.html))
        if contextName == .template { templateModes.append(.inTemplate) }
        resetInsertionMode()
        // The form element pointer needs some element: only whether there is one matters.
        if context.isInForm {
            form = try createElement(.implied(.form))
        }
    }

    /// The context element, if it is an HTML element that a rule names.
    var contextName: HTMLElementName {
        context != nil && contextKind.contains(.html) ? HTMLElementName(atom: contextAtom) : .other
    }

    /// The initial state of the tokenizer.
    var initialTokenizerState: HTMLTokenizerState {
        switch contextName {
        case .title, .textarea: .rcdata
        case .style, .xmp, .iframe, .noembed, .noframes: .rawtext
        case .script: .scriptData
        case .noscript: scripting ? .rawtext : .data
        case .plaintext: .plaintext
        default: .data
        }
    }

    /// [Reset the insertion mode appropriately](https://html.spec.whatwg.org/multipage/parsing.html#reset-the-insertion-mode-appropriately).
    mutating func resetInsertionMode() {
        // Finds the topmost element that decides, without walking the stack.
        var topmost = 0
        func consider(_ name: HTMLElementName, _ result: HTMLInsertionMode) {
            let index = stack.last(name)
            guard index > topmost else { return }
            topmost = index
            mode = result
        }
        consider(.td, .inCell)
        consider(.th, .inCell)
        consider(.tr, .inRow)
        consider(.tbody, .inTableBody)
        consider(.thead, .inTableBody)
        consider(.tfoot, .inTableBody)
        consider(.caption, .inCaption)
        consider(.colgroup, .inColumnGroup)
        consider(.table, .inTable)
        consider(.template, templateModes.last ?? .inBody)
        consider(.head, .inHead)
        consider(.body, .inBody)
        consider(.frameset, .inFrameset)
        guard topmost == 0 else { return }
        guard context != nil else {
            mode = head == nil ? .beforeHead : .afterHead
            return
        }
        switch contextName {
        case .tr: mode = .inRow
        case .tbody, .thead, .tfoot: mode = .inTableBody
        case .caption: mode = .inCaption
        case .colgroup: mode = .inColumnGroup
        case .table: mode = .inTable
        case .template: mode = templateModes.last ?? .inBody
        case .frameset: mode = .inFrameset
        case .html: mode = head == nil ? .beforeHead : .afterHead
        default: mode = .inBody
        }
    }

    // MARK: - The adjusted current node

    /// The categories of the adjusted current node.
    ///
    /// [Adjusted current node](https://html.spec.whatwg.org/multipage/parsing.html#adjusted-current-node)
    @inline(__always)
    var adjustedKind: HTMLElementKind {
        if stack.count <= 1 {
            if stack.count == 0 { return .html }
            if context != nil { return contextKind }
        }
        return stack.top.kind
    }

    @inline(__always)
    var adjustedAtom: UInt32 {
        stack.count == 1 && context != nil ? contextAtom : stack.top.atom
    }

    var allowsCDATA: Bool {
        !adjustedKind.contains(.html)
    }
}

extension String {
    /// The string with ASCII's uppercase letters in lowercase.
    var asciiLowercased: String {
        String(asciiLowercasing: utf8)
    }

    /// Calls a function with the string's bytes.
    func withHTMLBytes<Result>(
        _ body: (HTMLBytes) throws(HTMLParserError) -> Result
    ) throws(HTMLParserError) -> Result {
        let bytes = Array(utf8) + [0]
        return try unsafe bytes.withUnsafeBufferPointer { (buffer) throws(HTMLParserError) -> Result in
            guard let base = buffer.baseAddress else { throw HTMLParserError(code: .outOfMemory) }
            return try body(unsafe HTMLBytes(base, count: buffer.count - 1))
        }
    }
}
