package import WebStandards
import WebDocument

/// The scope of a check: which pages are read, and which links are only requested.
package struct CheckScope: Equatable, Sendable {
    /// Whether pages that the seeds link to are read too, and style sheets.
    package var isRecursive = false
    /// The maximum number of links between a seed and a page that is read; `nil` for no limit.
    package var maximumDepth: Int?
    /// The maximum number of pages and style sheets that are read; `nil` for no limit.
    package var maximumPages: Int?
    /// If not empty, only URLs that match one of these patterns are requested.
    package var include: [URLGlob] = []
    /// URLs that match one of these patterns are not requested.
    package var exclude: [URLGlob] = []
    /// Whether URLs of other hosts are requested.
    package var checksExternal = true
    /// Whether the targets of fragments are checked.
    package var checksFragments = true
    /// Whether the words of text fragments have to exist on the page.
    package var needsTexts = false
    /// Whether the robots.txt rules of hosts whose pages are read are obeyed.
    package var obeysRobots = true
    /// The folders whose files are read as a site, each ending with "/".
    package var folders: [WebURL] = []
    /// Those of the folders that are the root for paths beginning with "/".
    package var roots: [WebURL] = []

    package init() {}

    /// Returns how much must be known of a link's target; `fragment` is `nil` if the link has no fragment.
    func need(of fragment: String?) -> TargetAnswer.Need {
        checksFragments ? TargetAnswer.Need(fragment: fragment, needsTexts: needsTexts) : .existence
    }

    /// Returns why a link is not requested, as a stable code; `nil` if it is requested.
    ///
    /// - Parameters:
    ///   - url: The target of the link.
    ///   - isOwn: Whether the target is on a host whose pages are read.
    ///   - isLocal: Whether the link is in a local file, which may link to other files.
    /// - Returns: The code.
    func refusal(_ url: WebURL, isOwn: Bool, fromFile isLocal: Bool) -> String? {
        switch url.scheme {
        case "http", "https":
            // Cloudflare replaces mail addresses with this path, and its scripts restore them; requesting it always
            // gives a 404.
            if url.path == "/cdn-cgi/l/email-protection" { return "scheme.unsupported" }
        case "file": if !isLocal { return "scheme.unsupported" }
        default: return "scheme.unsupported"
        }
        let text = url.href
        if exclude.contains(where: { $0.matches(text) }) { return "scope.excluded" }
        if !include.isEmpty, !include.contains(where: { $0.matches(text) }) { return "scope.excluded" }
        if !isOwn, !checksExternal { return "scope.external" }
        return nil
    }

    /// Returns why links of a kind are never requested, as a stable code; `nil` if they are.
    ///
    /// Links that are submitted, or opened without a request, cannot be checked: a form, an early connection, an
    /// endpoint that only accepts POST.
    static func refusal(_ kind: Link.Kind, rel: [String]) -> String? {
        switch kind {
        case .form: "kind.not-requested"
        case .other where !Set(rel).isDisjoint(with: endpoints): "kind.not-requested"
        case .preload where Set(rel).isDisjoint(with: requestedEarly): "kind.not-requested"
        default: nil
        }
    }

    /// The `rel` values of endpoints that programs post to and browsers never load: Pingback, Webmention, Micropub,
    /// WebSub, IndieAuth, OpenID.
    private static let endpoints: Set<String> = [
        "pingback", "webmention", "micropub", "microsub", "hub", "authorization_endpoint", "token_endpoint",
        "ticket_endpoint", "openid.server", "openid2.provider", "openid.delegate", "openid2.local_id",
    ]

    /// The `rel` values of resources that are requested before they are needed.
    private static let requestedEarly: Set<String> = ["preload", "prefetch", "modulepreload", "prerender"]

    /// Whether a file is in one of the site's folders.
    func hasFile(_ url: WebURL) -> Bool { folders.contains { url.href.hasPrefix($0.href) } }

    /// Returns the root for a file's paths beginning with "/"; `nil` for the root of the file system.
    func root(of url: WebURL) -> WebURL? {
        guard url.scheme == "file" else { return nil }
        return roots.filter { url.href.hasPrefix($0.href) }.max { $0.href.utf8.count < $1.href.utf8.count }
    }

    /// Whether a page at this distance from a seed is read, if its host's pages are.
    func reaches(depth: Int) -> Bool {
        if depth == 0 { return true }
        return isRecursive && maximumDepth.map { depth <= $0 } ?? true
    }
}
