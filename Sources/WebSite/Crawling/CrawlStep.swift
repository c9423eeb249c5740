import WebStandards

/// How a crawl came to a URL: kept in its row as one number, in the place of the depth.
struct CrawlStep: Equatable, Sendable {
    /// What a URL is loaded for.
    enum Role: Int, Sendable {
        /// For itself.
        case page = 0
        /// For a page that shows it.
        case resource = 1
    }

    var role: Role
    /// How many links away from a seed the page is, or the page that the resource is of.
    var depth: Int
    /// How many redirects led here from a URL of the same depth; for a resource, with those that other resources took, as an
    /// imported style sheet.
    var hops: Int

    init(role: Role, depth: Int, hops: Int = 0) {
        self.role = role
        self.depth = min(max(0, depth), Self.largestDepth)
        self.hops = min(max(0, hops), Self.largestHops)
    }

    private static let largestHops = 1023
    private static let largestDepth = 1 << 32

    /// The step of a row's number.
    init(_ number: Int) {
        let number = max(0, number)
        self.init(
            role: Role(rawValue: number & 1) ?? .page,
            depth: number >> 11,
            hops: number >> 1 & Self.largestHops
        )
    }

    /// The bits that the numbers of resources have, and no page's.
    static let resourceMark: Int64 = 1

    /// The number for a row.
    var number: Int { depth << 11 | hops << 1 | role.rawValue }
}

extension FrontierRow {
    /// Whether it is a page of a crawl that a link led to, rather than a seed or what a page shows.
    package var isLinked: Bool {
        let step = CrawlStep(depth)
        return step.role == .page && step.depth > 0
    }
}
