import WebDocument

// Prints the title, the headings and the links of the HTML on standard input: `html-outline BASE`. HTML only: the only
// system library that it links is libxml2.

var html = ""
while let line = readLine(strippingNewline: false) { html += line }
do {
    let base = try WebURL(CommandLine.arguments.dropFirst().first ?? "https://example.com/")
    let page = try ParsedPage(html: html, baseURL: base)
    print(page.title ?? "untitled")
    for heading in page.headings {
        print(String(repeating: "  ", count: heading.level) + heading.text)
    }
    for link in page.links { print(link.url?.href ?? "broken: \(link.reference)") }
} catch {
    print(error)
}
