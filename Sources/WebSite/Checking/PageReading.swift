import HTTPTypes
import WebDocument
import WebStandards

/// The parts of a page or a style sheet that a check needs: its links, and the targets of fragments.
struct PageReading: Sendable {
    /// A link, stored until its target is known.
    struct Mention: Sendable {
        /// The target; `nil` if the reference is no valid URL.
        let url: WebURL?
        /// The reference as written in the page.
        let reference: String
        let kind: Link.Kind
        let rel: [String]
        let line: Int?
        let column: Int?
    }

    /// The URL of the page, without a fragment.
    let url: WebURL
    /// The links, in document order.
    var mentions: [Mention] = []
    /// The content of the page as the target of links.
    var content = TargetAnswer.Content.other

    /// The maximum number of bytes of a page's text that is stored with its names, unless a link needs the text.
    private static let keptTextSize = 8 << 10

    /// The parts that a reading has to find.
    struct Wish: Sendable {
        var wantsLinks = false
        var need = TargetAnswer.Need.existence
        /// Whether the targets of fragments are checked at all.
        var checksFragments = true
    }

    /// Reads a response.
    ///
    /// - Parameters:
    ///   - response: The response with the whole body.
    ///   - settings: The settings of the parser.
    ///   - wish: The parts that are needed.
    ///   - site: The folder site that the file belongs to; `nil` for other pages.
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
        // A body that cannot be parsed has no links, but its URL exists all the same.
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
            // Templates load nothing until a script copies them; maps are named by other rules than fragments; pings
            // are not followed, so that their endpoints are not requested.
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
