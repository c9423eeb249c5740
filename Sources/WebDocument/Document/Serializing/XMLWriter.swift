import CLibXML2
import WebStandards

/// Writes a tree as XML: an XML tree as it is, an HTML tree coerced to well-formed XML.
@safe struct XMLWriter {
    private(set) var bytes: [UInt8] = []

    private let isHTML: Bool

    /// For trees of HTML: the namespace of elements without a prefix, inside each open element.
    private var defaults: [Namespace] = [.none]

    private var references = EntityReferences()

    /// Bytes that entities may still stand for; what is beyond is left out.
    var maximumExpansion = Int.largestBounded

    /// Whether entities stood for parts of what is written, and whether some of that is left out.
    private(set) var (hasEntities, isTruncated) = (false, false)

    private enum Namespace {
        case none
        case html
        case svg
        case mathML

        var name: StaticString? {
            switch self {
            case .none: nil
            case .html: "http://www.w3.org/1999/xhtml"
            case .svg: "http://www.w3.org/2000/svg"
            case .mathML: "http://www.w3.org/1998/Math/MathML"
            }
        }
    }

    init(_ kind: Document.Kind) {
        isHTML = kind == .html
    }

    /// Writes the contents of a node, and the node itself unless `isInner`.
    mutating func write(_ root: TreeNode, isInner: Bool) {
        root.walkMarkup(isInner: isInner) { step in
            switch step {
            case .enter(let node):
                write(start: node, isOutermost: isInner ? node.parent == root : node == root)
            case .leave(let node): write(end: node)
            case .enterContents, .leaveContents: break
            }
        }
    }

    /// Writes the start tag of an element, or the whole of any other node.
    mutating func write(start node: TreeNode, isOutermost: Bool) {
        let pointer = unsafe node.pointer
        switch unsafe pointer.pointee.type {
        case XML_ELEMENT_NODE: write(startTag: node, isOutermost: isOutermost)
        case XML_TEXT_NODE, XML_CDATA_SECTION_NODE:
            if let text = unsafe node.textBytes { unsafe bytes.append(escaping: text, .xmlText) }
        case XML_COMMENT_NODE:
            bytes += "<!--".utf8
            unsafe append(pointer.pointee.content, apart: "-", "-")
            if bytes.last == UInt8(ascii: "-") { bytes.append(UInt8(ascii: " ")) }
            bytes += "-->".utf8
        case XML_PI_NODE:
            bytes += "<?".utf8
            unsafe append(name: pointer.pointee.name)
            bytes.append(UInt8(ascii: " "))
            unsafe append(pointer.pointee.content, apart: "?", ">")
            bytes += "?>".utf8
        case XML_ENTITY_REF_NODE:
            bytes.append(UInt8(ascii: "&"))
            unsafe bytes.append(nulTerminated: pointer.pointee.name)
            bytes.append(UInt8(ascii: ";"))
        case XML_DTD_NODE: write(doctype: node)
        default: break
        }
    }

    /// Writes the end tag of an element, or makes the tag that was just written end it.
    mutating func write(end element: TreeNode) {
        if isHTML { defaults.removeLast() }
        let isEmpty =
            element.firstChild == nil && !(element.isTemplate && element.contents?.firstChild != nil)
        if isEmpty, !isHTML || !element.isHTMLElement || element.isVoidElement {
            bytes.removeLast()
            bytes += "/>".utf8
            return
        }
        bytes += "</".utf8
        append(qualifiedNameOf: element)
        bytes.append(UInt8(ascii: ">"))
    }

    mutating func write(startTag element: TreeNode, isOutermost: Bool) {
        bytes.append(UInt8(ascii: "<"))
        append(qualifiedNameOf: element)
        if isHTML {
            let namespace = namespace(of: element)
            if defaults.last != namespace, let name = namespace.name { append(declaration: name) }
            defaults.append(namespace)
        } else {
            unsafe append(declarations: element.pointer.pointee.nsDef, of: element, isOutermost)
        }
        var declaresXLink = false
        var attribute = unsafe element.pointer.pointee.properties
        while let current = unsafe attribute {
            unsafe attribute = current.pointee.next
            if isHTML, unsafe isNamespaceDeclaration(current) { continue }
            if isHTML, unsafe TreeAttribute(current)?.isInNamespace("http://www.w3.org/1999/xlink") == true {
                if !declaresXLink { bytes += " xmlns:xlink=\"http://www.w3.org/1999/xlink\"".utf8 }
                declaresXLink = true
            }
            bytes.append(UInt8(ascii: " "))
            unsafe append(prefix: current.pointee.ns)
            unsafe append(name: current.pointee.name)
            bytes.append(UInt8(ascii: "="))
            var value = unsafe TreeAttribute(current)?.value ?? ""
            if unsafe TreeAttribute(current)?.hasEntities == true, !expand(value) { value = "" }
            write(quoted: value)
        }
        bytes.append(UInt8(ascii: ">"))
    }

