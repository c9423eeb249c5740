import WebStandards

extension DOMTreeWriter {
    /// Writes the start tag of an element, without its last bracket if a frame's document follows.
    mutating func enter(element node: DOMNode) {
        read(node.name)
        guard MarkupRules.isTagName(text) else {
            var element = Open(kind: .nameless, node: node, next: node.firstChild, isBegun: true)
            element.name = open.last?.name ?? ""
            element.namespace = open.last?.namespace ?? .html
            push(element)
            return
        }
        var name = String(decoding: text, as: UTF8.self)
        let namespace = self.namespace(of: node, named: name)
        if namespace == .html { name = String(asciiLowercasing: text) }
        var element = Open(
            kind: .element,
            name: name,
            namespace: namespace,
            node: node,
            next: node.firstChild
        )
        if namespace == .html { element.contents = contents(of: element) }
        let frame = namespace == .html ? self.frame(in: element) : nil
        if element.contents != .none {
            element.endLength = output.length(ofEndTag: name)
        }
        let frameEnd = frame == nil ? 0 : output.length(of: "\">")
        attempt(endLength: element.endLength + frameEnd) { writer in
            writer.output.write("<")
            writer.output.write(name: name)
            writer.writeAttributes(of: element, hasFrame: frame != nil)
            writer.output.write(frame == nil ? ">" : " srcdoc=\"")
        }
        guard !isCut else { return }
        if element.contents != .none { push(element) }
        guard let frame else {
            if namespace == .html, MarkupRules.dropsLineFeed(name) { lineFeedPlace = output.bytes.count }
            writeBase(in: element)
            return
        }
        push(Open(kind: .frame, node: frame, next: frame.firstChild, endLength: frameEnd, isBegun: true))
        documents.append(frame)
        isBaseDue = true
        output.level += 1
    }

    /// Writes the content before the children of an element, or in their place.
    mutating func begin(_ element: Open) {
        let last = open.count - 1
        switch element.contents {
        case .none: break
        case .rawText, .text:
            open[last].next = nil
            writeTexts(of: element)
        case .nodes:
            if element.namespace == .html, element.name == "template" {
                open[last].next = element.node.contents.flatMap { nodes[$0].firstChild }
            } else if element.namespace == .html, let index = element.node.shadowRoot {
                beginShadowRoot(nodes[index])
            }
        }
    }

    // MARK: - Kinds of elements

    /// Returns the namespace in which a parser will put an element, as far as the message determines it.
    private func namespace(of node: DOMNode, named name: String) -> Namespace {
        if node.isSVG { return .svg }
        if node.hasUpperCaseName, !node.isXML { return .html }
        if name == "math" { return .mathML }
        guard let parent = open.last else { return .html }
        switch parent.namespace {
        case .html: return .html
        case .svg: return node.isXML ? .html : .mathML
        case .mathML:
            guard node.isXML else { return .mathML }
            return ["mi", "mo", "mn", "ms", "mtext", "annotation-xml"].contains(parent.name) ? .html : .mathML
        }
    }

    private func contents(of element: Open) -> MarkupRules.Contents {
        let contents = MarkupRules.contents(of: element.name)
        guard element.name == "noscript" else { return contents }
        // Where scripts do not run, as in a document that a script has made, it has nodes.
        var child = element.node.firstChild
        while let index = child {
            if nodes[index].kind == .element { return .nodes }
            child = nodes[index].next
        }
        return contents
    }

    /// Writes the texts of an element that has no other contents.
    private mutating func writeTexts(of element: Open) {
        text.removeAll(keepingCapacity: true)
        var child = element.node.firstChild
        while let index = child {
            let node = nodes[index]
            if node.kind == .text || node.kind == .characterData, let value = node.value {
                nodes.strings.append(at: value, to: &text)
            }
            child = node.next
        }
        if element.contents == .text {
            attempt { writer in
                if writer.lineFeedPlace == writer.output.bytes.count, writer.text.first == 0x0A {
                    writer.output.write("\n")
                }
                writer.output.write(writer.text, .text)
            }
        } else {
            UnescapedText.closeElement(&text, element.name)
            attempt { writer in writer.output.write(writer.text, .markup) }
            if element.name == "plaintext" { beginPlainText() }
        }
    }

    private mutating func beginShadowRoot(_ root: DOMNode) {
        let length = output.length(ofEndTag: "template")
        attempt(endLength: length) { writer in
            writer.output.write("<template shadowrootmode=\"")
            writer.output.write(root.shadowMode == .closed ? "closed" : "open")
            writer.output.write("\">")
        }
        guard !isCut else { return }
        push(
            Open(
                kind: .shadowRoot,
                name: "template",
                node: root,
                next: root.firstChild,
                endLength: length,
                isBegun: true
            )
        )
    }

    // MARK: - Attributes

    private mutating func writeAttributes(of element: Open, hasFrame: Bool) {
        let isTemplate = element.namespace == .html && element.name == "template"
        let nodes = nodes
        nodes.forEachAttribute(of: element.node) { name, value in
            guard MarkupRules.isAttributeName(name), !output.isOver else { return }
            if hasFrame, MarkupRules.equals(name, "srcdoc") { return }
            // It has no shadow root, and must not get one when it is parsed.
            if isTemplate, MarkupRules.equals(name, "shadowrootmode") { return }
            output.write(" ")
            output.write(name, .markup)
            output.write("=\"")
            output.write(value, .value)
            output.write("\"")
        }
    }
}
