extension Page {
    /// The loader that made the page.
    package var loader: PageLoader { origin.loader }

    /// The request for something that the page needs: with the same cache policy, and with the same fields within its origin
    /// only, so that no credentials leave it.
    package func request(for url: WebURL) -> WebRequest { origin.request(for: url) }
}
