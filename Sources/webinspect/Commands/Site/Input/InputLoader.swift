import WebLoader

/// Gets the pages that lines ask for.
struct InputLoader: Sendable {
    let loader: PageLoader
    let options: LoadingOptions
    private let shelf = ArchiveShelf()

    init(_ loader: PageLoader, _ options: LoadingOptions) {
        self.loader = loader
        self.options = options
    }

    /// Gets a page, redirects followed.
    func load(_ content: PageInput.Content) async throws(Failure) -> LoadedPage {
        guard case .source(let name) = content else { return try await loadLocal(content) }
        var request = try options.request(for: try Self.url(name, options))
        request.keepsFieldsToOrigin = true
        do throws(LoadError) {
            return LoadedPage(name: name, try await loader.fetch(request))
        } catch {
            throw Failure(error, source: name)
        }
    }

    /// The URL of a source.
    static func url(_ name: String, _ options: LoadingOptions) throws(Failure) -> WebURL {
        guard case .url(let url) = try Source(name, options) else {
            throw Failure(input: "\"-\" is no source for a line", code: "input.form")
        }
        return url
    }

    /// Gets a page that no request is made for.
    func loadLocal(_ content: PageInput.Content) async throws(Failure) -> LoadedPage {
        switch content {
        case .source(let name):
            throw Failure(subject: name, "it has to be requested", code: "internal", status: .fault)
        case .html(let html, let url):
            let base = try url.map { (text) throws(Failure) in try Source.parse(text) }
            let response = WebResponse(
                url: base ?? .aboutBlank,
                status: nil,
                body: Array(html.utf8),
                source: .memory
            )
            return LoadedPage(name: "-", response, html: html)
        case .archived(let url, let date, let result):
            do throws(LoadError) {
                return LoadedPage(name: url, try result.get(), date: date)
            } catch {
                throw Failure(error, source: url)
            }
        case .record(let file, let location):
            let archive: Archive
            do throws(ArchiveError) {
                archive = try await shelf.archive(file)
            } catch {
                throw Failure(error, archive: file)
            }
            do throws(LoadError) {
                let (url, date, response) = try await loader.response(in: archive, at: location)
                return LoadedPage(name: url, response, date: date)
            } catch {
                throw Failure(error, source: file)
            }
        }
    }
}
