/// Writes elements of a file of SVG as markup that HTML and XML read alike.
struct SymbolWriter {
    let root: TreeNode
    let elements: [String: Node]
    let prefix: String
    let mark: String

    /// The elements that are drawn, and what they are drawn with.
    private static let names: Set<String> = [
        "a", "animate", "animateMotion", "animateTransform", "circle", "clipPath", "defs", "ellipse",
        "feBlend",
        "feColorMatrix", "feComponentTransfer", "feComposite", "feConvolveMatrix", "feDiffuseLighting",
        "feDisplacementMap", "feDistantLight", "feDropShadow", "feFlood", "feFuncA", "feFuncB", "feFuncG",
        "feFuncR",
        "feGaussianBlur", "feImage", "feMerge", "feMergeNode", "feMorphology", "feOffset", "fePointLight",
        "feSpecularLighting", "feSpotLight", "feTile", "feTurbulence", "filter", "g", "image", "line",
        "linearGradient", "marker", "mask", "mpath", "path", "pattern", "polygon", "polyline",
        "radialGradient",
        "rect", "set", "stop", "svg", "switch", "symbol", "text", "textPath", "tspan", "use",
    ]

    private static func isDrawn(_ node: TreeNode) -> Bool {
        node.isElement && node.isInNamespace("http://www.w3.org/2000/svg") && names.contains(node.name)
    }

    // MARK: - References

    /// Elements and those that they refer to, each that is in no other of them.
    ///
    /// - Parameters:
    ///   - first: The elements.
    ///   - placed: The elements that are there already.
    ///   - budget: How many nodes may be looked at.
    /// - Returns: The elements; none if they are all there.
    func needed(from first: [TreeNode], without placed: Set<UInt>, _ budget: inout Int) -> [TreeNode] {
        var waiting = first
        var seen = placed
        var found: [TreeNode] = []
        while budget >= 0, let element = waiting.popLast() {
            // An element that is there has its contents there, too.
            guard !seen.contains(element.address) else { continue }
            seen.insert(element.address)
            found.append(element)
            walk(element, &budget) { node in
                guard Self.isDrawn(node) else { return false }
                seen.insert(node.address)
                for (name, value) in attributes(of: node) {
                    _ = renamed(name, value) { id in
                        if let target = elements[id] { waiting.append(target.treeNode) }
                    }
                }
                return true
            } leave: { _ in
            }
        }
        let all = Set(found)
        return found.filter { element in
            var parent = element.parent
            while let node = parent {
                if all.contains(node) { return false }
                parent = node.parent
            }
            return true
        }
    }

    // MARK: - Markup

    /// Adds the markup of an element with its contents, and records the elements that were written.
    func write(_ top: TreeNode, _ output: inout [UInt8], _ written: inout Set<UInt>, _ budget: inout Int) {
        let start = output.count
        walk(top, &budget) { node in
            if node.isText {
                var text: [UInt8] = []
                node.appendText(to: &text)
                Self.append(text, to: &output)
                return false
            }
            guard Self.isDrawn(node) else { return false }
            written.insert(node.address)
            output += "<\(node.name) \(mark)=\"\(prefix)\"".utf8
            if node == root { output += " id=\"\(prefix)\"".utf8 }
            for (name, value) in attributes(of: node) where name != mark && (name != "id" || node != root) {
                output += " \(name)=\"".utf8
                Self.append(Array((renamed(name, value) { _ in } ?? value).utf8), to: &output)
                output.append(UInt8(ascii: "\""))
            }
            output.append(UInt8(ascii: ">"))
            return true
        } leave: { node in
            output += "</\(node.name)>".utf8
        }
        budget -= output.count - start
    }

    /// Adds a style sheet whose rules are for the elements alone that are written here.
    func write(_ style: SymbolStyle, _ output: inout [UInt8], _ budget: inout Int) {
        let start = output.count
        output += "<style>".utf8
        // As plain as can be: who takes a page for what it is not may read it as it is written.
        for byte in style.text(of: "[\(mark)=\(prefix)]", renamed) {
            if byte == UInt8(ascii: "&") || byte == UInt8(ascii: "<")
                || byte == UInt8(ascii: ">") && output.last == UInt8(ascii: "]")
            {
                Self.append([byte], to: &output)
            } else {
                output.append(byte)
            }
        }
        output += "</style>".utf8
        budget -= output.count - start
    }

    /// The attributes of an element that mean something in a page.
    private func attributes(of element: TreeNode) -> [(name: String, value: String)] {
        var found: [(name: String, value: String)] = []
        var next = element.firstAttribute
        while let attribute = next {
            next = attribute.next
            if attribute.isPlain {
                let name = attribute.name
                if !name.asciiLowercased.hasPrefix("on") { found.append((name, attribute.value)) }
            } else if attribute.isInNamespace("http://www.w3.org/1999/xlink") {
                if attribute.hasName("href"), !element.hasAttribute("href") {
                    found.append(("href", attribute.value))
                }
            } else if attribute.isInNamespace("http://www.w3.org/XML/1998/namespace") {
                found.append(("xml:\(attribute.name)", attribute.value))
            }
        }
        return found
    }

    private static func append(_ text: [UInt8], to output: inout [UInt8]) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "&"): output += "&amp;".utf8
            case UInt8(ascii: "<"): output += "&lt;".utf8
            case UInt8(ascii: ">"): output += "&gt;".utf8
            case UInt8(ascii: "\""): output += "&quot;".utf8
            default: output.append(byte)
            }
        }
    }

    // MARK: - Identifiers

    /// An attribute's value with identifiers renamed; nil if it has none.
    private func renamed(_ name: String, _ value: String, _ found: (String) -> Void) -> String? {
        switch name {
        case "id": return prefix + value
        case "href":
            guard value.hasPrefix("#") else { return nil }
            let id = String(value.dropFirst())
            found(id)
            return "#" + renamed(id)
        default:
            var output = ""
            var rest = value[...]
            while let start = rest.firstRange(of: "url(") {
                output += rest[..<start.upperBound]
                rest = rest[start.upperBound...]
                let quote = rest.prefix { $0 == "\"" || $0 == "'" || $0 == " " }
                output += quote
                rest = rest.dropFirst(quote.count)
                guard rest.first == "#" else { continue }
                let id = String(rest.dropFirst().prefix { $0 != ")" && $0 != "\"" && $0 != "'" && $0 != " " })
                found(id)
                output += "#" + renamed(id)
                rest = rest.dropFirst(1 + id.count)
            }
            return output.isEmpty ? nil : output + rest
        }
    }

    private func renamed(_ id: String) -> String {
        // The file as a whole has an identifier, whether its root has one or not.
        elements[id]?.treeNode == root ? prefix : prefix + id
    }

    // MARK: - Walking

    /// Visits a node and those in it; `enter` says whether to visit what is in a node, `leave` comes after that.
    private func walk(
        _ top: TreeNode,
        _ budget: inout Int,
        enter: (TreeNode) -> Bool,
        leave: (TreeNode) -> Void
    ) {
        var node = top
        while budget >= 0 {
            budget -= 1
            let isOpen = enter(node)
            if isOpen, let child = node.firstChild {
                node = child
                continue
            }
            if isOpen { leave(node) }
            while node != top, node.next == nil {
                guard let parent = node.parent else { return }
                leave(parent)
                node = parent
            }
            guard node != top, let next = node.next else { return }
            node = next
        }
    }
}
