import Glibc

/// The signs of a page's kind: the content of a list of products is not that of an article.
///
/// None of it is the name of a site, of a program that makes pages, or a word of a language.
struct PageSigns {
    /// The page's own statements about its kind.
    struct Statements: OptionSet {
        let rawValue: UInt32

        static let article = Self(rawValue: 1)
        static let product = Self(rawValue: 1 << 1)
        static let website = Self(rawValue: 1 << 2)
        static let dataOfArticle = Self(rawValue: 1 << 3)
        static let dataOfProduct = Self(rawValue: 1 << 4)
        static let dataOfList = Self(rawValue: 1 << 5)
        static let dataOfDiscussion = Self(rawValue: 1 << 6)
        static let dataOfService = Self(rawValue: 1 << 7)
        static let dataOfQuestions = Self(rawValue: 1 << 8)
        static let dataOfInstructions = Self(rawValue: 1 << 9)
        /// The program that made the page is named.
        static let generator = Self(rawValue: 1 << 10)
        /// A link to the page above this one, to the contents or to an index.
        static let contents = Self(rawValue: 1 << 11)
        /// A link to the next page of a series or to the previous one.
        static let series = Self(rawValue: 1 << 12)

        static let names = [
            "article", "product", "website", "dataOfArticle", "dataOfProduct", "dataOfList",
            "dataOfDiscussion",
            "dataOfService", "dataOfQuestions", "dataOfInstructions", "generator", "contents", "series",
        ]
    }

    let region: MainRegion
    /// Whether each entry is of a post of a discussion.
    let isInPost: [Bool]
    /// Its form controls.
    let controls: PageControls
    private let isDiscussion: Bool
    private let statements: Statements
    private let address: Address

    /// Reads a page.
    ///
    /// - Parameters:
    ///   - tree: The page's body, as it is read.
    ///   - root: The outermost element.
    ///   - url: The page's URL; nil where it has none.
    /// - Complexity: O(n) in the size of the page.
    init(_ tree: ContentTree, _ root: TreeNode, _ url: WebURL?) {
        region = MainRegion(tree)
        let finder = DiscussionFinder(tree)
        isInPost = finder.isInPost
        isDiscussion = finder.isPage
        var statements: Statements = []
        var controls = PageControls(url)
        var element: TreeNode? = root
        while let current = element {
            statements.add(current)
            controls.add(current)
            element = current.elementAfter(in: root)
        }
        self.statements = statements
        self.controls = controls
        address = Address(url)
    }

    /// The shape of a URL's path: that of an article has a long name, that of a shop's list has a few short ones.
    private struct Address {
        var segments = 0
        var words = 0
        var digits = 0
        var hasQuery = false

        init(_ url: WebURL?) {
            guard let url else { return }
            hasQuery = url.query.map { !$0.isEmpty } ?? false
            let path = url.path.split(separator: "/")
            segments = path.count
            digits = url.path.utf8.count { $0.isASCIIDigit }
            words = path.last.map { $0.utf8.split { !$0.isASCIIAlpha && $0 < 0x80 }.count } ?? 0
        }
    }

    // MARK: - Numbers

    /// Adds what is known of the page, in the order of ``names``.
    func describe(into row: inout ContentRows) {
        row.add(bits: statements.rawValue, count: Statements.names.count)
        row.add(address.segments)
        row.add(address.words)
        row.add(address.digits)
        row.add(address.hasQuery)
        row.add(isDiscussion)
        row.add(region.root > 0)
    }

    /// The names of what ``describe(into:)`` adds.
    static let names =
        Statements.names.map { "says-\($0)" }
        + ["url-segments", "url-words", "url-digits", "url-query", "isDiscussion", "hasMain"]
}

