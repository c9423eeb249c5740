/// The tree of a page in a browser, for writing it as HTML.
///
/// A parser of HTML makes the same tree of the text wherever HTML can express it, and no text of the page becomes markup:
///
/// - It is written as the standard serialises, but what that loses is written so that it is read again: the line feed that
///   begins a `pre`, carriage returns, the identifiers of a doctype.
/// - What HTML cannot express does not break out of its place. A name that no tag can have is left out, and the contents of
///   its element stand in its place; `</script` in a script becomes `<\/script`; `-->` in a comment `-- >`; NUL and halves
///   of surrogate pairs U+FFFD. A style sheet, a script or a title has text alone in it.
/// - Shadow roots of the page, open and closed, are a `<template shadowrootmode>` in the beginning of their host. Those of
///   the browser, and pseudo-elements, are left out.
/// - The document of a frame is the `srcdoc` of its element, whose `src` is kept: what it is and where it came from are both
///   known. A `<base>` in its head has its URLs resolved as they were. Frames without a page of theirs (an empty
///   `about:blank`, the browser's own message that a page cannot be had) have none.
/// - A document in no quirks mode that has no doctype, as pages of XML, gets `<!DOCTYPE html>`, without which it would be
///   read by other rules.
///
/// Chromium's answers are incomplete. It never sends what is in a template, and it has no answer at all
/// ("CBOR: stack limit exceeded") where objects and arrays are nested more than 300 deep, which 146 elements in each other
/// are. So ask for the document with `"depth": -1`, and if that fails with ``nestingDepth``; then, for each node of
/// ``nextIncomplete()``, for that node:
///
///     var tree = try DOMTree(of: answer)
///     while let node = tree.nextIncomplete() {
///         // DOM.describeNode {"backendNodeId": node, "depth": DOMTree.nestingDepth, "pierce": true}
///         try tree.add(answer)
///     }
///     let markup = tree.html(maximumBytes: limit)
///
/// Members are taken in any order, and may be missing: a browser that was taken over may answer anything.
///
/// <https://html.spec.whatwg.org/multipage/parsing.html#serialising-html-fragments>
struct DOMTree {
    /// A tree as text.
    struct Markup: Equatable, Sendable {
        /// The text, in UTF-8.
        let html: [UInt8]
        /// Whether something is missing: a node did not fit, with which the text ends but for the ends of elements, or the
        /// children of a node were never sent.
        let isCut: Bool
    }

    /// A depth for which Chromium always has an answer: a host with a shadow root in each other takes four levels for one.
    static let nestingDepth = 70

    private var nodes: DOMNodes

    /// Reads a browser's answer to `DOM.getDocument {"depth": …, "pierce": true}`.
    ///
    /// - Parameter answer: The message, as it came: `{"id":7,"result":{"root":{…}}}`.
    /// - Throws: Where it is no such message.
    /// - Complexity: O(n) in the size of the answer, without recursion. On real pages it takes a third of the answer's memory
    ///   beside it, in the worst case about ten times as much.
    init(of answer: [UInt8]) throws(DOMTreeError) {
        nodes = try DOMNodes(of: answer)
    }

    /// The backend identifier of a node whose children the browser has not sent, each once; nil if there is none left.
    mutating func nextIncomplete() -> Int? { nodes.nextIncomplete() }

    /// Takes a browser's answer to `DOM.describeNode {"backendNodeId": …, "depth": …, "pierce": true}`.
    ///
    /// - Parameter answer: The message, as it came: `{"id":8,"result":{"node":{…}}}`. One about a node of which all is known
    ///   changes nothing.
    /// - Throws: Where it is no such message; the tree is what it was then.
    mutating func add(_ answer: [UInt8]) throws(DOMTreeError) {
        try nodes.add(answer)
    }

    /// Writes the tree.
    ///
    /// - Parameter maximumBytes: How long the text may become.
    /// - Returns: The text.
    /// - Complexity: O(n) in the size of the answers and of the text, without recursion.
    func html(maximumBytes: Int) -> Markup {
        var writer = DOMTreeWriter(nodes, maximumBytes: maximumBytes)
        return writer.markup()
    }
}

/// Why an answer of a browser is no tree.
enum DOMTreeError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The message is not JSON, from this byte on.
    case malformed(offset: Int)
    /// The message has no node: the browser refused, or answered something else.
    case noNode

    var description: String {
        switch self {
        case .malformed(let offset): "the browser's message is not JSON (byte \(offset))"
        case .noNode: "the browser's message has no node"
        }
    }
}
