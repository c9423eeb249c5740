import CLibXML2

/// libxml2's own parsers, as ``PageParser``s: its HTML parser as an option, its XML parser for all XML.
struct LibXML2Parser: PageParser {
    let kind: Document.Kind
    let settings: ParsingSettings

    /// The options for XML: no network, no DTD except for what ``InternalSubset`` keeps of the document's
    /// own, no external entities; libxml2's own limits on depth and on the growth of entities apply.
    ///
    /// The encoding that the text declares is ignored: the text is UTF-8 by now.
    private static let xmlOptions =
        XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
        | XML_PARSE_RECOVER.rawValue | XML_PARSE_NOCDATA.rawValue | XML_PARSE_IGNORE_ENC.rawValue

    /// How deep libxml2 lets elements be nested.
    private static let maximumDepth = 256

    private static let htmlOptions =
        HTML_PARSE_NONET.rawValue | HTML_PARSE_NOERROR.rawValue | HTML_PARSE_NOWARNING.rawValue
        | HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NODEFDTD.rawValue | HTML_PARSE_IGNORE_ENC.rawValue

    package func parse(_ utf8: UnsafeBufferPointer<UInt8>) throws(ParsingError) -> ParserResult {
        if kind == .xml, let text = unsafe XHTMLEntities.replaced(utf8) {
            return try unsafe text.withUnsafeBufferPointer { (text) throws(ParsingError) in
                try unsafe parseText(text)
            }
        }
        return try unsafe parseText(utf8)
    }

    private func parseText(_ utf8: UnsafeBufferPointer<UInt8>) throws(ParsingError) -> ParserResult {
        guard let count = Int32(exactly: utf8.count) else { throw .inputTooLarge(utf8.count) }
        let maximum = settings.limits.maximumAttributes
        if let place = unsafe AttributeScan(utf8, kind, limit: maximum).firstExcess() {
            throw ParsingError(
                .tooManyAttributes,
                "the tag at byte \(place) has more than \(maximum) attributes, too many for libxml2's parser"
            )
        }
        LibXML2.initialize()
        let context = unsafe kind == .html ? htmlNewParserCtxt() : xmlNewParserCtxt()
        guard let context = unsafe context else { throw .outOfMemory }
        defer { unsafe xmlFreeParserCtxt(context) }
        // libxml2 does not accept a nil pointer, even for no bytes.
        let empty: StaticString = ""
        let bytes = unsafe UnsafeRawPointer(utf8.baseAddress ?? empty.utf8Start).assumingMemoryBound(
            to: CChar.self
        )
        switch kind {
        case .html: return try unsafe parseHTML(context, bytes, count)
        case .xml:
            guard let subset = unsafe InternalSubset(utf8) else {
                return try unsafe parseXML(context, bytes, count, nil)
            }
            guard subset.reachedLimit != nil else {
                return try unsafe parseXML(context, bytes, count, subset)
            }
            let text = unsafe subset.text(of: utf8)
            return try unsafe text.withUnsafeBufferPointer { (text) throws(ParsingError) in
                let start = unsafe UnsafeRawPointer(text.baseAddress ?? empty.utf8Start)
                let bytes = unsafe start.assumingMemoryBound(to: CChar.self)
                return try unsafe parseXML(context, bytes, count, subset)
            }
        }
    }

    private func parseHTML(
        _ context: htmlParserCtxtPtr,
        _ bytes: UnsafePointer<CChar>,
        _ count: Int32
    ) throws(ParsingError) -> ParserResult {
        let read = unsafe htmlCtxtReadMemory(
            context,
            bytes,
            count,
            nil,
            "UTF-8",
            Int32(truncatingIfNeeded: Self.htmlOptions)
        )
        guard let tree = unsafe read ?? htmlNewDocNoDtD(nil, nil) else { throw .outOfMemory }
        let isQuirks = unsafe xmlGetIntSubset(tree) == nil
        var page = ParserResult(
            document: unsafe Document(
                .html,
                tree: tree,
                compatibilityMode: isQuirks ? .quirks : .standards,
                // libxml2's HTML parser copies the names of attributes.
                hasInternedNames: false
            )
        )
        if let limit = unsafe limit(context.pointee.lastError) { page.limits.append(limit) }
        return page
    }

    private func parseXML(
        _ context: xmlParserCtxtPtr,
        _ bytes: UnsafePointer<CChar>,
        _ count: Int32,
        _ subset: InternalSubset?
    ) throws(ParsingError) -> ParserResult {
        let watch = XMLParserWatch(settings, size: Int(count), subset: subset?.start)
        let read = unsafe watch.watching(context) { context in
            unsafe xmlCtxtReadMemory(
                context,
                bytes,
                count,
                nil,
                "UTF-8",
                Int32(truncatingIfNeeded: Self.xmlOptions)
            )
        }
        let error = unsafe context.pointee.lastError
        let problem = unsafe message(error)
        let document = unsafe read.map { unsafe Document(.xml, tree: $0) }
        if watch.isCancelled { throw .cancelled }
        guard let document, document.root != nil else {
            throw ParsingError(.malformedXML, "invalid XML: \(problem ?? "no root element")")
        }
        document.memory = watch.memory
        var page = ParserResult(document: document)
        if let limit = subset?.reachedLimit { page.limits.append(limit) }
        if let limit = unsafe watch.reachedLimit ?? limit(error) {
            page.limits.append(limit)
        } else if unsafe context.pointee.wellFormed == 0 {
            page.warnings.append(
                "the XML is not well-formed, and may have been read incompletely: \(problem ?? "")"
            )
        }
        if settings.reportsErrors { page.errors = watch.errors }
        return page
    }

    /// The limit of libxml2 itself that the page reached, nil if it reached none.
    private func limit(_ error: xmlError) -> ReachedLimit? {
        if unsafe error.code == XML_ERR_ENTITY_LOOP.rawValue {
            return ReachedLimit(code: .entities, limit: 0, count: nil)
        }
        // The code only says that it was an internal limit of libxml2.
        guard unsafe error.code == XML_ERR_INTERNAL_ERROR.rawValue,
            unsafe message(error)?.contains("Excessive depth") == true
        else { return nil }
        return ReachedLimit(code: .depth, limit: Self.maximumDepth, count: nil)
    }

    /// The message of an error, with its line; nil if there was none.
    private func message(_ error: xmlError) -> String? {
        guard unsafe error.code != 0, let text = unsafe error.message else { return nil }
        let words = unsafe String(cString: text).collapsingASCIIWhitespace
        let line = unsafe error.line
        return line > 0 ? "line \(line): \(words)" : words
    }
}
