import CHTMLTables

/// The entities of XHTML's document types: HTML's named character references, which browsers know without loading anything.
///
/// [HTML, section 14.2](https://html.spec.whatwg.org/multipage/xhtml.html#parsing-xhtml-documents)
enum XHTMLEntities {
    /// The public identifiers of document types that have them.
    private static let publicIdentifiers: Set<String> = [
        "-//W3C//DTD XHTML 1.0 Transitional//EN", "-//W3C//DTD XHTML 1.1//EN",
        "-//W3C//DTD XHTML 1.0 Strict//EN", "-//W3C//DTD XHTML 1.0 Frameset//EN",
        "-//W3C//DTD XHTML Basic 1.0//EN", "-//W3C//DTD XHTML 1.1 plus MathML 2.0//EN",
        "-//W3C//DTD XHTML 1.1 plus MathML 2.0 plus SVG 1.1//EN", "-//W3C//DTD MathML 2.0//EN",
        "-//WAPFORUM//DTD XHTML Mobile 1.0//EN",
    ]

    /// A document with characters in place of its references to these entities, but for those that it declares itself; nil
    /// where it has none.
    ///
    /// Complexity: O(n).
    static func replaced(_ document: UnsafeBufferPointer<UInt8>) -> [UInt8]? {
        var scanner = unsafe XMLDeclarationScanner(document)
        guard let identifier = scanner.skipToPublicIdentifier(), publicIdentifiers.contains(identifier) else {
            return nil
        }
        let declared = scanner.skipDoctype()
        var output: [UInt8] = []
        var copied = 0
        while scanner.skipToReference() {
            let start = scanner.position
            guard let characters = unsafe characters(document, &scanner.position, declared) else { continue }
            unsafe output += document[copied..<start]
            // Markup and white space stay references, so that they are neither.
            for byte in characters {
                if byte < 0x80 { output += "&#\(byte);".utf8 } else { output.append(byte) }
            }
            copied = scanner.position
        }
        guard copied > 0 else { return nil }
        unsafe output += document[copied...]
        return output
    }

    /// The characters of the reference at a position, which is moved behind it; nil, and moved behind the `&`, where there is
    /// none, or one that XML or the document declares.
    private static func characters(
        _ document: UnsafeBufferPointer<UInt8>,
        _ position: inout Int,
        _ declared: Set<[UInt8]>
    ) -> [UInt8]? {
        let start = position + 1
        position = start
        var node: UInt32 = 0
        var end = start
        repeat {
            guard end < document.count else { return nil }
            node = unsafe webl_reference_child(node, document[end])
            guard node != 0 else { return nil }
            end += 1
        } while unsafe document[end - 1] != UInt8(ascii: ";")
        let value = webl_reference_node_value(node)
        let name = unsafe Array(document[start..<end - 1])
        guard value != 0, !predefined.contains(name), !declared.contains(name) else { return nil }
        position = end
        let count = Int(webl_reference_count(value &- 1))
        return unsafe Array(UnsafeBufferPointer(start: webl_reference_bytes(value &- 1), count: count))
    }

    private static let predefined = Set(["amp", "apos", "gt", "lt", "quot"].map { Array($0.utf8) })
}
