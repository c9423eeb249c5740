import Synchronization

/// Resolves a document's references to absolute URLs.
package struct ReferenceResolver: Sendable {
    /// The URL that references are relative to; if it is nil, only absolute ones resolve.
    let base: WebURL?

    /// The encoding of queries.
    let encoding: TextEncoding

    private let allowance: URLAllowance?

    /// - Parameters:
    ///   - base: The URL that references are relative to.
    ///   - encoding: The document's encoding.
    ///   - allowance: How many bytes all its URLs may have; nil for any number.
    package init(base: WebURL?, encoding: TextEncoding, allowance: URLAllowance? = nil) {
        self.base = base
        self.allowance = allowance
        self.encoding = encoding.outputEncoding
    }

    /// The same, relative to another URL.
    func relative(to base: WebURL) -> ReferenceResolver { ReferenceResolver(self, base: base) }

    private init(_ other: ReferenceResolver, base: WebURL) {
        self.base = base
        encoding = other.encoding
        allowance = other.allowance
    }

    /// Encoding-parses a URL; once the allowance is used up, it throws ``/WebStandards/WebURLError`` as for a URL that is
    /// too long.
    ///
    /// <https://html.spec.whatwg.org/multipage/urls-and-fetching.html#encoding-parsing-a-url>
    package func resolve(_ reference: String) throws(WebURLError) -> WebURL {
        if let allowance, !allowance.take((base?.href.utf8.count ?? 0) + reference.utf8.count) {
            throw WebURLError(.tooLong, at: 0)
        }
        guard encoding != .utf8 else { return try WebURL(reference, base: base) }
        return try WebURL.parse(utf8: reference.utf8.span, base: base, queryEncoder: TextEncoder(encoding))
    }
}

/// How many bytes the URLs of a page may have: a thousand references to a base URL of a megabyte are a gigabyte.
package final class URLAllowance: Sendable {
    private let rest: Atomic<Int>

    /// Allows half of the units that are left for a page's report.
    package init(_ budget: InspectionBudget) {
        rest = Atomic(budget.rest / (2 * InspectionBudget.textFactor))
    }

    /// Takes bytes, and returns whether there were enough.
    fileprivate func take(_ bytes: Int) -> Bool {
        rest.wrappingSubtract(bytes, ordering: .relaxed).newValue >= 0
    }
}
