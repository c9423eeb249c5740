import CLibXML2

/// libxml2's own parsers, as ``PageParser``s: its HTML parser as a choice, its XML parser for all XML.
struct LibXML2Parser: PageParser {
    let kind: Document.Kind

    /// XML: no network, no DTD, no external entities; libxml2's own bounds on depth and on entities' growth stand.
    private static let xmlOptions =
        XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        | XML_PARSE_RECOVER.rawValue | XML_PARSE_NOCDATA.rawValue

    private static let htmlOptions =
        HTML_PARSE_NONET.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
        | HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NODEFDTD.rawValue

    func parse(_ utf8: UnsafeBufferPointer<UInt8>) throws(ParsingError) -> ParsedPage {
        guard let count = Int32(exactly: utf8.count) else { throw .inputTooLarge(utf8.count) }
        LibXML2.initialize()
        let context = unsafe kind == .html ? htmlNewParserCtxt() : xmlNewParserCtxt()
        guard let context = unsafe context else { throw .outOfMemory }
        defer { unsafe xmlFreeParserCtxt(context) }
        // libxml2 takes no pointer that is nil, not even for nothing.
        let empty: StaticString = ""
        let bytes = unsafe UnsafeRawPointer(utf8.baseAddress ?? empty.utf8Start).assumingMemoryBound(
            to: CChar.self
        )
        let tree =
            switch kind {
            case .html:
                unsafe htmlCtxtReadMemory(context, bytes, count, nil, "UTF-8", Int32(Self.htmlOptions))
            case .xml:
                unsafe xmlCtxtReadMemory(context, bytes, count, nil, "UTF-8", Int32(Self.xmlOptions))
            }
        let problem = unsafe message(context.pointee.lastError)
        switch kind {
        case .html:
            guard let tree = unsafe tree ?? htmlNewDocNoDtD(nil, nil) else { throw .outOfMemory }
            let isQuirks = unsafe xmlGetIntSubset(tree) == nil
            return ParsedPage(
                document: unsafe Document(
                    .html,
                    tree: tree,
                    compatibilityMode: isQuirks ? .quirks : .standards
                )
            )
        case .xml:
            guard let tree = unsafe tree else {
                throw ParsingError(.malformedXML, "no XML: \(problem ?? "it is empty")")
            }
            let document = unsafe Document(.xml, tree: tree)
            guard document.root != nil else {
                throw ParsingError(.malformedXML, "no XML: \(problem ?? "no root element")")
            }
            var page = ParsedPage(document: document)
            if unsafe context.pointee.wellFormed == 0 {
                page.warnings.append(
                    "the XML is not well-formed and was read as far as it went: \(problem ?? "")"
                )
            }
            return page
        }
    }

    /// The last error in words, nil if there was none.
    private func message(_ error: xmlError) -> String? {
        guard unsafe error.code != 0, let text = unsafe error.message else { return nil }
        let words = unsafe String(cString: text).collapsingASCIIWhitespace
        let line = unsafe error.line
        return line > 0 ? "line \(line): \(words)" : words
    }
}
