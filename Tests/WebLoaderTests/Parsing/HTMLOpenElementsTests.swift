import CLibXML2
import TestSupport
import Testing

@testable import WebDocument

/// The stack of open elements against a plain array that is searched from the top.
struct HTMLOpenElementsTests {
    private struct Model {
        var name: HTMLElementName
        var node: TreeNode
        var kind: HTMLElementKind
    }

    private static let names: [HTMLElementName] = [
        .div, .p, .b, .i, .li, .form, .table, .td, .button, .span, .section, .template,
    ]

    private static func kind(_ name: HTMLElementName) -> HTMLElementKind {
        switch name {
        case .b, .i: [.html, .formatting]
        case .span: .html
        case .table, .td, .template: [.html, .special, .scope]
        default: [.html, .special]
        }
    }

    @Test(arguments: 0..<40)
    func answersAsASearchOfTheStackDoes(seed: Int) throws {
        var generator = SeededGenerator(seed: UInt64(seed))
        var stack = HTMLOpenElements()
        var models: [Model] = []
        var made: [TreeNode] = []
        defer { for node in made { unsafe xmlFreeNode(node.pointer) } }
        func node() throws -> TreeNode {
            let new = unsafe try #require(xmlNewNode(nil, "x"))
            made.append(unsafe TreeNode(new))
            return unsafe TreeNode(new)
        }
        func push(_ name: HTMLElementName) throws {
            let model = Model(name: name, node: try node(), kind: Self.kind(name))
            stack.push(model.node, atom: UInt32(name.rawValue), kind: model.kind)
            models.append(model)
        }
        try push(.section)
        for _ in 0..<400 {
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<5: try push(try #require(Self.names.randomElement(using: &generator)))
            case 5..<7 where models.count > 1:
                let popped = stack.pop()
                #expect(popped.node == models.removeLast().node)
            case 7 where models.count > 2:
                let position = Int.random(in: 1..<models.count, using: &generator)
                let model = models.remove(at: position)
                // The parser takes no scope boundary out of the middle.
                if model.kind.contains(.scope) {
                    models.insert(model, at: position)
                } else {
                    let index = stack.index(of: model.node, named: model.name)
                    stack.remove(at: try #require(index))
                }
            case 8..<10:
                try adopt(&stack, &models, node: try node())
            default: break
            }
            try compare(stack, models)
        }
    }

    /// Changes the stack as the adoption agency algorithm does.
    private func adopt(_ stack: inout HTMLOpenElements, _ models: inout [Model], node: TreeNode) throws {
        guard let formatting = models.lastIndex(where: { $0.kind.contains(.formatting) }) else { return }
        let above = models[(formatting + 1)...]
        guard let block = above.firstIndex(where: { $0.kind.contains(.special) }),
            !above.contains(where: { $0.kind.contains(.scope) })
        else { return }
        let element = models[formatting]
        for model in models[(formatting + 1)..<block] {
            let index = stack.index(of: model.node, named: model.name)
            stack.remove(at: try #require(index))
        }
        let from = stack.index(of: element.node, named: element.name)
        let to = stack.index(of: models[block].node, named: models[block].name)
        stack.moveFormattingElement(at: try #require(from), above: try #require(to), as: node)
        models.insert(Model(name: element.name, node: node, kind: element.kind), at: block + 1)
        models.removeSubrange(formatting..<block)
    }

    private func compare(_ stack: borrowing HTMLOpenElements, _ models: [Model]) throws {
        #expect(stack.depth == models.count)
        let topNode = stack.top.node
        #expect(topNode == models.last?.node)
        for name in Self.names {
            let topmost = models.last { $0.name == name }?.node
            let index = stack.last(name)
            #expect((index < 0 ? nil : stack[index].node) == topmost)
            let isInScope = Self.search(models, for: name) { $0.kind.contains(.scope) }
            #expect(stack.hasInScope(name) == isInScope)
            let isInButtonScope = Self.search(models, for: name) {
                $0.kind.contains(.scope) || $0.name == .button
            }
            #expect(stack.hasInButtonScope(name) == isInButtonScope)
        }
        let special = models.last { $0.kind.contains(.special) }
        let nearestSpecial = stack[Int(stack.top.nearestSpecial)].node
        #expect(nearestSpecial == special?.node)
        let boundary = models.last { $0.kind.contains(.special) && $0.name != .div && $0.name != .p }
        let nearestBoundary = stack[Int(stack.top.nearestItemBoundary)].node
        #expect(nearestBoundary == boundary?.node)
    }

    /// The standard's search: from the top until the element or a boundary turns up.
    private static func search(
        _ models: [Model],
        for name: HTMLElementName,
        until isBoundary: (Model) -> Bool
    ) -> Bool {
        for model in models.reversed() {
            if model.name == name { return true }
            if isBoundary(model) { return false }
        }
        return false
    }
}
