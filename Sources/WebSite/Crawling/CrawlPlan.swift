import Synchronization
import WebDocument
import WebStandards

/// The rules by which links are followed: the same for all pages of a crawl, except for hosts added by redirects of
/// seeds.
final class CrawlPlan: Sendable {
    /// The options chosen when a crawl is begun.
    struct Options: Sendable {
        var limits = CrawlLimits()
        var canonical = CanonicalURL()
        /// Whether resources that pages need to be shown are loaded too.
        var loadsResources = true
        /// Whether links that are marked with "nofollow" are followed.
        var followsNofollow = true
        /// Returns the resources that a page, or a style sheet, needs to be shown; `nil` to use the links of the page.
        var resources: (@Sendable (ParsedPage) -> [WebURL])?
        /// Whether a page whose scripts were run is also recorded as rendered.
        var keepsScripted = false
    }

    let options: Options
    private let scope: Mutex<CrawlScope>
    let traps: TrapWatch

    /// The maximum length of a chain of resources: a frame with a style sheet that imports one with an image.
    fileprivate static let maximumResourceHops = 5

    init(_ scope: CrawlScope, _ options: Options, _ traps: TrapWatch) {
        self.scope = Mutex(scope)
        self.options = options
        self.traps = traps
    }

    // MARK: - Scope

    /// Whether a URL is a page in the scope.
    func contains(_ url: WebURL) -> Bool { scope.withLock { $0.contains(url) } }

    /// Adds the redirect target of a seed within its site as a seed: "www.example.com" for "example.com".
    func addSeed(_ url: WebURL) { scope.withLock { $0.add(url) } }

    // MARK: - Found URLs

    /// Returns the URLs of a page that have to be loaded.
    ///
    /// - Parameters:
    ///   - page: The page, or a style sheet.
    ///   - url: The URL of the page.
    ///   - step: How the crawl reached the page.
    /// - Returns: The URLs, each once.
    func children(of page: ParsedPage, at url: WebURL, _ step: CrawlStep) -> [FrontierURL] {
        var collector = Collector(
            plan: self,
            scope: scope.withLock { $0 },
            step: step,
            isFile: url.scheme == "file"
        )
        if let resources = options.resources {
            for url in resources(page) { collector.addResource(url) }
        } else {
            for (url, kind) in page.styleSheetURLs { collector.add(url, kind, nil) }
        }
        guard page.kind == .html || page.kind == .xhtml || page.kind == .feed else { return collector.found }
        // Of a page out of scope that is framed by another, only resources are loaded; a frame in the scope is
        // followed. A seed need not match the scope.
        let isSeed = step.role == .page && step.depth == 0
        let follows = (isSeed || contains(url)) && (options.followsNofollow || !page.forbidsFollowing)
        for link in page.links {
            guard !link.isInert, let target = link.url else { continue }
            collector.add(target, link.kind, follows ? link : nil)
        }
        return collector.found
    }

    /// Returns the target of a redirect, if it has to be loaded.
    func child(redirectedTo url: WebURL, _ step: CrawlStep) -> [FrontierURL] {
        // Redirects come from servers, which must not access files.
        guard url.scheme != "file" else { return [] }
        let hops = step.hops + 1
        // A seed's own redirect is followed to any host.
        let isSeed = step.role == .page && step.depth == 0
        if step.role == .page, !isSeed, !contains(url) { return [] }
        if scope.withLock({ $0.exclusion(ofResource: url) }) != nil { return [] }
        let next = CrawlStep(role: step.role, depth: step.depth, hops: hops)
        let trap =
            hops > options.limits.maximumRedirects ? .redirects : CrawlTrap.found(in: url, options.limits)
        return [row(url, next, trap)]
    }

    /// Returns the row of a seed.
    func seed(_ url: WebURL) -> FrontierURL { row(url, CrawlStep(role: .page, depth: 0), nil) }

    fileprivate func row(_ url: WebURL, _ step: CrawlStep, _ trap: CrawlTrap?) -> FrontierURL {
        let url = options.canonical.asked(url.withoutCredentials)
        let key = options.canonical.key(of: url)
        return FrontierURL(
            url,
            depth: step.number,
            identity: key == url.href ? nil : key,
            skipped: trap?.rawValue
        )
    }

    /// Collects the URLs of a page, each once.
    private struct Collector {
        let plan: CrawlPlan
        let scope: CrawlScope
        let step: CrawlStep
        /// Whether the page is a local file, which alone may refer to other files.
        let isFile: Bool
        private(set) var found: [FrontierURL] = []
        private var seen: Set<String> = []

        init(plan: CrawlPlan, scope: CrawlScope, step: CrawlStep, isFile: Bool) {
            self.plan = plan
            self.scope = scope
            self.step = step
            self.isFile = isFile
        }

        /// Adds a reference; `link` is `nil` if only resources are wanted.
        mutating func add(_ url: WebURL, _ kind: Link.Kind, _ link: Link?) {
            guard isFile || url.scheme != "file" else { return }
            if kind.isResource {
                // The `resources` closure has already returned the resources.
                if plan.options.resources == nil { addResource(url) }
            } else if let link, kind.isPage(rel: link.rel) {
                guard plan.options.followsNofollow || !link.rel.contains("nofollow") else { return }
                addPage(url)
            }
        }

        private mutating func addPage(_ url: WebURL) {
            let depth = step.depth + 1
            if let maximum = plan.options.limits.maximumDepth, depth > maximum { return }
            guard isNew(url), scope.contains(url) else { return }
            let trap = CrawlTrap.found(in: url, plan.options.limits) ?? plan.traps.trap(of: url)
            found.append(plan.row(url, CrawlStep(role: .page, depth: depth), trap))
        }

        mutating func addResource(_ url: WebURL) {
            guard isFile || url.scheme != "file" else { return }
            let hops = step.role == .resource ? step.hops + 1 : 0
            guard plan.options.loadsResources, hops <= CrawlPlan.maximumResourceHops, isNew(url) else {
                return
            }
            guard scope.exclusion(ofResource: url) == nil else { return }
            let next = CrawlStep(role: .resource, depth: step.depth, hops: hops)
            found.append(plan.row(url, next, CrawlTrap.found(in: url, plan.options.limits)))
        }

        private mutating func isNew(_ url: WebURL) -> Bool { seen.insert(url.withoutFragment.href).inserted }
    }
}

extension Link.Kind {
    /// Whether a page needs the target to be shown.
    fileprivate var isResource: Bool {
        switch self {
        case .stylesheet, .script, .image, .font, .media, .frame, .object, .icon, .manifest, .lazy: true
        default: false
        }
    }

    /// The types of links to documents that a `link` element may have.
    ///
    /// <https://html.spec.whatwg.org/multipage/links.html#linkTypes>
    private static let documents: Set<String> = [
        "author", "help", "license", "next", "prev", "privacy-policy", "search", "terms-of-service",
    ]

    /// Whether the target is another page.
    fileprivate func isPage(rel: [String]) -> Bool {
        switch self {
        case .navigation, .refresh, .alternate, .canonical, .download: true
        case .other: !Self.documents.isDisjoint(with: rel)
        default: false
        }
    }
}

extension ParsedPage {
    /// Whether the page forbids following its links.
    fileprivate var forbidsFollowing: Bool {
        metadata.robots.contains { rule in
            rule.agent == nil && (rule.directives.contains("nofollow") || rule.directives.contains("none"))
        }
    }
}
