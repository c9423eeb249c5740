import WebDocument
import WebStandards

/// Images, films and frames that a script of the page would load later.
///
/// Such a page has a small image or none where browsers look for one, and the right one in an attribute that only its
/// script reads. In a copy without scripts it would never be seen.
enum LazyImages {
    /// Attributes of elements, each with those that scripts read in its place by convention, the most usual one first.
    private static let attributes: [String: [(name: String, late: [String])]] = [
        "img": [
            ("src", ["data-src", "data-lazy-src", "data-original", "data-lazy"]),
            ("srcset", ["data-srcset", "data-lazy-srcset"]),
        ],
        "source": [
            ("src", ["data-src", "data-lazy-src"]), ("srcset", ["data-srcset", "data-lazy-srcset"]),
        ],
        "video": [("src", ["data-src"]), ("poster", ["data-poster"])],
        "audio": [("src", ["data-src"])],
        "iframe": [("src", ["data-src", "data-lazy-src"])],
    ]

    /// Returns a page of HTML in which the attributes that scripts read take the place of those that browsers read.
    ///
    /// - Returns: The page, and the number of elements that were changed; `nil` if there are none.
    /// - Throws: `ParsingError` if there is not enough memory.
    /// - Complexity: O(n log n) in the size of the page.
    static func shown(
        _ page: ParsedPage,
        _ source: PageSource
    ) throws(ParsingError) -> (page: ParsedPage, count: Int)? {
        guard !source.isXML else { return nil }
        var edits = SourceEdits()
        var count = 0
        for tag in source.tags where !tag.isEnd && tag.vocabulary == .html {
            if let known = attributes[tag.localName], show(known, tag, source, &edits) { count += 1 }
        }
        guard count > 0 else { return nil }
        var response = page.response
        response.body = edits.applied(to: source.bytes)
        response.headerFields[.contentType] = "text/html; charset=utf-8"
        var settings = page.facts.settings
        settings.overrides.mimeType = nil
        settings.overrides.textEncodingName = nil
        settings.parsing.startClock()
        return (try ParsedPage(response, settings), count)
    }

    private static func show(
        _ known: [(name: String, late: [String])],
        _ tag: SourceTag,
        _ source: PageSource,
        _ edits: inout SourceEdits
    ) -> Bool {
        var shown: Set<String> = []
        for (name, late) in known {
            for attribute in late.compactMap({ source.attribute($0, of: tag) }) {
                let written = source.attributes[attribute]
                let value = source.value(of: written)
                guard !value.allSatisfy(\.isWhitespace), !isTemplate(value) else { continue }
                rename(attribute, name, source, &edits)
                if let own = source.attribute(name, of: tag) {
                    rename(own, "data-\(name)-shown", source, &edits)
                }
                shown.insert(name)
                break
            }
        }
        // Browsers prefer "srcset" to "src", and it has the small image too.
        if shown == ["src"], tag.localName == "img", let own = source.attribute("srcset", of: tag) {
            rename(own, "data-srcset-shown", source, &edits)
        }
        return !shown.isEmpty
    }

    /// Whether a value is not a URL, but a template for a script to make URLs from: with braces, RFC 6570, section 2.
    private static func isTemplate(_ value: String) -> Bool {
        value.utf8.contains(UInt8(ascii: "{")) && !value.hasPrefix("data:")
    }

    private static func rename(
        _ attribute: Int,
        _ name: String,
        _ source: PageSource,
        _ edits: inout SourceEdits
    ) {
        let written = source.attributes[attribute]
        edits.replace(written.range.lowerBound..<written.nameEnd, with: name.utf8)
    }
}
