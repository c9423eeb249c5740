/// Makes absolute URLs of a page's references, as long as what they take stays within the page's budget.
///
/// A page that was made to exhaust memory, by a million references to a base URL of a megabyte, has no URLs beyond it.
struct BoundedResolver {
    private let resolver: ReferenceResolver
    private let baseLength: Int
    private let budget: InspectionBudget

    /// - Parameters:
    ///   - base: What references are relative to.
    ///   - encoding: The document's encoding, in which queries are percent-encoded.
    ///   - budget: What URLs may take.
    init(base: WebURL, encoding: TextEncoding, _ budget: InspectionBudget) {
        resolver = ReferenceResolver(base: base, encoding: encoding)
        baseLength = base.href.utf8.count
        self.budget = budget
    }

    /// The absolute URL; nil where the reference is no URL.
    func resolve(_ reference: String) -> WebURL? {
        guard budget.keepOptional(64, text: baseLength + reference.utf8.count) else { return nil }
        // What is no URL is a page's mistake; the links say what is wrong with it.
        return try? resolver.resolve(reference)
    }

    /// The absolute URL of an attribute that names none where it is missing or empty.
    func resolve(nonEmpty reference: String?) -> WebURL? {
        guard let reference, !reference.utf8.allSatisfy(\.isASCIIWhitespace) else { return nil }
        return resolve(reference)
    }
}
