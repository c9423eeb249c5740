import Glibc
import WebLoader

// Watches a price: `watch-price URL [FORMER-PRICE]`, to be run from time to time. The exit status is 0 if nothing has
// changed, 1 if the price has changed, 2 if the page no longer matches the recipe, 3 if it cannot be loaded.

let arguments = Array(CommandLine.arguments.dropFirst())
let recipe = try Recipe(
    """
    version: 1
    fields:
      name: {select: h1, required: true}
      price:
        select: .price
        transform: [number]
        required: true
        min: 0
    """
)

/// Loads the page again, unless the server reports that it has not changed.
func load(_ url: WebURL) async throws -> Page {
    var configuration = PageLoader.Configuration()
    configuration.retryPolicy.maximumRetries = 3
    let loader = PageLoader(configuration: configuration)
    return try await loader.load(WebRequest(url: url, cachePolicy: .reloadRevalidatingCacheData))
}

do {
    let page = try await load(WebURL(arguments.first ?? "https://example.com/"))
    let extraction = try await page.extract(recipe)
    guard let price = extraction.data["price"]?.number, extraction.errors.isEmpty, page.response.status == 200
    else {
        for error in extraction.errors { print(error) }
        print("the page has changed: look at the recipe")
        exit(2)
    }
    print(extraction.data["name"]?.string ?? "", price)
    if let former = arguments.dropFirst().first.flatMap(Double.init), former != price {
        print(price < former ? "cheaper by" : "dearer by", abs(price - former))
        exit(1)
    }
} catch {
    print(error)
    exit(3)
}
