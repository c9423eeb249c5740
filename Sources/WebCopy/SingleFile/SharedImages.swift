import WebDocument
import WebStandards

/// The images of a page that are stored once and shown often: as custom properties of CSS, to which style sheets and images
/// refer.
///
/// [CSS Custom Properties for Cascading Variables](https://drafts.csswg.org/css-variables/)
struct SharedImages {
    /// The number of each image that is shared.
    private(set) var numbers: [WebURL: Int] = [:]
    /// Those that an image element shows.
    private var shown: Set<Int> = []

    /// The name of an attribute and of properties that no page has.
    private static let name = "webloader-image"

    /// An image of nothing: where an image element has none that can be loaded, its size by its attributes is lost.
    private static let nothing =
        "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

    /// Bytes that storing an image once must save.
    private static let least = 4096

    /// Chooses the images of a page.
    ///
    /// - Parameters:
    ///   - uses: How often each is used where it could be shared, in the order of their first uses.
    ///   - count: The bytes of an image.
    init(_ uses: [(url: WebURL, times: Int)], count: (WebURL) -> Int?) {
        for (url, times) in uses where times > 1 {
            guard let count = count(url), (times - 1) *| Base64.length(of: count) >= Self.least else {
                continue
            }
            numbers[url] = numbers.count
        }
    }

    /// Whether an image could be shared where it is.
    static func canShare(_ reference: CopyReference) -> Bool {
        guard reference.kind == .image, reference.frameDepth == 0, reference.url.hash.isEmpty else {
            return false
        }
        if reference.isStyle { return reference.attribute == nil || reference.attribute == "style" }
        // A size by its density would be lost.
        return reference.element == "img" && reference.attribute == "src" && reference.isInPageScope
            && !reference.isScaled
    }

    /// What is in place of an image; nil if it is not shared.
    mutating func replacement(_ reference: CopyReference) -> Replacement? {
        guard Self.canShare(reference), let number = numbers[reference.resource] else { return nil }
        if reference.isStyle { return .value("var(--\(Self.name)-\(number))") }
        shown.insert(number)
        return .marked(Self.nothing, attribute: "data-\(Self.name)", value: "\(number)")
    }

    /// The style sheet that the page needs.
    ///
    /// - Parameter url: The `data:` URL of an image.
    /// - Returns: Its markup; empty without images.
    func style(url: (WebURL) -> String) -> String {
        guard !numbers.isEmpty else { return "" }
        let sorted = numbers.sorted { $0.value < $1.value }
        let properties = sorted.map { "--\(Self.name)-\($0.value):url(\"\(url($0.key))\");" }
        let rules = shown.sorted().map {
            "img[data-\(Self.name)=\"\($0)\"]{content:var(--\(Self.name)-\($0))}"
        }
        return "<style>:root{\(properties.joined())}\(rules.joined())</style>"
    }
}