    /// Whether an attribute of HTML is, or looks like, a namespace declaration; these are written from the
    /// tree instead.
    private func isNamespaceDeclaration(_ attribute: UnsafeMutablePointer<xmlAttr>) -> Bool {
        guard let attribute = unsafe TreeAttribute(attribute) else { return false }
        if attribute.isPlain { return attribute.hasName("xmlns") }
        return attribute.isInNamespace("http://www.w3.org/2000/xmlns/")
    }

    // MARK: - Values and texts

    /// Writes the value of an attribute in quotes; it must not contain NUL.
    mutating func write(quoted value: String) {
        bytes.append(UInt8(ascii: "\""))
        write(escaped: value, .xmlAttribute)
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a text that an entity stands for.
    mutating func write(expanded text: String) {
        if expand(text) { write(escaped: text, .xmlText) }
    }

    /// Writes bytes without escaping them.
    mutating func write(raw more: some Sequence<UInt8>) { bytes.append(contentsOf: more) }

    private mutating func write(escaped text: String, _ escaping: MarkupEscaping) {
        unsafe (Array(text.utf8) + [0]).withUnsafeBufferPointer { buffer in
            if let start = buffer.baseAddress { unsafe bytes.append(escaping: start, escaping) }
        }
    }

    /// Takes a text that entities stand for from what they may; returns whether there was enough.
    private mutating func expand(_ text: String) -> Bool {
        hasEntities = true
        guard text.utf8.count <= maximumExpansion else {
            isTruncated = true
            return false
        }
        maximumExpansion -= text.utf8.count
        return true
    }

    // MARK: - Namespaces

    private func namespace(of element: TreeNode) -> Namespace {
        if element.isInNamespace("http://www.w3.org/2000/svg") { return .svg }
        return element.isInNamespace("http://www.w3.org/1998/Math/MathML") ? .mathML : .html
    }

    private mutating func append(declaration name: StaticString) {
        bytes += " xmlns=\"".utf8
        name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes the namespace declarations of an element; for the outermost one, also those in scope around it.
    private mutating func append(
        declarations: UnsafeMutablePointer<xmlNs>?,
        of element: TreeNode,
        _ isOutermost: Bool
    ) {
        if isOutermost, let list = unsafe xmlGetNsList(element.pointer.pointee.doc, element.pointer) {
            defer { unsafe webl_xmlFree(list) }
            var index = 0
            while let declaration = unsafe list[index] {
                unsafe append(declaration, of: element)
                index += 1
            }
            return
        }
        var declaration = unsafe declarations
        while let current = unsafe declaration {
            unsafe append(current, of: element)
            unsafe declaration = current.pointee.next
        }
    }

    private mutating func append(_ declaration: UnsafeMutablePointer<xmlNs>, of element: TreeNode) {
        bytes += " xmlns".utf8
        if let prefix = unsafe declaration.pointee.prefix {
            bytes.append(UInt8(ascii: ":"))
            unsafe bytes.append(nulTerminated: prefix)
        }
        bytes += "=\"".utf8
        if let href = unsafe declaration.pointee.href {
            let text = unsafe String(cString: href)
            let hasReference = !isHTML && text.utf8.contains(UInt8(ascii: "&"))
            write(escaped: hasReference ? namespaceName(text, in: element) : text, .xmlAttribute)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// The name of a namespace, in which libxml2 leaves the references as they are.
    private mutating func namespaceName(_ text: String, in element: TreeNode) -> String {
        guard let name = unsafe references.replaced(in: text, of: element.pointer.pointee.doc) else {
            isTruncated = true
            return text
        }
        // The tree has another namespace.
        return expand(name) ? name : ""
    }

    // MARK: - Names

    private mutating func append(qualifiedNameOf element: TreeNode) {
        if !isHTML { unsafe append(prefix: element.pointer.pointee.ns) }
        unsafe append(name: element.nameBytes)
    }

    private mutating func append(prefix namespace: UnsafeMutablePointer<xmlNs>?) {
        guard let prefix = unsafe namespace?.pointee.prefix else { return }
        unsafe bytes.append(nulTerminated: prefix)
        bytes.append(UInt8(ascii: ":"))
    }

    /// Writes a name; in a tree of HTML, characters that XML does not allow in names are coerced.
    private mutating func append(name: UnsafePointer<UInt8>?) {
        guard let name = unsafe name else { return }
        guard isHTML else { return unsafe bytes.append(nulTerminated: name) }
        var isFirst = true
        for scalar in unsafe String(cString: name).unicodeScalars {
            if Self.isName(scalar, isFirst: isFirst) {
                bytes += String(scalar).utf8
            } else {
                let digits = String(scalar.value, radix: 16, uppercase: true)
                bytes += "U\(String(repeating: "0", count: 6 - digits.utf8.count))\(digits)".utf8
            }
            isFirst = false
        }
    }

    /// "NameStartChar" and "NameChar", without the colon, which would make a prefix.
    ///
    /// <https://www.w3.org/TR/xml/#NT-NameStartChar>
    private static func isName(_ scalar: Unicode.Scalar, isFirst: Bool) -> Bool {
        switch scalar.value {
        case 0x41...0x5A, 0x5F, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x2FF, 0x370...0x37D,
            0x37F...0x1FFF, 0x200C...0x200D, 0x2070...0x218F, 0x2C00...0x2FEF, 0x3001...0xD7FF,
            0xF900...0xFDCF, 0xFDF0...0xFFFD, 0x10000...0xEFFFF:
            true
        case 0x2D, 0x2E, 0x30...0x39, 0xB7, 0x300...0x36F, 0x203F...0x2040: !isFirst
        default: false
        }
    }

    // MARK: - Character sequences that XML does not allow

    /// Writes a text with a space wherever `second` follows `first`, and with U+FFFD for characters that XML
    /// does not allow.
    private mutating func append(
        _ text: UnsafeMutablePointer<UInt8>?,
        apart first: Unicode.Scalar,
        _ second: Unicode.Scalar
    ) {
        guard let text = unsafe text else { return }
        var previous: Unicode.Scalar?
        for scalar in unsafe String(cString: text).unicodeScalars {
            if previous == first, scalar == second { bytes.append(UInt8(ascii: " ")) }
            let isCharacter =
                scalar.value >= 0x20 && scalar.value & 0xFFFE != 0xFFFE || scalar == "\t" || scalar == "\n"
            bytes += String(isCharacter || scalar.value > 0xFFFF ? scalar : "\u{FFFD}").utf8
            previous = scalar
        }
    }

    // MARK: - The doctype

    private mutating func write(doctype node: TreeNode) {
        guard isHTML else {
            guard let buffer = unsafe xmlBufferCreate() else { return }
            defer { unsafe xmlBufferFree(buffer) }
            _ = unsafe xmlNodeDump(buffer, node.pointer.pointee.doc, node.pointer, 0, 0)
            unsafe bytes.append(nulTerminated: xmlBufferContent(buffer))
            return
        }
        write(doctypeWithoutSubset: node)
    }

    /// Writes a doctype without declarations.
    ///
    /// - Returns: Whether it names a file of them.
    @discardableResult mutating func write(doctypeWithoutSubset node: TreeNode) -> Bool {
        // A doctype of HTML may have no name.
        guard let name = unsafe node.nameBytes, unsafe name.pointee != 0 else { return false }
        let dtd = unsafe UnsafeMutableRawPointer(node.pointer).assumingMemoryBound(to: xmlDtd.self)
        bytes += "<!DOCTYPE ".utf8
        unsafe append(name: name)
        let publicID = unsafe dtd.pointee.ExternalID.map { unsafe String(cString: $0) } ?? ""
        let systemID = unsafe dtd.pointee.SystemID.map { unsafe String(cString: $0) } ?? ""
        let isPublic = !publicID.isEmpty && publicID.utf8.allSatisfy(Self.isPublicIDCharacter)
        if isPublic {
            bytes += " PUBLIC \"\(publicID)\"".utf8
        } else if !systemID.isEmpty {
            bytes += " SYSTEM".utf8
        }
        if isPublic || !systemID.isEmpty {
            // One kind of quote marks may stand inside the other.
            let quote: Character = systemID.contains("\"") ? "'" : "\""
            bytes += " \(quote)\(systemID.filter { $0 != quote })\(quote)".utf8
        }
        bytes.append(UInt8(ascii: ">"))
        return isPublic || !systemID.isEmpty
    }

    /// "PubidChar". <https://www.w3.org/TR/xml/#NT-PubidChar>
    private static func isPublicIDCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: " \r\n-'()+,./:=?;!*#@$_%".utf8.contains(byte)
        }
    }
}
