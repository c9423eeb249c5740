import Synchronization
import WebDocument
import WebStandards

/// What of a page is followed: the same for all pages of a crawl, but for the hosts that seeds redirect to.
final class CrawlPlan: Sendable {
    /// What is chosen when a crawl is begun.
    struct Options: Sendable {
        var limits = CrawlLimits()
        var canonical = CanonicalURL()
        /// Whether what pages need to be shown is loaded too.
        var loadsResources = true
        /// Whether links that are marked with "nofollow" are followed.
        var followsNofollow = true
        /// Says what a page, or a style sheet, needs to be shown; nil for what its links say.
        var resources: (@Sendable (ParsedPage) -> [WebURL])?
        /// Whether a page whose scripts were run is recorded as they make it, too.
        var keepsScripted = false
    }

    let options: Options
    private let scope: Mutex<CrawlScope>
    let traps: TrapWatch

    /// How many resources lead to one another: a frame with a style sheet that imports one with an image.
    fileprivate static let maximumResourceHops = 5

    init(_ scope: CrawlScope, _ options: Options, _ traps: TrapWatch) {
        self.scope = Mutex(scope)
        self.options = options
        self.traps = traps
    }

    // MARK: - Scope

    /// Whether a URL is one of the pages that are entered.
    func contains(_ url: WebURL) -> Bool { scope.withLock { $0.contains(url) } }

    /// Takes what a seed redirects to within its site for a seed: "example.com" that leads to "www.example.com".
    func addSeed(_ url: WebURL) { scope.withLock { $0.add(url) } }

    // MARK: - What is found

    /// The URLs of a page that are to be loaded.
    ///
    /// - Parameters:
    ///   - page: The page, or a style sheet.
    ///   - url: Where it is.
    ///   - step: How the crawl came to it.
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
        // Of a page of elsewhere that is shown inside of another, nothing but what it shows. A frame of the site is entered.
        // A seed need not match what is asked of the others.
        let isSeed = step.role == .page && step.depth == 0
        let follows = (isSeed || contains(url)) && (options.followsNofollow || !page.forbidsFollowing)
        for link in page.links {
            guard !link.isInert, let target = link.url else { continue }
            collector.add(target, link.kind, follows ? link : nil)
        }
        return collector.found
    }

    /// What a redirect leads to, if it is to be loaded.
    func child(redirectedTo url: WebURL, _ step: CrawlStep) -> [FrontierURL] {
        // Only servers redirect, and none gets at files.
        guard url.scheme != "file" else { return [] }
        let hops = step.hops + 1
        // A seed's own redirect is followed wherever it leads.
        let isSeed = step.role == .page && step.depth == 0
        if step.role == .page, !isSeed, !contains(url) { return [] }
        if scope.withLock({ $0.exclusion(ofResource: url) }) != nil { return [] }
        let next = CrawlStep(role: step.role, depth: step.depth, hops: hops)
        let trap =
            hops > options.limits.maximumRedirects ? .redirects : CrawlTrap.found(in: url, options.limits)
        return [row(url, next, trap)]
    }

    /// The row of a seed.
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

    /// Collects what is found on a page, each URL once.
    private struct Collector {
        let plan: CrawlPlan
        let scope: CrawlScope
        let step: CrawlStep
        /// Whether the page is a file of this machine, which alone may refer to others.
        let isFile: Bool
        private(set) var found: [FrontierURL] = []
        private var seen: Set<String> = []

        init(plan: CrawlPlan, scope: CrawlScope, step: CrawlStep, isFile: Bool) {
            self.plan = plan
            self.scope = scope
            self.step = step
            self.isFile = isFile
        }

        /// Adds a reference; `link` is nil where only resources are wanted.
        mutating func add(_ url: WebURL, _ kind: Link.Kind, _ link: Link?) {
            guard isFile || url.scheme != "file" else { return }
            if kind.isResource {
                // Who says what is needed has said so.
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
    /// Whether a page needs it to be shown.
    fileprivate var isResource: Bool {
        switch self {
        case .stylesheet, .script, .image, .font, .media, .frame, .object, .icon, .manifest, .lazy: true
        default: false
        }
    }

    /// The types of links that are to documents, as a `link` may have them.
    ///
    /// <https://html.spec.whatwg.org/multipage/links.html#linkTypes>
    private static let documents: Set<String> = [
        "author", "help", "license", "next", "prev", "privacy-policy", "search", "terms-of-service",
    ]

    /// Whether it leads to another page.
    fileprivate func isPage(rel: [String]) -> Bool {
        switch self {
        case .navigation, .refresh, .alternate, .canonical, .download: true
        case .other: !Self.documents.isDisjoint(with: rel)
        default: false
        }
    }
}

extension ParsedPage {
    /// Whether the page asks for none of its links to be followed.
    fileprivate var forbidsFollowing: Bool {
        metadata.robots.contains { rule in
            rule.agent == nil && (rule.directives.contains("nofollow") || rule.directives.contains("none"))
        }
    }
}
