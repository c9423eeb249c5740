import HTTPTypes
import WebArchive
import WebDocument
import WebLoader
import WebStandards

/// Writes a page and its resources as they came into a WACZ.
struct ArchivedCopy {
    private let writer: WACZWriter
    private let date: Timestamp
    private let source: CopyLocation
    private var written: Set<WebURL> = []

    /// Begins an archive.
    init(_ path: String, _ page: ParsedPage, _ date: Timestamp) throws(ArchiveError) {
        var options = WACZWriter.Options()
        options.title = page.title
        source = CopyLocation(of: page.response.url)
        options.mainPage = (source.location(of: page.response.url.withoutFragment), date)
        writer = try WACZWriter(path: path, options: options)
        self.date = date
        try append(page.response)
        let asked = source.location(of: Self.asked(page.response).withoutFragment)
        try writer.appendPage(asked, date: date, title: page.title)
    }

    /// The URL that led to a response.
    private static func asked(_ response: WebResponse) -> WebURL {
        response.redirects.first?.url ?? response.url
    }

    /// Adds a response, and the redirects that led to it.
    mutating func append(_ response: WebResponse) throws(ArchiveError) {
        for redirect in response.redirects where written.insert(redirect.url.withoutFragment).inserted {
            var hop = WebResponse(
                url: redirect.url.withoutFragment,
                status: redirect.status,
                headerFields: redirect.headerFields,
                body: [],
                source: redirect.source
            )
            hop.httpVersion = response.httpVersion
            try writer.append(ArchivedExchange(hop, received: date))
        }
        let url = response.url.withoutFragment
        guard url.scheme != "data", written.insert(url).inserted else { return }
        guard response.status != nil else {
            let resource = ArchivedResource(
                url: source.location(of: url).href,
                date: date,
                type: response.contentType?.description,
                body: .bytes(response.body)
            )
            return try writer.append(resource)
        }
        var whole = response
        whole.url = url
        try writer.append(ArchivedExchange(whole, received: date))
    }

    /// Ends the archive.
    func finish() throws(ArchiveError) { try writer.finish() }
}
