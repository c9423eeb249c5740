import TestSupport
import Testing

@testable import WebDocument
@testable import WebRendering

/// Trees that are sent as a browser sends them, written, and read again.
struct DOMTreeRoundTripTests {
    /// A tree as the debugging protocol has it, the members of each node in a random order.
    private struct Sender {
        var random: SeededSequence

        mutating func message(_ document: Document) -> [UInt8] {
            let doctype = #"{"nodeType":10,"nodeName":"html","publicId":"","systemId":""}"#
            var children = [doctype]
            if let root = document.root { children.append(node(root.treeNode)) }
            let list = children.joined(separator: ",")
            let root = object([
                "nodeType": "9", "compatibilityMode": #""NoQuirksMode""#, "children": "[\(list)]",
            ])
            return Array(#"{"id":1,"result":{"root":\#(root)}}"#.utf8)
        }

        private mutating func object(_ members: [String: String]) -> String {
            var names = members.keys.sorted()
            var written: [String] = []
            while !names.isEmpty {
                let name = names.remove(at: random.next(names.count))
                written.append(#""\#(name)":\#(members[name] ?? "null")"#)
            }
            return "{" + written.joined(separator: random.pick([",", " ,\n"])) + "}"
        }

        private func string(_ text: String) -> String {
            let units = text.utf16.map { unit in
                let digits = String(unit, radix: 16)
                return #"\u"# + String(repeating: "0", count: 4 - digits.count) + digits
            }
            return "\"" + units.joined() + "\""
        }

        private mutating func children(_ node: TreeNode) -> String {
            var list: [String] = []
            var child = node.firstChild
            while let node = child {
                list.append(self.node(node))
                child = node.next
            }
            return "[" + list.joined(separator: ",") + "]"
        }

        private mutating func node(_ node: TreeNode) -> String {
            guard node.isElement else {
                let kind = node.isText ? "3" : "8"
                let text =
                    node.isText
                    ? unsafe node.textBytes.map { unsafe String(cString: $0) } ?? "" : node.commentText
                return object(["nodeType": kind, "nodeValue": string(text)])
            }
            let isHTML = node.isHTMLElement
            var members = ["nodeType": "1", "localName": "\"\(node.name)\"", "children": children(node)]
            members["nodeName"] = "\"\(isHTML ? node.name.uppercased() : node.name)\""
            if node.namespaceName?.hasSuffix("svg") == true { members["isSVG"] = "true" }
            members["attributes"] = "[" + attributes(node).joined(separator: ",") + "]"
            if let contents = node.contents {
                let fragment = object([
                    "nodeType": "11", "shadowRootType": #""open""#, "children": children(contents),
                ])
                members[node.isTemplate ? "templateContent" : "shadowRoots"] =
                    node.isTemplate ? fragment : "[\(fragment)]"
            }
            return object(members)
        }

        private func attributes(_ node: TreeNode) -> [String] {
            var list: [String] = []
            var next = node.firstAttribute
            while let attribute = next {
                let prefix = attribute.namespaceName?.hasSuffix("xlink") == true ? "xlink:" : ""
                list += [string(prefix + attribute.name), string(attribute.value)]
                next = attribute.next
            }
            return list
        }
    }

    @Test(arguments: PropertySeeds.first(25))
    func aTreeIsReadAsItWas(seed: Int) throws {
        var random = SeededSequence(seed)
        for _ in 0..<20 {
            let body = GeneratedTree.flow(&random, depth: 4).map(\.markup).joined()
            let markup = "<!DOCTYPE html><html><head></head><body><i></i>\(body)</body></html>"
            let first = try #require(try InspectionPages.page(markup).document)
            var sender = Sender(random: SeededSequence(seed))
            let written = try DOMTree(of: sender.message(first)).html(maximumBytes: 1 << 24)
            #expect(!written.isCut)
            #expect(String(decoding: written.html, as: UTF8.self) == markup, "seed \(seed)")
        }
    }
}
