import WebLoader
import WebSite

/// The seeds of a check, which are gathered and passed on in batches.
struct CheckSeeds {
    let options: CheckOptions
    let line: LineOptions
    let fetcher: SiteFetcher
    let robots: RobotsCache?

    /// How many are handed over at once.
    private static let batchSize = 10_000

    /// Adds all seeds of a check.
    func add(to checker: SiteChecker) async throws(Failure) {
        try add(options.seeds, checker)
        for folder in options.folders { try add(files(in: folder), checker) }
        for list in options.lists { try add(entries(of: list, checker), checker) }
        if options.takesAllPages { try await addArchivedPages(checker) }
        if options.findsSitemaps || !options.sitemaps.isEmpty { try await addSitemaps(checker) }
        try attempt { () throws(StateError) in try checker.endSeeds() }
    }

    private func add(_ seeds: [CheckSeed], _ checker: SiteChecker) throws(Failure) {
        var rest = seeds[...]
        while !rest.isEmpty {
            let batch = Array(rest.prefix(Self.batchSize))
            rest = rest.dropFirst(Self.batchSize)
            try attempt { () throws(StateError) in try checker.add(batch) }
        }
    }

    private func attempt(_ body: () throws(StateError) -> Void) throws(Failure) {
        do throws(StateError) {
            try body()
        } catch {
            throw Failure(state: error)
        }
    }

    // MARK: - Files

    /// The pages in a folder, and in those inside it; links of the file system are not followed.
    private func files(in folder: WebURL) throws(Failure) -> [CheckSeed] {
        guard let path = folder.filePath else { return [] }
        var seeds: [CheckSeed] = []
        var folders = [path]
        while let folder = folders.popLast() {
            var names: [String] = []
            do throws(File.Failure) {
                var directory = try Directory(folder)
                while let name = try directory.next() { names.append(name) }
            } catch {
                throw Failure(subject: folder, error.text, code: "file.unreadable", status: .file)
            }
            for name in names.sorted() where name != "." && name != ".." {
                let inner = folder + (folder.hasSuffix("/") ? name : "/" + name)
                switch FileStatus(inner, followsLinks: false)?.kind {
                case .directory?: folders.append(inner)
                case .regular?:
                    let type = MediaType.forFile(named: name)
                    guard type?.isHTML == true || type?.essence == "application/xhtml+xml" else { continue }
                    if let url = try? WebURL(filePath: inner) { seeds.append(CheckSeed(url)) }
                default: break
                }
            }
        }
        return seeds
    }

    // MARK: - Lists

    private static let maximumListSize = 1 << 30

    /// The URLs of a list, a line each; empty lines and those that begin with "#" do not count.
    private func entries(of list: String, _ checker: SiteChecker) throws(Failure) -> [CheckSeed] {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes =
                list == "-"
                ? try FileReader.read(
                    descriptor: 0,
                    name: "standard input",
                    maximumSize: Self.maximumListSize
                )
                : try FileReader.read(path: list, maximumSize: Self.maximumListSize)
        } catch {
            throw Failure(
                subject: list,
                error.reason,
                code: error.code.rawValue,
                status: ExitStatus(error.code)
            )
        }
        var seeds: [CheckSeed] = []
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        for (number, line) in lines.enumerated() {
            let text = String(decoding: line, as: UTF8.self).trimmingASCIIWhitespace
            guard !text.isEmpty, !text.hasPrefix("#") else { continue }
            let url: WebURL
            do throws(WebURLError) {
                url = try WebURL(text)
            } catch {
                throw Failure(
                    usage: "\(list):\(number + 1)",
                    "not a URL: \(Source.redacted(text)): \(error)",
                    code: "url.invalid",
                    nsURLErrorCode: -1000
                )
            }
            try attempt { () throws(StateError) in try checker.addHost(of: url) }
            seeds.append(CheckSeed(url, .list, line: number + 1))
        }
        return seeds
    }

    // MARK: - Archives

    private func addArchivedPages(_ checker: SiteChecker) async throws(Failure) {
        var pages = fetcher.loader.archivedPages.makeAsyncIterator()
        var batch: [CheckSeed] = []
        while let page = try await PageSources.next(&pages) {
            guard let url = try? WebURL(page.url) else { continue }
            try attempt { () throws(StateError) in try checker.addHost(of: url) }
            batch.append(CheckSeed(url))
            guard batch.count >= Self.batchSize else { continue }
            try add(batch, checker)
            batch.removeAll(keepingCapacity: true)
        }
        try add(batch, checker)
    }

    // MARK: - Sitemaps

    private func addSitemaps(_ checker: SiteChecker) async throws(Failure) {
        var maps = options.sitemaps
        if options.findsSitemaps {
            for seed in options.seeds where seed.url.scheme == "http" || seed.url.scheme == "https" {
                for map in await found(of: seed.url) where !maps.contains(map) { maps.append(map) }
            }
        }
        let template = try line.loading.request(for: .aboutBlank)
        // The user's credentials are for the sites that the user named, not for those that a robots.txt
        // names.
        let named = options.sitemaps + options.seeds.map(\.url)
        let entries = fetcher.loader.sitemapEntries(of: maps, template: template, sites: named)
        var batch: [CheckSeed] = []
        for await found in entries {
            switch found {
            case .entry(let entry, _): batch.append(CheckSeed(entry.location, .sitemap))
            case .fault(let fault, let map):
                warn("\(map)\(fault.line.map { ":\($0)" } ?? ""): \(fault.message) (\(fault.code.rawValue))")
            case .failure(let error, let map): warn("\(map): \(error.message) (\(error.code.rawValue))")
            }
            guard batch.count >= Self.batchSize else { continue }
            try add(batch, checker)
            batch.removeAll(keepingCapacity: true)
        }
        try add(batch, checker)
    }

    /// The sitemaps that a site's robots.txt names, else `/sitemap.xml`.
    private func found(of url: WebURL) async -> [WebURL] {
        guard let robots else { return await fetcher.loader.sitemaps(ofSite: url, template: nil) }
        let file = RobotsFile.location(ofSite: url.withoutCredentials) ?? url
        let named = await robots.rules(of: url).sitemaps.compactMap { $0.url(relativeTo: file) }
        guard named.isEmpty else { return named }
        return [try? WebURL("/sitemap.xml", base: url.withoutCredentials)].compactMap(\.self)
    }

    private func warn(_ message: String) {
        if !line.loading.isSilent { Output.message("webinspect: warning: \(message)") }
    }
}
