import Glibc
import WebLoader

// Extracts a page's title and links, within a budget of time and memory: `extract [URL]`.

do {
    let url = try WebURL(CommandLine.arguments.dropFirst().first ?? "data:text/html,<h1>Hello</h1>")
    let page = try await PageLoader().load(WebRequest(url: url))
    let recipe = try Recipe(
        """
        version: 1
        fields:
          title: h1
          links: {select: "a[href]", all: true, take: "url:href"}
        """
    )
    let extraction = try await page.extract(recipe, budget: Budget(time: .seconds(1), memory: .megabytes(5)))
    print(String(decoding: extraction.data.serialized(sortingNames: false), as: UTF8.self))
    if let exceeded = extraction.exceeded { print("stopped early:", exceeded) }
} catch {
    print(error)
    exit(1)
}
