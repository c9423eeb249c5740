import ArgumentParser
import HTTPTypes
import Synchronization
import WebCopy
import WebLoader

extension Reader {
    /// Loads a page from the network and keeps it, whatever its server says of storing it, and its history.
    ///
    /// It is loaded as `webinspect fetch --keep --keep-history` would, with the user's settings. An HTTP error
    /// is an answer, too.
    func load(_ request: ReaderRequest) async throws(Failure) -> ReaderAnswer {
        let url = try request.webURL()
        let policy: CachePolicy =
            switch request.optionalString("policy") {
            case nil, "use-protocol": .useProtocolCachePolicy
            case "reload": .reloadIgnoringLocalCacheData
            case let other?:
                throw Failure(usage: "policy \(other)", "not one of use-protocol, reload", code: "input.form")
            }
        let options = try loadingOptions(policy)
        let meter = LoadMeter { self.send($0) }
        defer { meter.end() }
        var configuration = try options.configuration()
        configuration.meter = meter
        configuration.fetcher = fetcher(options.connection, else: configuration.fetcher)
        let loader = PageLoader(configuration: configuration)
        let wanted = try options.request(for: url)
        let overrides = try options.overrides()
        let page = try await options.fetched(url.href, with: loader) { () async throws(LoadError) in
            try await loader.load(wanted, overriding: overrides, delegate: meter)
        }
        meter.end()
        await loadResources(of: page)
        await loader.finishBackgroundWork(within: LoadingOptions.backgroundTime)
        let response = page.response
        return .json([
            // As the list has it.
            "url": .string(StoredResponse.key(for: response.url)),
            "status": JSONValue(response.status?.code),
            "title": JSONValue(KeptTitle.shown(page.title)),
            "bytes": .integer(Int64(response.body.count)),
            "stored": .bool(await loader.isCached(response.url)),
            "stem": .string(browser.place(of: response.url)),
        ])
    }

    /// Stores the resources that the page's view needs in the cache: images, style sheets, frames.
    ///
    /// Resources that fail to load are missing in the view.
    private func loadResources(of page: Page) async {
        var wanted = PageCopy.Options()
        wanted.maximumBytes = Self.maximumResourceSize
        wanted.maximumFiles = Self.maximumResources
        wanted.maximumTime = Duration(boundedSeconds: Self.resourceSeconds)
        _ = try? await PageCopy(of: page, options: wanted)
    }

    /// The options of a load: those of the user's settings, but for where and how it is kept.
    private func loadingOptions(_ policy: CachePolicy) throws(Failure) -> LoadingOptions {
        var loading = try Self.settings()
        loading.archives = []
        loading.archiveDate = nil
        loading.record = nil
        loading.isSilent = true
        loading.policies = [policy]
        loading.cacheDirectory = options.cacheDirectory
        loading.storesResponse = true
        loading.keepsForOfflineUse = true
        loading.keepsHistory = true
        return loading
    }

    /// The options that the user's settings give to a load.
    private static func settings() throws(Failure) -> LoadingOptions {
        var origins: [String: String] = [:]
        let line = try Configuration.applied(to: ["fetch", "about:blank", "--silent"], origins: &origins)
        if let hot = try HotArguments.read(line) { return hot.line.loading }
        do {
            return try FetchCommand.parse(Array(line.dropFirst())).line().loading
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(usage: "settings", FetchCommand.message(for: error))
        }
    }

    /// The connections of the load before this one, if they are as this one's would be.
    private func fetcher(_ settings: ConnectionOptions, else new: any Fetcher) -> any Fetcher {
        connections.withLock { connections in
            if let connections, connections.settings == settings { return connections.fetcher }
            connections = (settings, new)
            return new
        }
    }

    /// Removes what is kept of a page, with all its versions.
    func remove(_ request: ReaderRequest) async throws(Failure) -> ReaderAnswer {
        let url = try request.string("url")
        do throws(CacheBrowser.Failure) {
            return .json(["removed": .integer(Int64(try browser.remove(exactly: url)))])
        } catch {
            throw Failure(error)
        }
    }
}
