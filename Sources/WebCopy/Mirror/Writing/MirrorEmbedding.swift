import WebDocument
import WebLoader
import WebStandards

/// The content that is embedded in a page or a style sheet, since no browser loads it from a file beside it: SVG
/// symbols, resources that are requested with CORS, and the resources of pages and style sheets in `data:` URLs.
struct MirrorEmbedding {
    /// A file with symbols.
    struct Sprite {
        let page: ParsedPage
        let rewriter: PageRewriter
    }

    /// The files with symbols, by entry.
    private(set) var sprites: [Int: Sprite] = [:]
    /// The `data:` URLs of images, by entry.
    private(set) var images: [Int: String] = [:]
    /// The self-contained `data:` URLs of pages and style sheets, by their original URLs.
    private(set) var texts: [String: String] = [:]

    /// The maximum size of an embedded image, in bytes.
    private static let maximumImage = 256 << 10
    /// The maximum size of all of them in one page, in bytes.
    private static let maximumBytes = 16 << 20
    /// The maximum size of the `data:` URLs in a page, counting each occurrence, in bytes: all embedded ones fit in
    /// once.
    static let maximumWritten = 2 * maximumBytes

    private let index: MirrorIndex
    private let places: MirrorPlaces
    private let references: MirrorReferences
    private let loader: PageLoader
    private var left = maximumBytes
    /// The files with symbols of another page, which are likely to be those of this one.
    private let known: [Int: Sprite]

    /// Creates an empty embedding.
    ///
    /// - Parameters:
    ///   - index: The contents of the mirror.
    ///   - places: The types of its entries.
    ///   - references: Finds references.
    ///   - loader: Reads the entries.
    ///   - known: The files with symbols of another page, so that they are not parsed again.
    init(
        _ index: MirrorIndex,
        _ places: MirrorPlaces,
        _ references: MirrorReferences,
        _ loader: PageLoader,
        known: [Int: Sprite] = [:]
    ) {
        self.index = index
        self.places = places
        self.references = references
        self.loader = loader
        self.known = known
    }

    /// Reads the content to be embedded for the references of a page or a style sheet.
    ///
    /// - Parameters:
    ///   - references: The references.
    ///   - embedsAll: Whether each image and font is embedded, rather than only those that cannot be a file of their
    ///     own.
    mutating func load(_ references: [CopyReference], embedsAll: Bool = false) async {
        for reference in references where reference.isRequisite && !reference.isForbidden {
            if reference.url.scheme == "data" {
                if reference.canBeLoaded, !embedsAll { await load(text: reference.resource) }
                continue
            }
            guard let (entry, _) = index.target(of: reference.url) else { continue }
            if reference.isSymbol {
                await load(symbolsOf: entry)
            } else if reference.kind == .image || reference.kind == .font, embedsAll || reference.needsCORS {
                await load(image: entry)
            }
        }
    }

    private mutating func load(image entry: Int) async {
        let room = min(left, Self.maximumImage)
        guard images[entry] == nil, let type = places.types[entry],
            let response = try? await index.response(entry, loader, maximumSize: room)
        else { return }
        left -= response.body.count
        images[entry] = "data:\(type.essence);base64,\(Base64.encode(response.body))"
    }

    private mutating func load(symbolsOf entry: Int) async {
        guard sprites[entry] == nil else { return }
        if let sprite = known[entry] {
            let count = sprite.page.response.body.count
            guard count <= left else { return }
            left -= count
            sprites[entry] = sprite
            return
        }
        guard let response = try? await index.response(entry, loader, maximumSize: left),
            let page = try? parsed(response), let rewriter = try? references.rewriter(of: page)
        else { return }
        left -= response.body.count
        sprites[entry] = Sprite(page: page, rewriter: rewriter)
    }

    /// Makes a page, or a style sheet, in a `data:` URL self-contained.
    private mutating func load(text url: WebURL) async {
        guard texts[url.href] == nil, left >= url.href.utf8.count,
            let page = MirrorReferences.page(inData: url)
        else { return }
        left -= url.href.utf8.count
        let sheet = MirrorReferences.sheet(page)
        if sheet == nil, page.document == nil {
            // An image, or anything else without references.
            if !page.mediaType.isShownAsMarkup { texts[url.href] = url.href }
            return
        }
        let rewriter = try? sheet == nil ? references.rewriter(of: page) : nil
        guard let inner = sheet?.references ?? rewriter?.references else { return }
        var embedding = MirrorEmbedding(index, places, references, loader)
        embedding.left = left
        await embedding.load(inner, embedsAll: true)
        left = embedding.left
        let (index, images) = (index, embedding.images)
        var room = 2 * left
        let decide = { (reference: CopyReference) -> Replacement in
            guard reference.isRequisite else { return .absolute }
            if reference.url.scheme == "data" { return reference.canBeLoaded ? .missing : .keep }
            guard let (entry, fragment) = index.target(of: reference.url), let data = images[entry],
                data.utf8.count <= room
            else { return .missing }
            room -= data.utf8.count
            return .url(data + (fragment.map { "#" + $0 } ?? ""))
        }
        // The page does not know what the selectors of a sheet in it test.
        let asWritten = SelectorWriting(keepsValues: false)
        guard
            let result = sheet?.rewritten(selectors: asWritten, decide)
                ?? rewriter?.rewritten(selectors: references.selectors, decide)
        else { return }
        texts[url.href] = DataURLText.url(page.mediaType.essence, result.bytes)
    }

    private func parsed(_ response: WebResponse) throws(ParsingError) -> ParsedPage {
        var parsing = ParsingSettings(limits: loader.configuration.limits)
        parsing.startClock()
        return try ParsedPage(response, PageContent.Settings(parsing: parsing))
    }
}
