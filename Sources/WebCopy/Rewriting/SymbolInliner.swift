import WebDocument
import WebStandards

/// An inliner of symbols of SVG files into a page, under identifiers of their own: no browser loads them from a `data:`
/// URL.
///
/// <https://svgwg.org/svg2-draft/struct.html#UseElement>
struct SymbolInliner {
    /// The files with symbols, each with its number.
    private var files: [WebURL: (file: SymbolFile, number: Int)] = [:]
    /// The files without symbols.
    private var failed: Set<WebURL> = []
    private var count = 0
    /// The attribute of the elements that are inserted into a page, which identifies their symbols.
    static let mark = "data-webloader-symbol"
    /// The number of elements and bytes of symbols that may still be inserted into the page.
    private var budget = 32 << 20

    /// Whether the budget was too small for a symbol.
    var isExhausted: Bool { budget < 0 }

    /// Returns the markup that is to be inserted into a page for a symbol.
    ///
    /// - Parameters:
    ///   - url: The symbol, with its fragment; without one, the whole file.
    ///   - isShared: Whether symbols that were inserted before can be referenced from there.
    ///   - page: The file.
    ///   - text: Returns the file's text, with its own references replaced; `nil` if there is none.
    /// - Returns: The markup, which may be empty, and the identifier; `nil` if the symbol does not exist, or the page
    ///   has too many.
    mutating func symbol(
        _ url: WebURL,
        isShared: Bool,
        _ page: ParsedPage,
        text: () -> [UInt8]?
    ) -> (markup: String, id: String)? {
        let file = url.withoutFragment
        guard budget >= 0, !failed.contains(file) else { return nil }
        if files[file] == nil {
            guard let text = text(), let symbols = Self.file(text, page) else {
                failed.insert(file)
                return nil
            }
            files[file] = (symbols, count)
            count += 1
        }
        guard let number = files[file]?.number else { return nil }
        let id = String(
            decoding: PercentDecoding.decode(Array(url.hash.utf8.dropFirst()).span),
            as: UTF8.self
        )
        var prefix = "webloader-\(number)-"
        if !isShared {
            prefix = "webloader-\(count)-"
            count += 1
        }
        guard
            let made = files[file]?.file.symbol(
                id,
                prefix: prefix,
                mark: Self.mark,
                isShared: isShared,
                budget: &budget
            )
        else { return nil }
        if made.markup.isEmpty { return ("", made.id) }
        let markup = String(decoding: made.markup, as: UTF8.self)
        return ("<defs xmlns=\"http://www.w3.org/2000/svg\">\(markup)</defs>", made.id)
    }

    private static func file(_ text: [UInt8], _ page: ParsedPage) -> SymbolFile? {
        var response = page.response
        response.body = text
        var settings = page.facts.settings
        settings.overrides.textEncodingName = "utf-8"
        guard let parsed = try? ParsedPage(response, settings) else { return nil }
        return parsed.document.flatMap { SymbolFile($0) }
    }
}
