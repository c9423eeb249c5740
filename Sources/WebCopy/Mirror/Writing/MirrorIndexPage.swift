import WebStandards

/// The page at the top of a mirror: what is there, and what is missing and why.
struct MirrorIndexPage {
    /// A page or a file that is there.
    struct Item {
        let title: String
        let url: String
        let place: [String]
        let isPage: Bool
    }

    let seeds: [String]
    /// The URLs that the seeds lead to.
    let starts: [String]
    let items: [Item]
    let summary: MirrorSummary
    /// When it was made.
    let date: Timestamp

    /// How many of each are listed, at most.
    private static let maximumListed = 5000

    /// The page that stands for one which could not be copied, in UTF-8; it is HTML, and XHTML too.
    static func missing(_ url: String, _ code: String) -> [UInt8] {
        let text = """
            <!DOCTYPE html>
            <html xmlns="http://www.w3.org/1999/xhtml" lang="en">
            <head><meta charset="utf-8"/><meta name="robots" content="noindex"/><title>Missing</title></head>
            <body><p>\(Self.text("\(url) is not in this copy (\(code))."))</p></body>
            </html>

            """
        return Array(text.utf8)
    }

    /// The page, in UTF-8.
    var bytes: [UInt8] {
        let subject = seeds.count == 1 ? seeds[0] : "\(seeds.count) sites"
        var page = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <meta name="robots" content="noindex">
            <title>\(Self.text("Copy of \(subject)"))</title>
            <style>
            :root { color-scheme: light dark }
            body { font: 1rem/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
            li { margin: .2rem 0 }
            small { opacity: .7 }
            </style>
            </head>
            <body>
            <h1>\(Self.text("Copy of \(subject)"))</h1>
            <p>\(Self.text("Made on \(date.text) by WebLoader: \(Self.count(summary.files, "file")), \(Self.count(summary.missing.count - summary.deadLinks, "thing")) missing.\n"))</p>

            """
        let pages = items.filter(\.isPage)
        let byURL = Dictionary(items.map { ($0.url, $0) }) { first, _ in first }
        let starts = starts.compactMap { byURL[$0] }
        if !starts.isEmpty { page += list("Start here", starts) }
        page += list("Pages", pages)
        let files = items.filter { !$0.isPage }
        if !files.isEmpty { page += list("Files", files) }
        page += list("Missing", summary.missing.filter { !$0.isDeadLink })
        page += list("Dead links", summary.missing.filter(\.isDeadLink))
        page += "</body>\n</html>\n"
        return Array(page.utf8)
    }

    private func list(_ title: String, _ items: [Item]) -> String {
        var text = "<h2>\(Self.text(title))</h2>\n<ul>\n"
        for item in items.prefix(Self.maximumListed) {
            let href = RelativeReference.reference(from: [MirrorNames.index], to: item.place)
            let title = item.title.isEmpty ? item.url : item.title
            text +=
                "<li><a href=\"\(href)\">\(Self.text(title))</a> <small>\(Self.text(item.url))</small></li>\n"
        }
        return text + "</ul>\n" + Self.rest(items.count)
    }

    private func list(_ title: String, _ missing: [MirrorSummary.Missing]) -> String {
        guard !missing.isEmpty else { return "" }
        var text = "<h2>\(title)</h2>\n<ul>\n"
        for missing in missing.prefix(Self.maximumListed) {
            text += "<li>\(Self.text(missing.url)) <small>\(Self.text(missing.code))</small></li>\n"
        }
        return text + "</ul>\n" + Self.rest(missing.count)
    }

    private static func rest(_ count: Int) -> String {
        count > maximumListed ? "<p>And \(count - maximumListed) more.</p>\n" : ""
    }

    private static func count(_ number: Int, _ word: String) -> String {
        number == 1 ? "1 \(word)" : "\(number) \(word)s"
    }

    /// A text as markup.
    private static func text(_ text: String) -> String {
        String(decoding: Escaping.attribute(text.utf8), as: UTF8.self)
    }
}
