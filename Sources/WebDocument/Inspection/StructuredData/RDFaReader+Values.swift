/// Current property values.
///
/// [RDFa Core 1.1, section 7.5, step 11](https://www.w3.org/TR/rdfa-core/#s_sequence)
extension RDFaReader {
    mutating func value(
        of element: TreeNode,
        _ attributes: RDFaAttributes,
        _ context: RDFaContext,
        _ local: Local
    ) -> RDFaNode.Value? {
        let datatype = attributes.datatype.map { context.iri($0.trimmingASCIIWhitespace) ?? "" }
        if let datatype, !datatype.isEmpty {
            return typed(datatype, element, attributes)
        }
        if let content = attributes.content {
            return literal(content, context)
        }
        // HTML's additions: times and data.
        if element.isHTMLElement {
            if element.hasName("time"), datatype == nil {
                let text = element.attribute("datetime") ?? budget.textContent(of: element)
                let type = Self.datatype(ofTime: text)
                guard budget.spend(text.utf8.count) else { return nil }
                return .literal(text, language: type == nil ? context.language : nil, datatype: type)
            }
            if element.hasName("data"), let value = element.attribute("value") {
                return literal(value, context)
            }
        }
        // An empty one is that of a plain text.
        if datatype != nil {
            return .literal(budget.textContent(of: element), language: context.language, datatype: nil)
        }
        let hasRelation = attributes.rel != nil || attributes.rev != nil
        if !hasRelation, let resource = resource(attributes, context) {
            return iri(resource).map { .resource($0) }
        }
        if attributes.typeof != nil, attributes.about == nil, let resource = local.typedResource {
            return iri(resource).map { .resource($0) }
        }
        return .literal(budget.textContent(of: element), language: context.language, datatype: nil)
    }

    private func resource(_ attributes: RDFaAttributes, _ context: RDFaContext) -> RDFaResource? {
        if let resource = attributes.resource.flatMap({ context.resource($0) }) { return resource }
        return (attributes.href ?? attributes.src).map { .reference($0.trimmingASCIIWhitespace) }
    }

    private mutating func literal(_ text: String, _ context: RDFaContext) -> RDFaNode.Value? {
        guard budget.spend(text.utf8.count) else { return nil }
        return .literal(text, language: context.language, datatype: nil)
    }

    private mutating func typed(
        _ datatype: String,
        _ element: TreeNode,
        _ attributes: RDFaAttributes
    ) -> RDFaNode.Value? {
        if let content = attributes.content {
            guard budget.spend(content.utf8.count) else { return nil }
            return .literal(content, language: nil, datatype: datatype)
        }
        if element.isHTMLElement, element.hasName("time"), let date = element.attribute("datetime") {
            guard budget.spend(date.utf8.count) else { return nil }
            return .literal(date, language: nil, datatype: datatype)
        }
        if datatype == RDFaTerms.xmlLiteral || datatype == RDFaTerms.htmlLiteral {
            let form: MarkupForm = datatype == RDFaTerms.xmlLiteral ? .xml : .html
            guard budget.spend(InspectionBudget.visit *| budget.nodes(inside: element)) else { return nil }
            let markup = element.markup(form, in: document, isInner: true)
            guard budget.spend(4 * markup.count) else { return nil }
            let text = String(decoding: markup, as: UTF8.self)
            return .literal(text, language: nil, datatype: datatype)
        }
        return .literal(budget.textContent(of: element), language: nil, datatype: datatype)
    }

    /// The datatype of a time by its format; nil for any other text.
    ///
    /// [HTML+RDFa 1.1, section 3.1, rule 9](https://www.w3.org/TR/html-rdfa/#additional-rdfa-processing-rules)
    private static func datatype(ofTime text: String) -> String? {
        var shape: [UInt8] = []
        for byte in text.utf8.prefix(40) { shape.append(byte.isASCIIDigit ? UInt8(ascii: "0") : byte) }
        let form = String(decoding: shape, as: UTF8.self)
        let name: String
        if form.hasPrefix("P") || form.hasPrefix("-P") {
            name = "duration"
        } else if form.hasPrefix("0000-00-00T00:00") {
            name = "dateTime"
        } else if form == "0000-00-00" {
            name = "date"
        } else if form.hasPrefix("00:00") {
            name = "time"
        } else if form == "0000-00" {
            name = "gYearMonth"
        } else if form == "0000" {
            name = "gYear"
        } else {
            return nil
        }
        return RDFaTerms.schemaTypes + name
    }
}
