import Glibc
import WebCopy

// Copies a page into one file that needs no network: `save-page URL FILE`.

guard CommandLine.arguments.count == 3 else {
    print("usage: save-page URL FILE.html")
    exit(2)
}
let loader = PageLoader()
let page = try await loader.load(WebRequest(url: WebURL(CommandLine.arguments[1])))

var options = PageCopy.Options()
options.format = PageCopy.Format(fileNamed: CommandLine.arguments[2]) ?? .html
// The maximum time that a reader waits.
options.maximumTime = .seconds(60)

let copy = try await PageCopy(of: page, options: options)
let summary = try copy.write(to: CommandLine.arguments[2])
print("\(summary.files) files, \(page.title ?? "untitled")")
let missing = copy.missing + summary.missing
for resource in missing { print("missing:", resource.url, resource.code) }
exit(missing.isEmpty ? 0 : 1)
