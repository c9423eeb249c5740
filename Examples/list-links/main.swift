import Glibc
import WebLoader

// Lists the links of a page, absolute as in a browser, each URL once: `list-links URL`.

do {
    let url = try WebURL(CommandLine.arguments.dropFirst().first ?? "https://example.com/")
    let page = try await PageLoader().load(WebRequest(url: url)).parsed()

    var seen: Set<String> = []
    for link in page.links {
        // A reference may be unresolvable, such as "http://".
        guard let target = link.url else {
            print("broken    ", link.reference)
            continue
        }
        guard seen.insert(target.href).inserted else { continue }
        let place = link.position.map { "line \($0.line)" } ?? "in a header field"
        print(link.kind.rawValue, target, place, link.text ?? "")
    }
} catch {
    print(error)
    exit(1)
}
