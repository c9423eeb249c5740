import WebLoader

/// The images of a page whose bytes are at hand: nothing is loaded for the report.
struct ReportImages {
    /// How many are shown.
    static let maximumCount = 200

    /// How large an image may be, and all of them together, in bytes.
    static let maximumSize = 1 << 20
    static let maximumTotal = 16 << 20

    private(set) var images: [ReportDocument.Image] = []
    private(set) var others = 0

    /// Gathers them from the links of a page, each URL once.
    init(_ links: [Link], _ page: ParsedPage, _ loader: PageLoader) async {
        var seen: Set<String> = []
        var total = 0
        for link in links where link.kind == .image && !link.isInert {
            guard let url = link.url, seen.insert(url.href).inserted else { continue }
            guard images.count < Self.maximumCount else {
                others += 1
                continue
            }
            var image = ReportDocument.Image(url: url.description, alternative: link.text)
            if total < Self.maximumTotal, let data = await Self.data(url, page, loader) {
                total += data.utf8.count
                image.data = data
            }
            images.append(image)
        }
    }

    /// A local page has local images; a page of the web has those in the cache.
    private static func data(_ url: WebURL, _ page: ParsedPage, _ loader: PageLoader) async -> String? {
        if url.scheme == "data" { return url.href.utf8.count <= maximumSize ? url.href : nil }
        let isWeb = url.scheme == "http" || url.scheme == "https"
        guard isWeb || url.scheme == "file" && page.response.url.scheme == "file" else { return nil }
        var request = WebRequest(url: url)
        request.cachePolicy = .returnCacheDataDontLoad
        // A missing or unreadable image is not shown: the report says so.
        guard let response = try? await loader.fetch(request), response.body.count <= maximumSize,
            let type = response.contentType?.essence, type.hasPrefix("image/")
        else { return nil }
        return "data:\(type);base64,\(Base64.encode(response.body))"
    }
}
