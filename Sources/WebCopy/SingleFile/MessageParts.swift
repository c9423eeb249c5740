import WebDocument
import WebStandards

/// The parts of a message, and the URLs by which others refer to them.
struct MessageParts {
    /// The content of a part.
    enum Content {
        case page(CopiedFrame)
        /// A style sheet, as the page that is composed shows it.
        case styleSheet(PageComposer.Scope)
        case bytes
    }

    /// A part, before it is written.
    struct Part {
        /// The URL of its resource.
        let url: WebURL
        /// The URL by which others refer to it.
        let location: String
        let content: Content
    }

    /// The form of a part, which distinguishes it from other parts of the same resource.
    private enum Form: Hashable {
        case page
        case styleSheet(TextEncoding, isQuirky: Bool, policiesOf: WebURL?)
        case bytes

        init(_ content: Content) {
            self =
                switch content {
                case .page: .page
                case .styleSheet(let scope):
                    .styleSheet(
                        scope.encoding,
                        isQuirky: scope.isQuirky,
                        policiesOf: scope.policies.isEmpty ? nil : scope.url
                    )
                case .bytes: .bytes
                }
        }
    }

    private struct Key: Hashable {
        let url: WebURL
        let form: Form
    }

    private let source: CopyLocation
    private var locations: [Key: String] = [:]
    private var taken: Set<String> = []
    private var parts: [Part] = []
    private var written = 0

    init(_ source: CopyLocation) { self.source = source }

    /// Returns the URL of a part; `nil` if it does not exist yet.
    func location(of url: WebURL, as content: Content) -> String? {
        locations[Key(url: url, form: Form(content))]
    }

    /// Adds a part.
    ///
    /// The first part of a resource has the resource's URL; others have URLs that are only names (RFC 2392).
    ///
    /// - Returns: The part's URL.
    mutating func add(_ url: WebURL, as content: Content) -> String {
        var location = source.location(of: url).href
        if !taken.insert(location).inserted {
            location = "cid:part-\(parts.count)@webloader"
            taken.insert(location)
        }
        locations[Key(url: url, form: Form(content))] = location
        parts.append(Part(url: url, location: location, content: content))
        return location
    }

    /// Returns the next part that is to be written; `nil` if there is none.
    mutating func next() -> Part? {
        guard written < parts.count else { return nil }
        written += 1
        return parts[written - 1]
    }
}
