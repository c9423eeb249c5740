import TestSupport
import Testing

@testable import WebDocument

/// The matcher against one that does without tables, orders and tricks: random selectors on random pages.
struct SelectorPropertyTests {
    @Test(arguments: PropertySeeds.first(60))
    func agreesWithTheDefinition(seed: Int) throws {
        var random = SeededSequence(seed)
        let document = try SelectorPages.html(Self.markup(&random))
        for _ in 0..<12 {
            let complex = NaiveComplex(&random, depth: 1)
            let found = try document.querySelectorAll(complex.text).map(\.treeNode)
            let expected = document.root.map { [$0] + Array($0.descendants) } ?? []
            #expect(found == expected.filter { complex.matches($0) }.map(\.treeNode), "\(complex.text)")
        }
    }

    /// Sibling lists long enough for the tables.
    private static func markup(_ random: inout SeededSequence) -> String {
        var markup = ""
        var open: [String] = []
        for _ in 0..<(20 + random.next(40)) {
            if !open.isEmpty, random.next(3) == 0 {
                markup += "</\(open.removeLast())>"
            } else {
                let name = ["div", "b", "i", "section"][random.next(4)]
                markup +=
                    "<\(name)\(random.next(2) == 0 ? " class=\(["x", "y", "\"x y\""][random.next(3)])" : "")>"
                if random.next(4) == 0 { open.append(name) } else { markup += "</\(name)>" }
            }
        }
        return markup
    }
}

/// A complex selector and what it means, word for word.
struct NaiveComplex {
    private var compounds: [NaiveCompound] = []
    private var combinators: [String] = []

    init(_ random: inout SeededSequence, depth: Int) {
        for index in 0...random.next(depth > 0 ? 3 : 2) {
            if index > 0 { combinators.append([" ", " > ", " + ", " ~ "][random.next(4)]) }
            compounds.append(NaiveCompound(&random, depth: depth))
        }
    }

    var text: String {
        compounds.indices.map { (($0 > 0) ? combinators[$0 - 1] : "") + compounds[$0].text }.joined()
    }

    func matches(_ node: Node) -> Bool { matches(node, compounds.count - 1) { _ in true } }

    /// Whether an element matches all up to an index, and the first one's element passes a test.
    func matches(_ node: Node, _ index: Int, first: (Node) -> Bool) -> Bool {
        guard compounds[index].matches(node) else { return false }
        guard index > 0 else { return first(node) }
        return Self.candidates(node, combinators[index - 1]).contains { matches($0, index - 1, first: first) }
    }

    /// Whether some element matches that stands to this one as a relative selector has it.
    func isRelated(to anchor: Node, _ combinator: String) -> Bool {
        let all = anchor.document.root.map { [$0] + Array($0.descendants) } ?? []
        return all.contains { node in
            matches(node, compounds.count - 1) { Self.candidates($0, combinator).contains(anchor) }
        }
    }

    private static func candidates(_ node: Node, _ combinator: String) -> [Node] {
        switch combinator {
        case " ": return Array(node.ancestors)
        case " > ": return node.parentElement.map { [$0] } ?? []
        case " + ": return node.previousElementSibling.map { [$0] } ?? []
        default:
            var siblings: [Node] = []
            var current = node.previousElementSibling
            while let sibling = current {
                siblings.append(sibling)
                current = sibling.previousElementSibling
            }
            return siblings
        }
    }
}

/// A compound selector and what it means.
struct NaiveCompound {
    private(set) var text = ""
    private var tests: [(Node) -> Bool] = []

    init(_ random: inout SeededSequence, depth: Int) {
        let name = ["div", "b", "i", "section"][random.next(4)]
        switch random.next(3) {
        case 0:
            text = name
            tests = [{ $0.name == name }]
        case 1: text = "*"
        default:
            text = ".x"
            tests = [{ $0.classList.contains("x") }]
        }
        switch random.next(depth > 0 ? 8 : 3) {
        case 0:
            let step = random.next(5) - 2
            let offset = random.next(7) - 2
            text += ":nth-child(\(step)n\(offset < 0 ? "" : "+")\(offset))"
            tests.append { Self.isNth($0, step, offset) { _ in true } }
        case 1:
            text += ":nth-last-of-type(2n+1)"
            tests.append { node in Self.isNth(node, 2, 1, fromEnd: true) { $0.name == node.name } }
        case 2: break
        case 3:
            let inner = NaiveComplex(&random, depth: depth - 1)
            text += ":not(\(inner.text))"
            tests.append { !inner.matches($0) }
        case 4:
            let one = NaiveComplex(&random, depth: depth - 1)
            let other = NaiveComplex(&random, depth: depth - 1)
            text += ":is(\(one.text), \(other.text))"
            tests.append { one.matches($0) || other.matches($0) }
        case 5:
            let inner = NaiveComplex(&random, depth: 0)
            text += ":nth-child(odd of \(inner.text))"
            tests.append { node in inner.matches(node) && Self.isNth(node, 2, 1) { inner.matches($0) } }
        default:
            let inner = NaiveComplex(&random, depth: 0)
            let combinator = [" ", " > ", " + ", " ~ "][random.next(4)]
            text += ":has(\(combinator)\(inner.text))"
            tests.append { inner.isRelated(to: $0, combinator) }
        }
    }

    func matches(_ node: Node) -> Bool { tests.allSatisfy { $0(node) } }

    private static func isNth(
        _ node: Node,
        _ step: Int,
        _ offset: Int,
        fromEnd: Bool = false,
        where counts: (Node) -> Bool
    ) -> Bool {
        var number = 1
        var current = fromEnd ? node.nextElementSibling : node.previousElementSibling
        while let sibling = current {
            if counts(sibling) { number += 1 }
            current = fromEnd ? sibling.nextElementSibling : sibling.previousElementSibling
        }
        return (0...1000).contains { step * $0 + offset == number }
    }
}
