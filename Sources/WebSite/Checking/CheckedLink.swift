import WebStandards

/// A redirect on the way to what a link leads to.
package struct LinkRedirect: Hashable, Sendable {
    /// The URL that redirects.
    package let url: String
    /// Its status: 301, 302, 303, 307 or 308.
    package let status: Int

    package init(url: String, status: Int) {
        self.url = url
        self.status = status
    }

    /// Whether it is for good: 301 or 308.
    package var isPermanent: Bool { status == 301 || status == 308 }
}

/// A link that was checked: one place on one page, and what is there at its other end.
package struct CheckedLink: Hashable, Sendable {
    /// What is known of a link.
    package enum Result: String, Sendable, CaseIterable {
        /// What it leads to is there.
        case ok
        /// What it leads to is not there.
        case broken
        /// Nobody can tell: the server does not say to a program, or not now.
        case unknown
        /// It was not asked for; the code says why.
        case skipped
    }

    /// What is known of the place that a fragment names.
    package enum FragmentResult: String, Sendable {
        /// It is there.
        case ok
        /// It is not.
        case missing
    }

    /// Where an answer came from.
    package enum Origin: String, Sendable {
        /// The network.
        case network
        /// A cache: of responses, or of results.
        case cache
        /// This machine's files.
        case file
        /// An archive.
        case archive
    }

    /// The URL of the page or style sheet that it is on, after redirects; nil for a seed and for an entry of a list or a sitemap.
    package let page: String?
    /// The line of the element, from 1; nil where it is in a header field, and where it is not known.
    package let line: Int?
    /// The column of the element in Unicode scalar values, from 1; nil where it is not known.
    package let column: Int?
    /// What it leads to, absolute, with its fragment; as it is written where that is no URL.
    package let url: String
    /// What it is for, as ``/WebDocument/Link/Kind`` names it; `seed`, `list` and `sitemap` for what is on no page.
    package let kind: String
    /// What is known of it.
    package let result: Result
    /// Why, by a stable identifier as "http.404"; nil for ``Result/ok``.
    package let code: String?
    /// The last status of HTTP; nil if there was none.
    package let status: Int?
    /// What is known of its fragment; nil without one, and where what it leads to is no HTML.
    package let fragment: FragmentResult?
    /// The redirects on the way, in their order.
    package let redirects: [LinkRedirect]
    /// Where the answer came from; nil if nobody was asked.
    package let origin: Origin?
    /// Whether it is broken, and was at a former check that it is compared with.
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

    /// Whether it redirects for good, so that it would better be written as where it leads to.
    package var isMoved: Bool { result == .ok && redirects.first?.isPermanent == true }
}
