import HTTPTypes
import WebArchive
import WebDocument
import WebLoader
import WebStandards

/// A writer of a page and its resources, as they were received, into a WACZ or a WARC.
struct ArchivedCopy {
    /// The writer of the records.
    private enum Writer {
        case wacz(WACZWriter)
        case warc(ReplacingWARC)

        func append(_ exchange: ArchivedExchange) throws(ArchiveError) {
            switch self {
            case .wacz(let writer): try writer.append(exchange)
            case .warc(let writer): try writer.append(exchange)
            }
        }

        func append(_ resource: ArchivedResource) throws(ArchiveError) {
            switch self {
            case .wacz(let writer): try writer.append(resource)
            case .warc(let writer): try writer.append(resource)
            }
        }
    }

    private let writer: Writer
    private let date: Timestamp
    private let source: CopyLocation
    private var written: Set<WebURL> = []

    /// Begins a WACZ, which has the page in its list of pages.
    init(wacz path: String, _ page: ParsedPage, _ date: Timestamp) throws(ArchiveError) {
        var options = WACZWriter.Options()
        options.title = page.title
        source = CopyLocation(of: page.response.url)
        options.mainPage = (source.location(of: page.response.url.withoutFragment), date)
        let archive = try WACZWriter(path: path, options: options)
        writer = .wacz(archive)
        self.date = date
        try append(page.response)
        let asked = source.location(of: Self.asked(page.response).withoutFragment)
        try archive.appendPage(asked, date: date, title: page.title)
    }

    /// Begins a WARC.
    init(warc path: String, _ page: ParsedPage, _ date: Timestamp) throws(ArchiveError) {
        source = CopyLocation(of: page.response.url)
        writer = .warc(try ReplacingWARC(path))
        self.date = date
        try append(page.response)
    }

    /// Returns the URL that was requested first for a response.
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
    func finish() throws(ArchiveError) {
        switch writer {
        case .wacz(let writer): try writer.finish()
        case .warc(let writer): try writer.finish()
        }
    }
}
