import WebStandards

/// How a crawl reached a URL, stored in its row as one number, in place of the depth.
struct CrawlStep: Equatable, Sendable {
    /// The role in which a URL is loaded.
    enum Role: Int, Sendable {
        /// A page of its own.
        case page = 0
        /// A resource of a page.
        case resource = 1
    }

    var role: Role
    /// The number of links from a seed to the page, or to the page of the resource.
    var depth: Int
    /// The number of redirects to the URL from one of the same depth; for a resource, including the steps from other
    /// resources, such as imports of style sheets.
    var hops: Int

    init(role: Role, depth: Int, hops: Int = 0) {
        self.role = role
        self.depth = min(max(0, depth), Self.largestDepth)
        self.hops = min(max(0, hops), Self.largestHops)
    }

    private static let largestHops = 1023
    private static let largestDepth = 1 << 32

    /// Decodes the step from a row's number.
    init(_ number: Int) {
        let number = max(0, number)
        self.init(
            role: Role(rawValue: number & 1) ?? .page,
            depth: number >> 11,
            hops: number >> 1 & Self.largestHops
        )
    }

    /// The bits that are set in the numbers of resources only.
    static let resourceMark: Int64 = 1

    /// The number that is stored in a row.
    var number: Int { depth << 11 | hops << 1 | role.rawValue }
}

extension FrontierRow {
    /// Whether the row is a page that a link was followed to, rather than a seed or a resource.
    package var isLinked: Bool {
        let step = CrawlStep(depth)
        return step.role == .page && step.depth > 0
    }
}
