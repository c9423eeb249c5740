import Glibc
import WebLoader

// The pages of an archive (WACZ, WARC, HAR, MHTML) as a table of date, title and URL: `archive-titles FILE`.

do {
    var configuration = PageLoader.Configuration()
    configuration.archives = [try Archive(CommandLine.arguments.dropFirst().first ?? "site.wacz")]
    let loader = PageLoader(configuration: configuration)

    for try await found in loader.archivedPages {
        // A page with a damaged body is included too, with the reason.
        let title: String
        switch found.result {
        case .success(let response): title = try await loader.load(response).title ?? "untitled"
        case .failure(let error): title = error.description
        }
        print(found.date?.text ?? "-", title, found.url, separator: "\t")
    }
} catch {
    print(error)
    exit(1)
}
