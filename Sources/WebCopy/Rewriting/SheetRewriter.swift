import WebDocument
package import WebStandards

/// A rewriter that replaces the references of a style sheet in a file of its own.
package struct SheetRewriter: Sendable {
    private let text: [UInt8]
    private let found: [PlacedStyleReference]
    /// The sheet's selectors; `nil` if it is not going to be written.
    private let selectors: StyleSelectors?

    /// The references, in their order.
    package let references: [CopyReference]

    /// Finds the references of a sheet.
    ///
    /// - Parameters:
    ///   - text: Its text (``StyleSheetLinks/text(of:environment:)``).
    ///   - url: The URL that it has.
    ///   - policies: The policies of the page that it is a part of.
    ///   - isWritten: Whether the sheet is going to be written, rather than only searched for references.
    package init(
        _ text: String,
        url: WebURL,
        policies: ContentPolicies = ContentPolicies(),
        isWritten: Bool = true
    ) {
        let bytes = Array(text.utf8)
        self.text = bytes
        selectors = isWritten ? StyleSelectors(bytes) : nil
        found = StyleSheetLinks.places(in: text, base: url).filter { !$0.reference.hasPrefix("#") }
        var properties = StyleProperties(bytes[...])
        references = found.map { place in
            var reference = CopyReference(url: place.url, kind: place.kind, isRequisite: true)
            reference.isStyle = true
            reference.type = place.type
            reference.needsCORS = properties.needsCORS(at: place.value.lowerBound)
            reference.hasCredentialsOfPage = place.url.hasCredentials(of: url)
            reference.isOptional = !ShownTypes.contain(place.type)
            reference.isForbidden = place.isUncertain || !policies.allows(place.url, for: place.kind)
            return reference
        }
    }

    /// The references that a browser may load.
    package var requisites: [CopyReference] { references.filter(\.canBeLoaded) }

    /// Returns the sheet with each reference replaced.
    ///
    /// - Parameters:
    ///   - writing: How its selectors are written.
    ///   - decide: Returns the replacement of a reference.
    /// - Returns: The sheet.
    package func rewritten(
        selectors writing: SelectorWriting = SelectorWriting(),
        _ decide: (CopyReference) -> Replacement
    ) -> Rewritten {
        var edits = SourceEdits()
        var changed: [String: Int] = [:]
        if text.starts(with: "@charset \"".utf8), let end = text[10...].firstIndex(of: UInt8(ascii: "\"")),
            String(decoding: text[10..<end], as: UTF8.self).lowercased() != "utf-8"
        {
            edits.replace(10..<end, with: "utf-8".utf8)
            changed["charset"] = 1
        }
        for (place, reference) in zip(found, references) {
            let decision: Replacement =
                if place.isUncertain {
                    .missing
                } else if reference.canBeLoaded {
                    decide(reference)
                } else {
                    reference.url.hasContents(as: reference.kind) ? .keep : .missing
                }
            if let (range, written) = StyleWriting.edit(place.range, place.value, reference, decision) {
                edits.replace(range, with: written)
            }
        }
        for (range, written) in writing.edits(of: selectors ?? StyleSelectors(text), in: text.count) {
            edits.replace(range, with: written.utf8)
        }
        return Rewritten(bytes: edits.applied(to: text), changed: changed)
    }

    /// Returns the attributes that its selectors test and a copy may change.
    func tested(_ writing: SelectorWriting) -> Set<String> {
        writing.tested(by: selectors ?? StyleSelectors(text))
    }
}
