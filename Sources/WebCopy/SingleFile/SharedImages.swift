import WebDocument
import WebStandards

/// The images of a page that are stored once and shown often: as custom properties of CSS, to which style sheets and images
/// refer.
///
/// [CSS Custom Properties for Cascading Variables](https://drafts.csswg.org/css-variables/)
struct SharedImages {
    /// The number of each image that is shared.
    private(set) var numbers: [WebURL: Int] = [:]
    /// The images that an image element shows.
    private var shown: Set<Int> = []

    /// The name of an attribute and of properties that no page uses.
    private static let name = "webloader-image"

    /// An empty image: an image element that can load none loses the size that its attributes declare.
    private static let nothing =
        "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7"

    /// The number of bytes that storing an image once must save.
    private static let least = 4096

    /// Chooses the images of a page.
    ///
    /// - Parameters:
    ///   - uses: The number of uses of each image where it could be shared, in the order of their first uses.
    ///   - count: Returns the size of an image, in bytes.
    init(_ uses: [(url: WebURL, times: Int)], count: (WebURL) -> Int?) {
        for (url, times) in uses where times > 1 {
            guard let count = count(url), (times - 1) *| Base64.length(of: count) >= Self.least else {
                continue
            }
            numbers[url] = numbers.count
        }
    }

    /// Whether the image of a reference could be shared.
    static func canShare(_ reference: CopyReference) -> Bool {
        guard reference.kind == .image, reference.frameDepth == 0, reference.url.hash.isEmpty else {
            return false
        }
        if reference.isStyle { return reference.attribute == nil || reference.attribute == "style" }
        // A size by its density would be lost.
        return reference.element == "img" && reference.attribute == "src" && reference.isInPageScope
            && !reference.isScaled
    }

    /// Returns the replacement of an image; `nil` if it is not shared.
    mutating func replacement(_ reference: CopyReference) -> Replacement? {
        guard Self.canShare(reference), let number = numbers[reference.resource] else { return nil }
        if reference.isStyle { return .value("var(--\(Self.name)-\(number))") }
        shown.insert(number)
        return .marked(Self.nothing, attribute: "data-\(Self.name)", value: "\(number)")
    }

    /// Returns the style sheet that the page needs.
    ///
    /// - Parameter url: Returns the `data:` URL of an image.
    /// - Returns: The markup; empty without images.
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
