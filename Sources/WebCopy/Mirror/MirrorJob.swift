package import WebLoader
package import WebSite
import WebStandards

/// A mirror: a crawl into an archive that the folder keeps for itself, and a copy to browse that is made of it.
///
/// Loading and writing are two phases. What is loaded is recorded with the state of the job, so that a process may be ended at any
/// moment; the copy is made of what is known then, file by file, as often as need be. An update is another crawl into another
/// archive, which asks whether what the first one has is still right, and takes its place once all is done.
///
/// One task at a time uses it.
package final class MirrorJob {
    /// How a mirror is made.
    package struct Options: Sendable {
        /// How it is crawled; where its state and its archive are is the mirror's affair.
        package var crawl = CrawlJob.Options()
        /// Whether a copy that is whole is brought up to date.
        package var isUpdate = false
        /// Whether scripts stay.
        package var keepsScripts = false
        /// Whether images that a script would load later are shown.
        package var showsLazyImages = false
        /// Pixels of an image for one of the page's, at most, where there is a choice.
        package var maximumDensity = 2.0

        package init() {}
    }

    private let folder: MirrorFolder
    private let options: Options
    private var record: MirrorRecord
    /// What loads, records and remembers.
    package let crawl: CrawlJob
    /// What the copy before has, during an update.
    private let previous: MirrorIndex
    /// What there is, where an update has found nothing that is not as it was.
    private var unchanged: MirrorSummary?

    /// Whether there is any page.
    package var hasPages: Bool { unchanged != nil || crawl.totals.pages > 0 }

    /// Opens a mirror, or begins one.
    ///
    /// - Parameters:
    ///   - path: Its folder; it must not be there, be empty, or be one of a mirror.
    ///   - options: How it is made.
    ///   - limits: What a kept copy may have, so that it is compared.
    /// - Throws: ``/WebSite/StateError``: `state.busy` where another process works on it, `state.settings` where it was begun otherwise.
    package init(_ path: String, _ options: Options, limits: LoadLimits) async throws(StateError) {
        var options = options
        options.crawl.canonical.ignoresEmptyQuery = true
        self.options = options
        folder = try MirrorFolder(path)
        var record = try folder.record()
        var kept: MirrorIndex?
        if options.isUpdate, let whole = record.whole, !record.isUnfinished {
            // One that was begun otherwise is another mirror.
            _ = try CrawlJob(Self.options(whole, in: folder, options))
            record.current = whole + 1
            // What is left of an update that was never said to be begun.
            try folder.remove(own: Self.files(record.current))
        }
        try folder.keep(record)
        let needed = [record.whole, record.current]
        try folder.sweep { name in Self.number(ofCopy: name).map { needed.contains($0) } ?? true }
        var crawling = Self.options(record.current, in: folder, options)
        if record.isUnfinished, let whole = record.whole {
            let index = try await MirrorIndex(options.crawl.canonical)
                .adding(folder.ownPath(Self.archive(whole)))
            crawling.kept = Self.keeping(index, limits)
            kept = index
        }
        let references = MirrorReferences(options)
        crawling.resources = { references.resources(of: $0) }
        crawl = try CrawlJob(crawling)
        previous = kept ?? MirrorIndex(options.crawl.canonical)
        self.record = record
    }

    // MARK: - The files of a copy

    private static func archive(_ number: Int) -> String { "copy-\(number).warc.gz" }

    private static func files(_ number: Int) -> [String] {
        let state = "copy-\(number).state"
        return [archive(number), state, "\(state)-wal", "\(state)-shm", "\(state)-journal", "\(state).lock"]
    }

    /// The number of the copy that a file of the folder's own belongs to; nil for other files.
    private static func number(ofCopy name: String) -> Int? {
        guard name.hasPrefix("copy-") else { return nil }
        return Int(bounded: name.dropFirst(5).prefix { $0 != "." })
    }

    private static func options(
        _ number: Int,
        in folder: MirrorFolder,
        _ options: Options
    ) -> CrawlJob.Options {
        var crawl = options.crawl
        crawl.state = folder.ownPath("copy-\(number).state")
        crawl.archive = folder.ownPath(archive(number))
        return crawl
    }

    /// Gives the copies that an index has, and what redirected.
    private static func keeping(
        _ index: MirrorIndex,
        _ limits: LoadLimits
    ) -> @Sendable (WebURL) async -> WebResponse? {
        var configuration = PageLoader.Configuration()
        configuration.limits = limits
        configuration.blockingWork = .threads
        let loader = PageLoader(configuration: configuration)
        return { url in
            guard let number = index.entry(of: url) else { return nil }
            let entry = index.entries[number]
            guard entry.isContent || entry.redirect != nil else { return nil }
            return try? await index.response(number, loader)
        }
    }

    // MARK: - Running

    /// Loads what is left.
    ///
    /// - Parameters:
    ///   - loader: What loads, by ``/WebSite/CrawlJob/recording(_:)`` of ``crawl``.
    ///   - template: What each request is like.
    ///   - stop: How it is asked to end early.
    ///   - progress: Is told how far it is.
    /// - Returns: How it ended.
    /// - Throws: ``/WebSite/StateError``.
    package func load(
        _ loader: PageLoader,
        template: WebRequest,
        stop: StopRequest,
        progress: (@Sendable (SiteProgress) -> Void)?
    ) async throws(StateError) -> SiteRunner.End {
        if let known = try await known(loader, template, stop, progress) {
            unchanged = known
            return .complete
        }
        while true {
            let end = try await crawl.run(loader, template: template, stop: stop, progress: progress)
            guard end == .complete, previous.hasContent else { return end }
            let circles = try await circles()
            guard !circles.isEmpty else { return end }
            try crawl.keepCopies(of: circles)
        }
    }

    /// What there is, if an update that was just begun finds that nothing has changed: to ask for it is all that it costs.
    private func known(
        _ loader: PageLoader,
        _ template: WebRequest,
        _ stop: StopRequest,
        _ progress: (@Sendable (SiteProgress) -> Void)?
    ) async throws(StateError) -> MirrorSummary? {
        guard previous.hasContent, crawl.totals.answers == 0, !options.crawl.keepsScripted,
            let whole = record.whole, let summary = folder.summary(of: key(of: whole)),
            // What could not be had for another reason may be had now.
            summary.missing.allSatisfy({ $0.code.hasPrefix("http.") })
        else { return nil }
        // A sitemap may list what was not there.
        var isKnown = true
        try crawl.frontier.forEach(.queued) { row throws(StateError) in
            isKnown = (try? WebURL(row.url)).map { previous.entry(of: $0) != nil } ?? false
            return isKnown
        }
        guard isKnown else { return nil }
        let index = previous
        let isUnchanged = try await crawl.isUnchanged(
            index.entries.map(\.url),
            status: { url in index.entry(of: url).map { index.entries[$0].status } },
            loader,
            template: template,
            stop: stop,
            progress: progress
        )
        return isUnchanged ? summary : nil
    }

    /// What says which copy it is, and how it was written.
    private func key(of copy: Int) -> String {
        let limits = options.crawl.limits
        let bounds = [limits.maximumDepth, limits.maximumPages, limits.maximumBytes].map {
            $0.map(String.init) ?? "-"
        }
        let flags = [options.keepsScripts, options.showsLazyImages, options.crawl.loadsResources].map {
            $0 ? "1" : "0"
        }
        return
            "\(copy) \(WebLoaderVersion.current) \(bounds.joined(separator: " ")) \(flags.joined()) \(options.maximumDensity)"
    }

    /// What redirects in a circle now, and was there before.
    private func circles() async throws(StateError) -> [FrontierRow] {
        let new = try await MirrorIndex(options.crawl.canonical)
            .adding(folder.ownPath(Self.archive(record.current)))
        var found: [FrontierRow] = []
        try crawl.frontier.forEach(.done) { row throws(StateError) in
            if let url = try? WebURL(row.url), case .nowhere = new.end(of: url),
                previous.target(of: url) != nil
            {
                found.append(row)
            }
            return true
        }
        return found
    }

    /// Writes the copy of what there is.
    ///
    /// - Parameters:
    ///   - end: How loading ended.
    ///   - loader: Its limits are those of the bodies that are read.
    ///   - stop: How it is asked to end early.
    /// - Returns: What there is, and what is missing; nil if it was asked to end, which the next call makes good.
    /// - Throws: ``/WebSite/StateError``, `file.write` on a full disk; each file is whole then, the old one or the new one.
    package func write(
        after end: SiteRunner.End,
        _ loader: PageLoader,
        stop: StopRequest
    ) async throws(StateError) -> MirrorSummary? {
        if let unchanged {
            let begun = record.current
            record.current = record.whole ?? begun
            try folder.keep(record)
            try folder.remove(own: Self.files(begun))
            return unchanged
        }
        let archive = folder.ownPath(Self.archive(record.current))
        let new = try await MirrorIndex(options.crawl.canonical).adding(archive)
        let missing = try MirrorMissing.urls(crawl.frontier, new, after: end)
        // An update that has brought nothing does not take the place of what there is.
        let isEmptyUpdate = previous.hasContent && !new.hasContent
        let isWhole = end == .complete && !isEmptyUpdate
        // Where an update is not done, the copy before has the rest.
        let index: MirrorIndex
        if isWhole {
            index = new
        } else if isEmptyUpdate {
            index = previous
        } else {
            index = try await previous.adding(archive)
        }
        let unknown = isWhole ? "limit.depth" : MirrorMissing.unloaded(end)
        let writer = MirrorWriter(folder, index, options, loader, stop, unknown: unknown)
        guard let summary = try await writer.write(missing) else { return nil }
        guard end == .complete else { return summary }
        let old = record.whole
        if isEmptyUpdate, let old {
            // The next update begins anew; what this one has left goes then.
            record.current = old
        } else {
            record.whole = record.current
        }
        // What takes the place of the old copy is on the disk before that goes.
        try folder.keep(record)
        if isWhole { try folder.keep(summary, of: key(of: record.current)) }
        if let old, old != record.current { try folder.remove(own: Self.files(old)) }
        return summary
    }
}
