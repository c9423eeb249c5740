extension Node {
    /// Decodes values of a type of the program's own from the elements that match a selector.
    ///
    ///     struct Offer: Decodable { var name: String, price: Double?, tags: [String] }
    ///     let offers = try page.document?.documentNode.select(
    ///         "article",
    ///         as: Offer.self,
    ///         fields: ["name": "h2", "price": ".price", "tags": ".tag::text"]
    ///     )
    ///
    /// A field's selector looks below the element for the value of the member of this name: the first match, or all of
    /// them if the member is an array (`nil` without a match if it is optional). It may end in `::text` or
    /// `::attr(name)` (``Selector/Dialect/extended``); without, it gives the text. A text that writes a number becomes
    /// one where the member is a number.
    ///
    /// Complexity: that of the selectors; memory is limited in proportion to the page, and time as for an inspection of
    /// it.
    ///
    /// - Parameters:
    ///   - selector: The selector of the elements.
    ///   - type: The type of the values.
    ///   - fields: The members' names, with a selector each.
    /// - Returns: A value for each element, in document order.
    /// - Throws: ``SelectorError`` for an invalid selector or for too many matches, and
    ///   ``/WebStandards/JSONValue/MismatchError`` with the path of what does not fit, as in "[2].price".
    public func select<Value: Decodable>(
        _ selector: String,
        as type: Value.Type = Value.self,
        fields: [String: String]
    ) throws -> [Value] {
        try select(selector, as: type, fields: fields, within: LoadLimits().maximumSeconds)
    }

    fileprivate func select<Value: Decodable>(
        _ selector: String,
        as type: Value.Type,
        fields: [String: String],
        within seconds: Double?
    ) throws -> [Value] {
        var options = Selector.Options()
        options.dialect = .extended
        let fields = try fields.map { (name: $0, selector: try Selector($1, options: options)) }
        let units = InspectionBudget.units(ofOneInspection: document.context.size)
        let budget = InspectionBudget(units: units, seconds: seconds)
        func spend(_ size: Int) throws {
            if budget.spend(size) { return }
            throw SelectorError(.limit, "the matches take too much time or memory")
        }
        let items = try querySelectorAll(selector).map { node in
            try spend(64 +| 96 *| fields.count)
            let members = try fields.map { field in
                var values: [JSONValue] = []
                for (element, extraction) in try node.matches(of: field.selector) {
                    for value in extraction.values(of: element) {
                        try spend(64 +| 4 *| value.utf8.count)
                        values.append(.string(value))
                    }
                }
                return JSONValue.Member(field.name, .array(values))
            }
            return JSONValue.object(members)
        }
        return try JSONValue.array(items).decoded(as: [Value].self, readsText: true)
    }
}

extension ParsedPage {
    /// Decodes values of a type of the program's own from the elements that match a selector; empty if there is no
    /// document.
    ///
    /// - Throws: As ``Node/select(_:as:fields:)``.
    public func select<Value: Decodable>(
        _ selector: String,
        as type: Value.Type = Value.self,
        fields: [String: String]
    ) throws -> [Value] {
        try document?.documentNode.select(
            selector,
            as: type,
            fields: fields,
            within: facts.settings.parsing.limits.maximumSeconds
        ) ?? []
    }
}
