import HTTPTypes

@testable import WebDocument
@testable import WebLoader

/// The page on which selectors are tried.
private let page: Document? = {
    let markup = """
        <!doctype html><main id=m class="a b"><p lang=en>x<a href=/y>y</a></p><ul><li>1<li class=b>2<li>3</ul>
        <form><input checked type=checkbox><select><option selected>1<option>2</select></form><svg><g/></svg></main>
        """
    var settings = PageContent.Settings()
    settings.detection = .text
    var response = WebResponse(url: .aboutBlank, status: nil, body: Array(markup.utf8), source: .memory)
    response.headerFields[.contentType] = "text/html"
    return try? PageContent(response, settings).document
}()

/// Parses a selector and an XPath expression, and matches both: a mistake is an error, never anything else.
func fuzzSelector(_ input: UnsafeBufferPointer<UInt8>) {
    guard let page else { violation("there is no page") }
    let text = String(decoding: input, as: UTF8.self)
    if let selector = try? Selector(text), let nodes = try? page.querySelectorAll(selector) {
        // `matches` has the node itself as :scope (and &), `querySelectorAll` the document.
        let isScoped = text.lowercased().contains("scope") || text.contains { $0 == "&" || $0 == "\\" }
        for node in nodes where !isScoped {
            demand((try? node.matches(selector)) ?? true, "a node that was found does not match")
        }
    }
    if input.count < 200 { _ = try? page.evaluate(text) }
}
