import HTTPTypes
import WebDocument
import WebStandards

/// What a page or a style sheet has for a check: its links, and what fragments may name.
struct PageReading: Sendable {
    /// A link, as it is kept until it is known what it leads to.
    struct Mention: Sendable {
        /// What it leads to; nil where it is no URL.
        let url: WebURL?
        /// As it is written, where it is no URL.
        let reference: String
        let kind: Link.Kind
        let rel: [String]
        let line: Int?
        let column: Int?
    }

    /// Its URL.
    let url: WebURL
    /// In their order.
    var mentions: [Mention] = []
    /// What is known of it as the target of links.
    var content = TargetAnswer.Content.other

    /// The text of a page is kept beside its names up to so many bytes, unless a link asks for it.
    private static let keptTextSize = 8 << 10

    /// What a reading is to find.
    struct Wish: Sendable {
        var wantsLinks = false
        var need = TargetAnswer.Need.existence
        /// Whether fragments are looked for at all.
        var checksFragments = true
    }

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - response: The response with the whole body.
    ///   - settings: How it is parsed.
    ///   - wish: What is wanted of it.
    ///   - site: The site whose file it is; nil for others.
    init(
        _ response: WebResponse,
        _ settings: PageContent.Settings,
        _ wish: Wish,
        site: FolderSite?
    ) {
        url = response.url.withoutFragment
        var response = response
        if let served = site?.served(response.url) { response.url = served }
        let type = response.contentType
        if type?.essence == "text/css" || type == nil && url.path.hasSuffix(".css") {
            if wish.wantsLinks {
                let links = StyleSheetLinks.find(in: response, limits: settings.parsing.limits)
                mentions = Self.mentions(links, site)
            }
            return
        }
        var settings = settings
        settings.parsing.startClock()
        // What cannot be parsed has no links that could be found, and is there all the same.
        guard let page = try? ParsedPage(response, settings) else { return }
        let isPage = page.kind == .html || page.kind == .xhtml
        if wish.wantsLinks, isPage || page.kind == .feed || page.kind == .xml {
            mentions = Self.mentions(page.links, site)
        }
        guard isPage, wish.checksFragments else { return }
        var names: [UInt32] = []
        page.forEachFragmentTarget { names.append(TargetAnswer.hash($0)) }
        names.sort()
        let limit = wish.need == .text ? Int.largestBounded : Self.keptTextSize
        content = .page(names: names, text: SearchableText(page, maximumSize: limit)?.bytes)
    }

    private static func mentions(_ links: [Link], _ site: FolderSite?) -> [Mention] {
        links.compactMap { link in
            // Nothing is loaded of a template until a script copies it; a map is named by another rule than fragments; nobody follows a
            // ping, and who would get it is not asked.
            guard !link.isInert, link.kind != .map, link.kind != .ping else { return nil }
            return Mention(
                url: link.url.map { site?.file($0) ?? $0 },
                reference: link.reference,
                kind: link.kind,
                rel: link.rel,
                line: link.position?.line,
                column: link.position?.column
            )
        }
    }
}
