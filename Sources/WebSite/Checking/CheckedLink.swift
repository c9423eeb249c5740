import WebStandards

/// A redirect on the way to the target of a link.
package struct LinkRedirect: Hashable, Sendable {
    /// The URL that redirects.
    package let url: String
    /// Its status: 301, 302, 303, 307 or 308.
    package let status: Int

    package init(url: String, status: Int) {
        self.url = url
        self.status = status
    }

    /// Whether the redirect is permanent: 301 or 308.
    package var isPermanent: Bool { status == 301 || status == 308 }
}

/// A link that was checked: one place on one page, and the result for its target.
package struct CheckedLink: Hashable, Sendable {
    /// The result of a check of a link.
    package enum Result: String, Sendable, CaseIterable {
        /// The target exists.
        case ok
        /// The target does not exist.
        case broken
        /// The result cannot be known: the server refuses programs, or does not answer at present.
        case unknown
        /// The target was not requested; the code says why.
        case skipped
    }

    /// The result for a link's fragment.
    package enum FragmentResult: String, Sendable {
        /// The fragment's target exists on the page.
        case ok
        /// The fragment's target does not exist on the page.
        case missing
    }

    /// The source of an answer.
    package enum Origin: String, Sendable {
        /// The network.
        case network
        /// A cache, of responses or of results.
        case cache
        /// This machine's files.
        case file
        /// An archive.
        case archive
    }

    /// The URL of the page or style sheet with the link, after redirects; `nil` for a seed and for an entry of a list
    /// or a sitemap.
    package let page: String?
    /// The line of the element, from 1; `nil` in a header field, and where it is unknown.
    package let line: Int?
    /// The column of the element in Unicode scalar values, from 1; `nil` where it is unknown.
    package let column: Int?
    /// The absolute URL of the target, with its fragment; as written in the page if it is no valid URL.
    package let url: String
    /// The kind of link, as ``/WebDocument/Link/Kind`` names it; `seed`, `list` and `sitemap` for links that are on no
    /// page.
    package let kind: String
    /// The result for the target.
    package let result: Result
    /// The reason, as a stable identifier such as "http.404"; `nil` for ``Result/ok``.
    package let code: String?
    /// The last HTTP status; `nil` if there was no response.
    package let status: Int?
    /// The result for the fragment; `nil` if the link has none, and if the target is not HTML.
    package let fragment: FragmentResult?
    /// The redirects to the target, in order.
    package let redirects: [LinkRedirect]
    /// The source of the answer; `nil` if no request was made.
    package let origin: Origin?
    /// Whether the link is broken, and was broken in the former check that is compared with.
    package var isKnown = false

    package init(
        page: String?,
        line: Int?,
        column: Int?,
        url: String,
        kind: String,
        result: Result,
        code: String?,
        status: Int?,
        fragment: FragmentResult?,
        redirects: [LinkRedirect],
        origin: Origin?
    ) {
        self.page = page
        self.line = line
        self.column = column
        self.url = url
        self.kind = kind
        self.result = result
        self.code = code
        self.status = status
        self.fragment = fragment
        self.redirects = redirects
        self.origin = origin
    }

    /// Whether the target redirects permanently, so that the link should be updated to the new URL.
    package var isMoved: Bool { result == .ok && redirects.first?.isPermanent == true }
}