extension PageSigns.Statements {
    /// Adds what an element says.
    fileprivate mutating func add(_ element: TreeNode) {
        if element.hasName("meta") {
            if element.attribute("name")?.isEqualIgnoringASCIICase(to: "generator") == true {
                insert(.generator)
            }
            guard element.attribute("property") == "og:type", let type = element.attribute("content") else {
                return
            }
            add(graphType: type)
        } else if element.hasName("link") {
            guard let relations = element.attribute("rel") else { return }
            for relation in relations.utf8.split(whereSeparator: \.isASCIIWhitespace) {
                switch String(asciiLowercasing: relation) {
                case "up", "index", "contents", "top", "home", "start": insert(.contents)
                case "next", "prev", "previous": insert(.series)
                default: break
                }
            }
        } else if element.hasName("script"), JSONLDBlock.isBlock(element) {
            var child = element.firstChild
            while let current = child {
                if let text = unsafe current.textBytes { unsafe add(data: text) }
                child = current.next
            }
        }
    }

    private mutating func add(graphType type: String) {
        let type = String(asciiLowercasing: type.utf8)
        if type.contains("article") { insert(.article) }
        if type.contains("product") { insert(.product) }
        if type.contains("website") { insert(.website) }
    }

    /// Adds the types of the nodes in JSON-LD, wherever they are, without reading the rest of it.
    private mutating func add(data: UnsafePointer<UInt8>) {
        var cursor = unsafe data
        while let start = unsafe Self.find("\"@type\"", cursor) {
            unsafe cursor = start
            while unsafe cursor[0].isASCIIWhitespace || cursor[0] == UInt8(ascii: ":")
                || cursor[0] == UInt8(ascii: "[")
            {
                unsafe cursor += 1
            }
            guard unsafe cursor[0] == UInt8(ascii: "\"") else { continue }
            unsafe cursor += 1
            let name = unsafe cursor
            while unsafe cursor[0] != 0 && cursor[0] != UInt8(ascii: "\"") { unsafe cursor += 1 }
            let length = unsafe cursor - name
            guard length <= Self.longestType else { continue }
            add(type: unsafe String(decoding: UnsafeBufferPointer(start: name, count: length), as: UTF8.self))
        }
    }

    /// Characters of the longest type that is looked at.
    private static var longestType: Int { 80 }

    /// Where a text ends that is found for the first time; nil where it is not.
    private static func find(_ text: StaticString, _ bytes: UnsafePointer<UInt8>) -> UnsafePointer<UInt8>? {
        var cursor = unsafe bytes
        while let found = unsafe strchr(
            UnsafeRawPointer(cursor).assumingMemoryBound(to: CChar.self),
            Int32(text.utf8Start[0])
        ) {
            unsafe cursor = UnsafePointer(UnsafeRawPointer(found).assumingMemoryBound(to: UInt8.self))
            var length = 0
            while length < text.utf8CodeUnitCount, unsafe cursor[length] == text.utf8Start[length] {
                length += 1
            }
            if length == text.utf8CodeUnitCount { return unsafe cursor + length }
            unsafe cursor += 1
        }
        return nil
    }

    private mutating func add(type: String) {
        let name = type.split(separator: "/").last ?? ""
        switch name {
        case "Product", "ProductGroup", "Offer", "AggregateOffer": insert(.dataOfProduct)
        case "ItemList", "CollectionPage", "SearchResultsPage", "OfferCatalog", "Blog": insert(.dataOfList)
        case "QAPage", "DiscussionForumPosting": insert(.dataOfDiscussion)
        case "LocalBusiness", "Service", "ProfessionalService", "SoftwareApplication", "WebApplication":
            insert(.dataOfService)
        case "FAQPage": insert(.dataOfQuestions)
        case "HowTo", "Recipe", "TechArticle", "APIReference": insert(.dataOfInstructions)
        case "Report", "Review": insert(.dataOfArticle)
        default:
            if name.hasSuffix("Article") || name.hasSuffix("BlogPosting") || name == "SocialMediaPosting" {
                insert(.dataOfArticle)
            }
        }
    }
}
