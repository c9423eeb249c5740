import HTTPTypes
import WebDocument
import WebLoader
import WebStandards

/// Chooses what of a page is copied.
struct CopySource {
    private let page: Page
    private let options: PageCopy.Options

    init(_ page: Page, _ options: PageCopy.Options) {
        self.page = page
        self.options = options
    }

    /// The page as it is, or a page that has only what is copied of it.
    ///
    /// - Returns: The page, and whether a limit had cut off the one that it is made of.
    func page() async throws(LoadError) -> (page: ParsedPage, isCut: Bool) {
        let parsed = try await CopyContents.parsed(page)
        guard let document = parsed.document, parsed.kind == .html || parsed.kind == .xhtml else {
            throw failure(
                ParsingError("parse.kind", "\(parsed.mediaType.essence) is no page that could be copied")
            )
        }
        if let selector = options.selector {
            let elements: [Node]
            do throws(SelectorError) {
                elements = try document.querySelectorAll(selector)
            } catch {
                throw failure(error)
            }
            guard !elements.isEmpty else { throw empty("\(selector) matches nothing") }
            return (try await made(document.excerpt(elements), parsed), parsed.isTruncated)
        }
        if options.takesMainText {
            guard let part = parsed.readablePart(isWhole: false), !part.text.isEmpty else {
                throw empty("no main text was found")
            }
            let excerpt = document.excerpt(part.elements, without: part.removed)
            return (try await made(excerpt, parsed), parsed.isTruncated)
        }
        // Markup of XML means something else to the parser of HTML.
        guard parsed.kind == .xhtml, let root = document.root else { return (parsed, parsed.isTruncated) }
        let markup = Array("<!DOCTYPE html>".utf8) + document.excerpt([root])
        return (try await made(markup, parsed), parsed.isTruncated)
    }

    /// A page of HTML in the place of another.
    private func made(_ markup: [UInt8], _ other: ParsedPage) async throws(LoadError) -> ParsedPage {
        var response = other.response
        response.body = markup
        response.headerFields[.contentType] = "text/html; charset=utf-8"
        var overrides = other.facts.settings.overrides
        overrides.mimeType = nil
        overrides.textEncodingName = nil
        return try await CopyContents.parsed(page.loader.load(part: response, overriding: overrides))
    }

    private func empty(_ message: String) -> LoadError { failure(ParsingError("copy.empty", message)) }

    private func failure(_ cause: any WebError) -> LoadError { LoadError(cause, url: page.response.url) }
}
