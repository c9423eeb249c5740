import WebCopy
import WebLoader

/// A page as a browser shows it.
///
/// It is a copy of what the cache has, which loads nothing and runs nothing. All of it is bounded: of more
/// than 16 MiB of HTML, or 4 million characters of another text, the start is shown, with a note; a larger
/// image is not shown; of resources, the first 48 MiB are included that can be read in ten seconds.
extension Reader {
    private static let maximumSize = 16 << 20
    private static let maximumTextSize = 4 << 20
    static let maximumResourceSize = 48 << 20
    static let maximumResources = 2000
    /// Seconds until what a page needs is there.
    static let resourceSeconds = 10.0
    /// Seconds until the page is parsed.
    private static let maximumSeconds = 60.0
    private static let maximumMarks = 5000

    /// Returns a page as HTML that loads nothing and runs nothing.
    ///
    /// The matches of the selector "mark" are marked, and the fragment `webinspect-at` refers to the node
    /// "at".
    func view(_ request: ReaderRequest) async throws(Failure) -> ReaderAnswer {
        let url = try request.url()
        var options = options
        options.archiveDate = try request.date()
        options.maximumTime = Self.maximumSeconds
        var configuration = try options.configuration()
        configuration.notesTags = true
        let loader = PageLoader(configuration: configuration)
        let wanted = try options.request(for: try request.webURL())
        var response = try await options.fetched(url, with: loader) { () async throws(LoadError) in
            try await loader.fetch(wanted)
        }
        let size = response.body.count
        let type = (try? PageContent.mediaType(of: response, ContentOverrides())) ?? .applicationOctetStream
        if type.isImage, size <= Self.maximumSize { return Self.view(ofImage: response.body, type) }
        let isCut = size > Self.maximumSize
        if isCut { response.body.removeSubrange(Self.maximumSize...) }
        // A part of an XML document is not XML.
        if type.isXML, isCut || type.essence != MediaType.applicationXHTML.essence {
            let found = EncodingDetection.xml(response.body.span, transportLabel: type[parameter: "charset"])
            return Self.view(of: DecodedText(response.body, found).string, isCut: isCut)
        }
        let start = response
        let page = try await options.fetched(url, with: loader) { () async throws(LoadError) in
            try await loader.load(kept: start, for: wanted, overriding: ContentOverrides())
        }
        let parsed = try await page.parsed(for: url)
        if parsed.document != nil { return try await view(of: page, parsed, request, isCut: isCut) }
        if let text = parsed.source { return Self.view(of: text, isCut: isCut) }
        return Self.document { html in
            html.element("p", "\(type.essence), \(TerminalText.bytes(size)): it cannot be shown here.")
        }
    }

    /// The copy of a page.
    private func view(
        of page: Page,
        _ parsed: ParsedPage,
        _ request: ReaderRequest,
        isCut: Bool
    ) async throws(Failure) -> ReaderAnswer {
        var wanted = PageCopy.Options()
        wanted.maximumBytes = Self.maximumResourceSize
        wanted.maximumTextSize = Self.maximumResourceSize
        wanted.maximumFiles = Self.maximumResources
        wanted.maximumTime = Duration(boundedSeconds: Self.resourceSeconds)
        let copy: PageCopy
        do throws(LoadError) {
            copy = try await PageCopy(of: page, options: wanted)
        } catch {
            throw Failure(error, source: try request.url())
        }
        var marks = PageMarks()
        if isCut {
            marks.note = Self.note
        } else if copy.isTruncated {
            marks.note = "A part of this page is not shown: it reached a limit."
        }
        if let document = copy.document {
            if let selector = request.optionalString("mark"), !selector.isEmpty {
                let found = try Self.selection(selector, isXPath: false, document)
                marks.marked = found.items.prefix(Self.maximumMarks).compactMap(\.node)
            }
            let number = request.integer("at", default: -1, in: -1...Int.largestBounded)
            if let nodes = parsed.nodes, 0..<nodes.count ~= number {
                marks.target = Self.target(number, nodes, in: document)
            }
        }
        return .bytes(copy.page(marks: marks, maximumSize: 2 * Self.maximumResourceSize))
    }

    /// Returns a node and its ancestors, from itself outwards; for XHTML, the copy of which is another
    /// document, the elements there.
    private static func target(_ number: Int, _ nodes: NodeIndex, in document: Document) -> [Node] {
        sequence(first: number) { nodes.parent(of: $0) }.compactMap { (number: Int) -> Node? in
            let node = nodes[number]
            if node.document === document { return node }
            return node.cssPath.flatMap { path in try? document.querySelector(path) }
        }
    }

    // MARK: - Other documents

    private static let note = "Only the start of this page is shown: it is too large."

    private static func view(ofImage bytes: [UInt8], _ type: MediaType) -> ReaderAnswer {
        document { html in
            html.open("img", ["alt": "", "src": "data:\(type.essence);base64,\(Base64.encode(bytes))"])
        }
    }

    private static func view(of text: String, isCut: Bool) -> ReaderAnswer {
        let start = text.prefix(scalars: maximumTextSize)
        return document { html in
            if isCut || start.utf8.count < text.utf8.count { html.element("p", note) }
            html.markup("<pre>\n")
            html.text(withLineFeeds(start))
            html.markup("</pre>")
        }
    }

    /// A text whose lines end with a line feed and nothing else.
    private static func withLineFeeds(_ text: String) -> String {
        var output: [UInt8] = []
        output.reserveCapacity(text.utf8.count)
        var last: UInt8 = 0
        for byte in text.utf8 {
            if byte == 0x0D || byte == 0x0A && last != 0x0D {
                output.append(0x0A)
            } else if byte != 0x0A {
                output.append(byte)
            }
            last = byte
        }
        return String(decoding: output, as: UTF8.self)
    }

    /// A page of ours.
    private static func document(_ write: (inout HTMLBuilder) -> Void) -> ReaderAnswer {
        var html = HTMLBuilder()
        html.markup("<!DOCTYPE html>\n<html><head><meta charset=\"utf-8\">")
        let policy = "default-src 'none'; img-src data:; style-src 'unsafe-inline'"
        html.open("meta", ["http-equiv": "Content-Security-Policy", "content": policy])
        html.markup(
            """
            <style>pre{white-space:pre-wrap;overflow-wrap:anywhere}img{max-width:100%}</style></head>
            <body>
            """
        )
        write(&html)
        html.markup("</body></html>\n")
        return .bytes(html.bytes)
    }
}
