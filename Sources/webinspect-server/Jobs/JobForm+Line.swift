import WebStandards

/// The command line of a job, and the files that it reads.
extension JobForm {
    /// The names of files in a job's folder.
    enum FileName {
        static let urls = "urls.txt"
        static let list = "list.yaml"
        static let recipe = "recipe.yaml"
        static let results = "out.jsonl"
    }

    /// The maximum bytes of a URL, of a list that is watched, of a recipe, and of all URLs of a command line.
    private static let longest = (
        url: 8192, list: 1 << 20, recipe: Catalogue.mostMemory.recipe, line: 512 << 10
    )

    /// The maximum number of URLs that a job begins with: those of a crawl are on its command line.
    private var maximumURLs: Int {
        switch kind {
        case .check, .batch: 100_000
        case .crawl: 100
        case .watch: 10_000
        }
    }

    /// Returns the URLs of a request, each once.
    ///
    /// - Throws: ``ServeError`` if a URL is not an http or https URL, or there are none, or too many.
    func urls(_ options: JSONValue) throws(ServeError) -> [String] {
        var urls: [String] = []
        var known: Set<String> = []
        for text in try options.strings("urls", atMost: maximumURLs) {
            let text = text.trimmingASCIIWhitespace
            if text.isEmpty { continue }
            let url = try Self.url(text)
            if known.insert(url).inserted { urls.append(url) }
        }
        guard !urls.isEmpty else { throw Self.usage("there is no URL to begin with") }
        if kind == .crawl, urls.reduce(0, { $0 + $1.utf8.count }) > Self.longest.line {
            throw ServeError(413, "limit.urls", "these URLs are too long for the line of a crawl")
        }
        return urls
    }

    /// Returns the URL of a text, without user name and password, which must not be stored.
    private static func url(_ text: String) throws(ServeError) -> String {
        guard text.utf8.count <= longest.url, let url = try? WebURL(text),
            url.scheme == "http" || url.scheme == "https", url.href.utf8.count <= 3 * longest.url
        else {
            throw ServeError(
                400,
                "url.invalid",
                "not a URL of http or https with at most \(longest.url) bytes: \(text.shortened)"
            )
        }
        return url.withoutCredentials.href
    }

    /// Returns the title of the job.
    func title(_ urls: [String]) -> String {
        let verb =
            switch kind {
            case .check: "Check"
            case .crawl: "Crawl"
            case .batch: "Batch"
            case .watch: "Watch"
            }
        let rest = urls.count > 1 ? " and \(urls.count - 1) more" : ""
        return "\(verb) \(urls.first?.shortened ?? "")\(rest)"
    }

    // MARK: - Files

    /// Returns the input files of the job, with their names.
    ///
    /// - Throws: ``ServeError`` if a file is too long.
    func files(_ urls: [String], _ options: JSONValue) throws(ServeError) -> [(name: String, bytes: [UInt8])]
    {
        let lines = Array((urls.joined(separator: "\n") + "\n").utf8)
        var files = [(name: FileName.urls, bytes: lines)]
        switch kind {
        case .check, .crawl: break
        case .batch:
            guard recipe != nil else { break }
            guard let text = options["recipe"]?.string, text.utf8.count <= Self.longest.recipe else {
                throw ServeError(413, "limit.recipe", "a recipe has at most \(Self.longest.recipe) bytes")
            }
            files.append((FileName.recipe, Array(text.utf8)))
        case .watch:
            // JSON is YAML too.
            let list: JSONValue = ["version": 1, "watch": .array(urls.map(JSONValue.string))]
            let bytes = list.serialized(sortingNames: false)
            guard bytes.count <= Self.longest.list else {
                throw ServeError(413, "limit.list", "these are too many URLs to watch in one job")
            }
            files.append((FileName.list, bytes))
        }
        return files
    }

    /// Whether the command writes its results to a file itself, rather than to standard output.
    var writesFile: Bool { kind == .batch }

    // MARK: - The line

    /// Returns the command line, the same each time: the command resumes from its state.
    ///
    /// - Parameters:
    ///   - program: The command's program.
    ///   - cache: The folder of the cache.
    ///   - folder: The job's folder.
    ///   - urls: The start URLs of a crawl.
    /// - Returns: The program and its arguments.
    func line(program: String, cache: String, folder: String, urls: [String]) -> [String] {
        var line = [program, kind.rawValue, "--progress=json", "--state=\(folder)/state"]
        if let rate { line.append("--rate=\(rate)/s") }
        if let depth { line.append("--depth=\(depth)") }
        if let maximumPages { line.append("--max-pages=\(maximumPages)") }
        line += include.map { "--include=\($0)" } + exclude.map { "--exclude=\($0)" }
        switch kind {
        case .check:
            line += ["--format=jsonl", "--list=\(folder)/\(FileName.urls)"]
            if isRecursive { line.append("--recursive") }
            if !checksExternal { line.append("--no-external") }
            if !checksFragments { line.append("--no-fragments") }
        case .crawl:
            // A name that ends in a slash is a folder's, whatever else it ends in.
            line += ["--jsonl", output == .cache ? "--output=\(cache)/" : "--output=\(folder)/pages.warc.gz"]
            line += ["--"] + urls
        case .batch:
            line += ["--output=\(folder)/\(FileName.results)", "--cache-dir=\(cache)"]
            switch source {
            case .prefer: line.append("--prefer-cache")
            case .only: line.append("--cache-only")
            case .reload: line.append("--refresh")
            }
            line += runs.compactMap { Self.knownRuns[$0] }.map { "--run=\($0)" }
            if recipe != nil {
                let path = Self.quoted("\(folder)/\(FileName.recipe)")
                line.append("--run=recipe=extract --recipe=\(path)")
            }
            line += ["--", "\(folder)/\(FileName.urls)"]
        case .watch:
            line += ["--jsonl", "--cache-dir=\(cache)", "--keep-history"]
            if let interval { line.append("--every=\(interval)s") }
            line += ["--", "\(folder)/\(FileName.list)"]
        }
        return line
    }

    /// A word as a shell quotes it.
    private static func quoted(_ word: String) -> String {
        "'\(word.replacing("'", with: "'\\''"))'"
    }
}
