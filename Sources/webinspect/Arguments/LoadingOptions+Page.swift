import WebLoader

extension LoadingOptions {
    /// Loads the page that a command's source names.
    func load(_ name: String, with loader: PageLoader) async throws(Failure) -> Page {
        let overrides = try overrides()
        var request: WebRequest?
        if case .url(let url) = try Source(name) { request = try self.request(for: url) }
        do throws(LoadError) {
            guard let request else { return try await loader.loadStandardInput(overriding: overrides) }
            return try await loader.load(request, overriding: overrides)
        } catch {
            throw Failure(error, source: name)
        }
    }
}
