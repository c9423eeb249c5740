/// Resolves a page's references to absolute URLs, as long as these fit into the page's budget.
///
/// A page that is made to exhaust memory, by a million references to a base URL of a megabyte, gets no URLs beyond it.
struct BoundedResolver {
    private let resolver: ReferenceResolver
    private let baseLength: Int
    private let budget: InspectionBudget

    /// - Parameters:
    ///   - base: The URL that references are relative to.
    ///   - encoding: The document's encoding, in which queries are percent-encoded.
    ///   - budget: The budget that pays for the URLs.
    init(base: WebURL, encoding: TextEncoding, _ budget: InspectionBudget) {
        resolver = ReferenceResolver(base: base, encoding: encoding)
        baseLength = base.href.utf8.count
        self.budget = budget
    }

    /// The absolute URL; nil where the reference is not a valid URL, or the budget does not suffice.
    func resolve(_ reference: String) -> WebURL? {
        guard budget.spendOptional(size: 64, text: baseLength + reference.utf8.count) else { return nil }
        // An invalid URL is a mistake of the page; the page's links say what is wrong with it.
        return try? resolver.resolve(reference)
    }

    /// The absolute URL of an attribute; nil also where the attribute is missing or empty.
    func resolve(nonEmpty reference: String?) -> WebURL? {
        guard let reference, !reference.utf8.allSatisfy(\.isASCIIWhitespace) else { return nil }
        return resolve(reference)
    }
}
