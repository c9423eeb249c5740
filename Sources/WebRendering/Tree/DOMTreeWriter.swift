import WebStandards

/// A writer of nodes as HTML, with a stack of its own.
struct DOMTreeWriter {
    /// An element, a shadow root or a frame that is open.
    struct Open {
        enum Kind {
            case element
            /// An element whose tag no parser would read: only its contents are written.
            case nameless
            case shadowRoot
            /// A frame's document, in the attribute of its element.
            case frame
        }

        let kind: Kind
        /// The name, in lower case unless the element is foreign; of a nameless element, that of the element around.
        var name = ""
        var namespace = Namespace.html
        var contents = MarkupRules.Contents.nodes
        let node: DOMNode
        /// The next child.
        var next: Int?
        /// The length of its end, in bytes.
        var endLength = 0
        /// Whether the content before its children was written.
        var isBegun = false
    }

    /// The namespace in which a parser puts an element.
    enum Namespace {
        case html
        case svg
        case mathML
    }

    let nodes: DOMNodes
    let maximumBytes: Int
    var output: MarkupOutput
    var open: [Open] = []
    var isCut = false

    /// The document, and the documents of frames, that the walk is in.
    var documents: [DOMNode]

    /// Whether the head of a frame's document is to come.
    var isBaseDue = false

    /// The length of the ends of all open elements, in bytes.
    private var endLength = 0

    /// The place after the start tag of an element after which a parser ignores a line feed.
    var lineFeedPlace = -1

    /// The number of attributes around the `plaintext` that is written: no end tag of its document is parsed as one.
    private var plainTextLevel: Int?

    /// The text that is being written.
    var text: [UInt8] = []

    init(_ nodes: DOMNodes, maximumBytes: Int) {
        self.nodes = nodes
        self.maximumBytes = max(0, maximumBytes)
        output = MarkupOutput(limit: self.maximumBytes)
        documents = [nodes[nodes.root]]
    }

    /// Returns the markup of all nodes.
    mutating func markup() -> DOMTree.Markup {
        let root = nodes[nodes.root]
        if root.kind == .document || root.kind == .fragment {
            if root.kind == .document, root.isStandardsMode, !hasDoctype(root) {
                attempt { writer in writer.output.write("<!DOCTYPE html>") }
            }
            push(Open(kind: .nameless, node: root, next: root.firstChild, isBegun: true))
        } else {
            enter(nodes.root)
        }
        while let index = open.indices.last {
            if !isCut, !open[index].isBegun {
                open[index].isBegun = true
                begin(open[index])
            } else if !isCut, let child = open[index].next {
                open[index].next = nodes[child].next
                enter(child)
            } else {
                end()
            }
        }
        return DOMTree.Markup(html: output.bytes, isCut: isCut || !nodes.isComplete)
    }

    private func hasDoctype(_ document: DOMNode) -> Bool {
        var child = document.firstChild
        while let index = child {
            if nodes[index].kind == .doctype { return true }
            child = nodes[index].next
        }
        return false
    }

    // MARK: - Beginnings and ends

    /// Writes something, and removes it again if there is no room for it and for the ends of all open elements.
    mutating func attempt(endLength more: Int = 0, _ write: (inout DOMTreeWriter) -> Void) {
        let start = output.bytes.count
        output.limit = max(0, maximumBytes - endLength - more)
        write(&self)
        guard output.isOver || output.bytes.count > output.limit else { return }
        output.truncate(to: start)
        isCut = true
    }

    /// Opens an element whose beginning is written.
    mutating func push(_ element: Open) {
        open.append(element)
        endLength += element.endLength
    }

    /// Ends the element that was opened last.
    private mutating func end() {
        guard let last = open.popLast() else { return }
        endLength -= last.endLength
        output.limit = maximumBytes
        switch last.kind {
        case .nameless: break
        case .element, .shadowRoot:
            guard plainTextLevel != output.level else { break }
            output.write("</")
            output.write(name: last.name)
            output.write(">")
        case .frame:
            if plainTextLevel == output.level { plainTextLevel = nil }
            output.level -= 1
            documents.removeLast()
            isBaseDue = false
            output.write("\">")
        }
    }

    // MARK: - Nodes

    /// Writes a node, or its beginning.
    private mutating func enter(_ index: Int) {
        let node = nodes[index]
        switch node.kind {
        case .element: enter(element: node)
        case .text, .characterData: write(text: node)
        case .comment:
            read(node.value)
            UnescapedText.closeComment(&text)
            attempt { writer in
                writer.output.write("<!--")
                writer.output.write(writer.text, .markup)
                writer.output.write("-->")
            }
        case .processingInstruction: write(instruction: node)
        case .doctype: write(doctype: node)
        // These are nobody's children.
        case .document, .fragment: break
        }
    }

    private mutating func write(text node: DOMNode) {
        read(node.value)
        attempt { writer in
            if writer.lineFeedPlace == writer.output.bytes.count, writer.text.first == 0x0A {
                writer.output.write("\n")
            }
            writer.output.write(writer.text, .text)
        }
    }

    private mutating func write(instruction node: DOMNode) {
        read(node.name)
        text.append(0x20)
        if let value = node.value { nodes.strings.append(at: value, to: &text) }
        // For a parser of HTML it is a comment, which this character ends.
        guard !text.contains(UInt8(ascii: ">")) else { return }
        attempt { writer in
            writer.output.write("<?")
            writer.output.write(writer.text, .markup)
            writer.output.write(">")
        }
    }

    /// Writes a doctype, with its identifiers, which determine the mode in which a page is parsed.
    private mutating func write(doctype node: DOMNode) {
        read(node.name)
        guard !text.contains(where: { $0.isASCIIWhitespace || $0 == UInt8(ascii: ">") }) else { return }
        let identifiers = self.identifiers(of: node)
        attempt { writer in
            writer.output.write("<!DOCTYPE ")
            writer.output.write(writer.text, .markup)
            writer.output.write(identifiers, .markup)
            writer.output.write(">")
        }
    }

    private func identifiers(of doctype: DOMNode) -> [UInt8] {
        var output: [UInt8] = []
        for (place, keyword) in [(doctype.attributes, " PUBLIC"), (doctype.systemID, " SYSTEM")] {
            guard let place else { continue }
            var text: [UInt8] = []
            nodes.strings.read(at: place, into: &text)
            let hasQuotes = text.contains(UInt8(ascii: "\""))
            let quote = UInt8(ascii: hasQuotes ? "'" : "\"")
            // All identifiers are omitted if one cannot be quoted.
            guard !text.contains(UInt8(ascii: ">")), !text.contains(quote) else { return [] }
            output += output.isEmpty ? Array(keyword.utf8) : []
            output.append(0x20)
            output.append(quote)
            output += text
            output.append(quote)
        }
        return output
    }

    /// Reads a string of the message into `text`.
    mutating func read(_ place: Int?) {
        if let place {
            nodes.strings.read(at: place, into: &text)
        } else {
            text.removeAll(keepingCapacity: true)
        }
    }

    /// Records that nothing in this document is parsed as a tag any more.
    mutating func beginPlainText() {
        if plainTextLevel == nil { plainTextLevel = output.level }
    }
}
