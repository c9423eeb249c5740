import WebStandards

/// The references of a style sheet that is a file of its own.
package enum StyleSheetLinks {
    /// Every reference, relative to the sheet's URL, with its place in the sheet's text.
    ///
    /// The links of a sheet that was made to exhaust memory are incomplete.
    ///
    /// Complexity: O(n) in the size of the sheet.
    ///
    /// - Parameters:
    ///   - response: The response with the sheet.
    ///   - limits: How long it may take.
    /// - Returns: The links, in their order.
    package static func find(in response: WebResponse, limits: LoadLimits = LoadLimits()) -> [Link] {
        let text = DecodedText(response.body, encoding(of: response)).string
        let resolver = ReferenceResolver(base: response.url, encoding: .utf8)
        let units = InspectionBudget.units(ofOneInspection: response.body.count)
        let budget = InspectionBudget(units: units, seconds: limits.maximumSeconds)
        var place = TextPlace(text)
        var links: [Link] = []
        for reference in StyleReferences.find(in: text) {
            let size = 2 * reference.text.utf8.count + response.url.href.utf8.count
            guard budget.spend(size: linkSize, text: size) else { break }
            var url: WebURL?
            var failure: WebURLError?
            do throws(WebURLError) {
                url = try resolver.resolve(reference.text)
            } catch {
                failure = error
            }
            links.append(
                Link(
                    kind: reference.kind,
                    element: nil,
                    attribute: nil,
                    field: nil,
                    reference: reference.text,
                    url: url,
                    failure: failure,
                    rel: [],
                    text: nil,
                    descriptor: nil,
                    isInert: false,
                    position: place.position(at: reference.offset)
                )
            )
        }
        return links
    }

    /// Returns the references of a sheet's text that are URLs, with their places in it, uncertain ones included.
    ///
    /// - Parameters:
    ///   - text: The text.
    ///   - base: The sheet's URL.
    /// - Returns: The references, in their order.
    /// - Complexity: O(n) in the length of the text.
    package static func places(in text: String, base: WebURL) -> [PlacedStyleReference] {
        let resolver = ReferenceResolver(base: base, encoding: .utf8)
        let budget = InspectionBudget(units: InspectionBudget.units(ofOneInspection: text.utf8.count))
        var places: [PlacedStyleReference] = []
        for reference in StyleReferences.find(in: text, includesUncertain: true) {
            let size = 2 * reference.text.utf8.count + base.href.utf8.count
            guard budget.spend(size: linkSize, text: size) else { break }
            // Browsers ignore an invalid URL, too.
            guard let url = try? resolver.resolve(reference.text) else { continue }
            places.append(
                PlacedStyleReference(
                    reference: reference.text,
                    url: url,
                    kind: reference.kind,
                    range: reference.range,
                    value: reference.value,
                    type: reference.type,
                    isUncertain: reference.isUncertain
                )
            )
        }
        return places
    }

    /// The text of a sheet.
    ///
    /// - Parameters:
    ///   - response: The response with it.
    ///   - environment: The encoding of the page or the sheet that refers to it, which it has where nothing says
    ///     another.
    /// - Returns: The text.
    package static func text(of response: WebResponse, environment: TextEncoding = .utf8) -> String {
        DecodedText(response.body, encoding(of: response, environment)).string
    }

    private static let linkSize = 512

    /// The encoding of a sheet: its byte order mark, what the transport says, its own first rule, or that of what
    /// refers to it.
    ///
    /// [CSS Syntax, section 3.2](https://drafts.csswg.org/css-syntax-3/#input-byte-stream)
    private static func encoding(
        of response: WebResponse,
        _ environment: TextEncoding = .utf8
    ) -> EncodingDetection {
        let label = response.contentType?[parameter: "charset"]
        let own = declared(response.body).flatMap { TextEncoding(label: $0) }
        // A sheet that can be read so far as to say that is not in UTF-16.
        let fallback = own.map { $0 == .utf16LE || $0 == .utf16BE ? .utf8 : $0 } ?? environment
        // The first three bytes can contain a byte order mark, but no declaration of HTML.
        return .html(response.body.span.extracting(first: 3), transportLabel: label, fallback: fallback)
    }

    /// Returns the encoding in `@charset "…";`, if these are the sheet's first bytes.
    private static func declared(_ body: [UInt8]) -> String? {
        let start = Array("@charset \"".utf8)
        guard body.starts(with: start) else { return nil }
        let label = body.dropFirst(start.count).prefix(1024).prefix { $0 != UInt8(ascii: "\"") }
        guard body.dropFirst(start.count + label.count).starts(with: Array("\";".utf8)) else { return nil }
        return String(decoding: label, as: UTF8.self)
    }
}

/// A reference of a style sheet with its place.
package struct PlacedStyleReference: Sendable {
    /// The reference, without escapes.
    package let reference: String
    package let url: WebURL
    package let kind: Link.Kind
    /// The URL in the text, between its quotes or parentheses.
    package let range: Range<Int>
    /// All of the value that it is: its `url()`, or its string.
    package let value: Range<Int>
    /// The type that `image-set()` says the image is of; nil where it says none.
    package let type: String?
    /// Whether its place alone makes it no URL, though a browser may take it for one.
    package let isUncertain: Bool
}

/// Counts lines and columns of a text, from one place to a later one.
private struct TextPlace {
    private let bytes: [UInt8]
    private var offset = 0
    private var line = 1
    private var column = 1

    init(_ text: String) { bytes = Array(text.utf8) }

    /// The place of a byte that is not before the last one.
    mutating func position(at target: Int) -> SourcePosition {
        while offset < min(target, bytes.count) {
            let byte = bytes[offset]
            let isPair = byte == 0x0D && offset + 1 < bytes.count && bytes[offset + 1] == 0x0A
            if byte == 0x0A || byte == 0x0C || byte == 0x0D && !isPair {
                line += 1
                column = 1
            } else if byte & 0xC0 != 0x80, !isPair {
                column += 1
            }
            offset += 1
        }
        return SourcePosition(line: line, column: column)
    }
}
