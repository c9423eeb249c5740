import Glibc
import WebLoader
import WebSite

// Prints the pages that a site's sitemaps list, with their modification dates: `sitemap-list URL`, with the URL of any
// page of the site.

do {
    let site = try WebURL(CommandLine.arguments.dropFirst().first ?? "https://example.com/")
    let loader = PageLoader()
    var count = 0
    for await found in loader.sitemapEntries(of: await loader.sitemaps(ofSite: site)) {
        switch found {
        case .entry(let entry, _):
            count += 1
            print(entry.lastModified?.text ?? "-", entry.location)
        // A fault in one sitemap does not end the others.
        case .fault(let fault, let sitemap): print("\(fault.code.rawValue) \(sitemap): \(fault.message)")
        case .failure(let error, _): print(error)
        }
    }
    exit(count > 0 ? 0 : 1)
} catch {
    print(error)
    exit(2)
}
