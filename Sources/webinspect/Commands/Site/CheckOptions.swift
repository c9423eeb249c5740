import WebLoader
import WebSite

/// The options of a line of `check`.
struct CheckOptions {
    var settings = SiteChecker.Settings()
    let format: CheckReport.Format
    let output: String?
    /// The URLs and files that are named on the line.
    var seeds: [CheckSeed] = []
    /// Folders, of which each page is a seed.
    var folders: [WebURL] = []
    let lists: [String]
    /// Sitemaps that were named.
    var sitemaps: [WebURL] = []
    /// Whether the site is asked for its sitemaps.
    var findsSitemaps = false
    let takesAllPages: Bool
    let baseline: String?
    let failsOnUnknown: Bool
    let failsOnMoved: Bool
    /// Whether links are summed up by what they lead to.
    let isGrouped: Bool

    init(_ check: CheckArguments, _ sources: [String], _ line: LineOptions) throws(Failure) {
        guard let format = CheckReport.Format(rawValue: check.format) else {
            let names = CheckReport.Format.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(usage: "--format \(check.format)", "not one of \(names)")
        }
        for what in check.failOn where !["broken", "unknown", "moved", "text"].contains(what) {
            throw Failure(usage: "--fail-on \(what)", "not one of broken, unknown, moved, text")
        }
        self.format = format
        output = check.output == "-" ? nil : check.output
        lists = check.list
        baseline = check.baseline
        takesAllPages = line.loading.takesAllPages
        failsOnUnknown = check.failOn.contains("unknown")
        failsOnMoved = check.failOn.contains("moved")
        isGrouped = check.group
        if isGrouped, ![.text, .json, .jsonl].contains(format) {
            throw Failure(usage: "--group", "not with --format \(check.format)")
        }
        var scope = CheckScope()
        scope.isRecursive = check.recursive
        scope.maximumDepth = try check.depth.map { (text) throws(Failure) in
            try LoadingOptions.count("--depth", text, least: 0)
        }
        scope.maximumPages = try check.maxPages.map { (text) throws(Failure) in
            try LoadingOptions.count("--max-pages", text)
        }
        scope.include = check.include.map { URLGlob($0) }
        scope.exclude = check.exclude.map { URLGlob($0) }
        scope.checksExternal = check.external
        scope.checksFragments = check.fragments
        scope.needsTexts = check.failOn.contains("text")
        scope.obeysRobots = check.robots
        settings.scope = scope
        settings.state = check.state
        settings.retries = line.site.retries
        if let time = check.cacheResults {
            settings.cacheLifetime = try Self.lifetime(time)
            let folder = line.loading.cacheDirectory ?? CacheDirectory.standard(named: "webinspect")
            guard let folder else {
                throw Failure(usage: "--cache-results", "neither $XDG_CACHE_HOME nor $HOME is set")
            }
            settings.cache = try Self.cacheFile(in: folder)
        }
        let namesSitemap = check.sitemap.contains { $0 != CheckCommand.findsSitemaps }
        guard !sources.isEmpty || !lists.isEmpty || takesAllPages || namesSitemap else {
            throw Failure(usage: "seed", "expects a URL, a file or a folder; see webinspect check --help")
        }
        for source in sources { try add(source, line) }
        for map in check.sitemap {
            if map == CheckCommand.findsSitemaps {
                findsSitemaps = true
            } else {
                guard case .url(let url) = try Source(map, line.loading) else {
                    throw Failure(usage: "--sitemap", "expects a URL or a path")
                }
                sitemaps.append(url)
            }
        }
        try checkOutput()
        settings.hosts = seeds.map(\.url) + sitemaps
        setPace(check, sources, line)
    }

    /// Throws if the report would take the place of what the check reads or keeps.
    private func checkOutput() throws(Failure) {
        guard let output else { return }
        let found = FileStatus(output, followsLinks: true)
        let others = [("--state", settings.state), ("--baseline", baseline)] + lists.map { ("--list", $0) }
        for case (let flag, let path?) in others {
            let isSame =
                found?.kind == .regular && FileStatus(path, followsLinks: true)?.identity == found?.identity
            guard path == output || isSame else { continue }
            throw Failure(usage: "-o \(output)", "it is the file of \(flag)")
        }
    }

    /// Parses a time: "1d", "12h", "30m", "90s", or a number of seconds.
    private static func lifetime(_ text: String) throws(Failure) -> Double {
        let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400]
        let unit = text.last.flatMap { units[$0] }
        guard let number = Double(unit == nil ? text[...] : text.dropLast()), number >= 0, number.isFinite
        else {
            throw Failure(usage: "--cache-results \(text)", "not a time, as in 1d, 12h, 30m")
        }
        return (number * (unit ?? 1)).boundedSeconds
    }

    /// The file that results are kept in, whose folder is made.
    private static func cacheFile(in folder: String) throws(Failure) -> String {
        do throws(File.Failure) {
            _ = try Directory.making(own: folder)
        } catch {
            throw Failure(subject: folder, error.text, code: "file.write", status: .file)
        }
        return "\(folder)/links.db"
    }

    /// Adds a seed of the line: a URL, a file, or a folder.
    private mutating func add(_ source: String, _ line: LineOptions) throws(Failure) {
        guard case .url(let url) = try Source(source, line.loading) else {
            throw Failure(usage: "-", "for a list of URLs on standard input there is --list -")
        }
        guard url.scheme == "file", let path = url.filePath else {
            return seeds.append(CheckSeed(url))
        }
        guard let status = FileStatus(path, followsLinks: true) else {
            throw Failure(subject: source, "no such file or folder", code: "file.not-found", status: .file)
        }
        if status.kind == .directory,
            let folder = try? WebURL(filePath: path.hasSuffix("/") ? path : path + "/")
        {
            folders.append(folder)
            settings.scope.folders.append(folder)
            settings.scope.roots.append(folder)
        } else {
            seeds.append(CheckSeed(url))
            let parent = try? WebURL("./", base: url)
            settings.scope.folders.append(settings.scope.isRecursive ? parent ?? url : url.withoutFragment)
        }
    }

    /// How hosts are spared, and what the results depend on.
    private mutating func setPace(_ check: CheckArguments, _ sources: [String], _ line: LineOptions) {
        var options = Frontier.Options()
        line.site.set(&options)
        // Whoever waits for an answer wants to know of a dead host soon.
        options.politeness.failuresUntilParked = 3
        options.politeness.probesUntilDead = 0
        options.localPoliteness.probesUntilDead = 0
        options.isSynced = check.state != nil
        options.settings = [
            "seeds": sources.map(Source.redacted).joined(separator: " "),
            "lists": check.list.joined(separator: " "),
            "sitemaps": check.sitemap.map(Source.redacted).joined(separator: " "),
            "archives": line.loading.archives.joined(separator: " "),
            "recursive": "\(check.recursive)", "depth": settings.scope.maximumDepth.map { "\($0)" } ?? "",
            "max-pages": settings.scope.maximumPages.map { "\($0)" } ?? "",
            "include": check.include.joined(separator: " "),
            "exclude": check.exclude.joined(separator: " "), "external": "\(check.external)",
            "fragments": "\(check.fragments)", "robots": "\(check.robots)", "agent": line.agent,
        ]
        if let date = line.loading.archiveDate { options.settings["at"] = date.text }
        settings.options = options
    }
}
