package import WebStandards
import WebDocument

/// What of a site is read, and what is only asked for.
package struct CheckScope: Equatable, Sendable {
    /// Whether pages that the seeds lead to are read too, and style sheets.
    package var isRecursive = false
    /// How many links away from a seed a page is read, at most; nil for any number.
    package var maximumDepth: Int?
    /// How many pages and style sheets are read, at most; nil for any number.
    package var maximumPages: Int?
    /// If there are any, only URLs that match one are asked for.
    package var include: [URLGlob] = []
    /// URLs that match one are not asked for.
    package var exclude: [URLGlob] = []
    /// Whether URLs of other hosts are asked for.
    package var checksExternal = true
    /// Whether fragments are looked for.
    package var checksFragments = true
    /// Whether the words of text fragments have to be there.
    package var needsTexts = false
    /// Whether the rules of hosts are kept whose pages are read.
    package var obeysRobots = true
    /// The folders whose files are read as a site, each with "/" at its end.
    package var folders: [WebURL] = []
    /// Those of them in which a path that begins with "/" begins.
    package var roots: [WebURL] = []

    package init() {}

    /// How much must be known of what a link with a fragment leads to; nil is none.
    func need(of fragment: String?) -> TargetAnswer.Need {
        checksFragments ? TargetAnswer.Need(fragment: fragment, needsTexts: needsTexts) : .existence
    }

    /// Why a link is not asked for, by a stable code; nil if it is.
    ///
    /// - Parameters:
    ///   - url: What it leads to.
    ///   - isOwn: Whether that is of a host whose pages are read.
    ///   - isLocal: Whether it is on a file of this machine, which may lead to others.
    /// - Returns: The code.
    func refusal(_ url: WebURL, isOwn: Bool, fromFile isLocal: Bool) -> String? {
        switch url.scheme {
        case "http", "https":
            // Cloudflare puts it in the place of a mail address, and its scripts put that back; to ask for it is always a 404.
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

    /// Why links of a kind are never asked for, by a stable code; nil if they are.
    ///
    /// What is sent, or opened without a request, cannot be asked for: a form, a connection that is made early, an endpoint that
    /// only takes what is posted to it.
    static func refusal(_ kind: Link.Kind, rel: [String]) -> String? {
        switch kind {
        case .form: "kind.not-requested"
        case .other where !Set(rel).isDisjoint(with: endpoints): "kind.not-requested"
        case .preload where Set(rel).isDisjoint(with: requestedEarly): "kind.not-requested"
        default: nil
        }
    }

    /// What `rel` has of endpoints that programs post to, and browsers never load: Pingback, Webmention, Micropub, WebSub, IndieAuth,
    /// OpenID.
    private static let endpoints: Set<String> = [
        "pingback", "webmention", "micropub", "microsub", "hub", "authorization_endpoint", "token_endpoint",
        "ticket_endpoint", "openid.server", "openid2.provider", "openid.delegate", "openid2.local_id",
    ]

    /// What `rel` has of what is requested before it is needed.
    private static let requestedEarly: Set<String> = ["preload", "prefetch", "modulepreload", "prerender"]

    /// Whether a file is one of the site's.
    func hasFile(_ url: WebURL) -> Bool { folders.contains { url.href.hasPrefix($0.href) } }

    /// Where a file's paths begin that begin with "/"; nil for the file system's own.
    func root(of url: WebURL) -> WebURL? {
        guard url.scheme == "file" else { return nil }
        return roots.filter { url.href.hasPrefix($0.href) }.max { $0.href.utf8.count < $1.href.utf8.count }
    }

    /// Whether a page so far from a seed is read, if its host's are.
    func reaches(depth: Int) -> Bool {
        if depth == 0 { return true }
        return isRecursive && maximumDepth.map { depth <= $0 } ?? true
    }
}
