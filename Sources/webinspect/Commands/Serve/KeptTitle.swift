import WebLoader

/// The title of a stored page, for a list of many: HTML is parsed only up to the end of the title.
///
/// It is the title of the whole page, or `nil` if the title is not in the part that was read.
struct KeptTitle {
    /// How many bytes of a page are read.
    static let startLength = 64 << 10

    private let response: WebResponse
    private let isHTML: Bool

    /// - Parameters:
    ///   - response: The response, with the start of its body.
    ///   - isHTML: Whether it is HTML; otherwise it is XML.
    init(_ response: WebResponse, isHTML: Bool) {
        self.response = response
        self.isHTML = isHTML
    }

    /// The title; `nil` if there is none in the start, and for content that is not markup.
    var text: String? {
        let body = response.body
        // A text of two bytes a character has no tags that could be found here.
        guard !body.prefix(Self.tagLength).contains(0) else { return Self.shown(page(of: body)?.title) }
        guard Self.find(isHTML ? Self.start : Self.name, in: body, from: 0) != nil else { return nil }
        guard isHTML else { return Self.shown(page(of: body)?.title) }
        var position = 0
        for _ in 0..<Self.maximumAttempts {
            guard let found = Self.find(Self.end, in: body, from: position) else { break }
            position = found + Self.end.count
            // It may be that of a comment, of a script, of an image: then the page has no title so far.
            guard position < body.count, Self.isTagEnd(body[position]) else { continue }
            guard position + 1 < body.count else { break }
            // The encoding's declaration may follow the title.
            let part =
                position < Self.declarationLength
                ? Array(body.prefix(Self.declarationLength))
                : Array(body[..<position]) + [UInt8(ascii: ">")]
            guard let page = page(of: part) else { return nil }
            guard let title = page.title else { continue }
            if page.encoding?.source == .fallback, !title.utf8.allSatisfy({ $0 < 0x80 }) { break }
            return Self.shown(title)
        }
        return Self.shown(page(of: body)?.title)
    }

    /// A title as lists have it: nil without a character that is no white space, and cut where it is long.
    ///
    /// Controls and all else in it stay as they are.
    static func shown(_ title: String?) -> String? {
        guard let title = title?.collapsingASCIIWhitespace, !title.isEmpty else { return nil }
        return String(title.unicodeScalars.prefix(maximumLength))
    }

    /// The maximum number of scalars of a title.
    private static let maximumLength = 300

    /// How often a page is parsed as far as something that may be the end of its title.
    private static let maximumAttempts = 4

    /// The first tag of a page is in as many bytes.
    private static let tagLength = 256

    /// A declaration of the encoding is looked for in as many bytes.
    private static let declarationLength = 1024

    private static let name = Array("title".utf8)
    private static let start = Array("<title".utf8)
    private static let end = Array("</title".utf8)

    private func page(of body: [UInt8]) -> ParsedPage? {
        var response = response
        response.body = body
        return try? ParsedPage(response, PageContent.Settings())
    }

    /// Where a text in lower case is, whatever the case of what is searched.
    private static func find(_ text: [UInt8], in body: [UInt8], from position: Int) -> Int? {
        var position = position
        while position + text.count <= body.count {
            if text.indices.allSatisfy({ lowered(body[position + $0]) == text[$0] }) { return position }
            position += 1
        }
        return nil
    }

    private static func lowered(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }

    private static func isTagEnd(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: ">"), UInt8(ascii: "/"), 0x20, 0x09, 0x0A, 0x0C, 0x0D: true
        default: false
        }
    }
}
