package import WebLoader
package import WebSite
import WebStandards

/// A mirror: a crawl into an archive in the mirror's own folder, and a copy to browse that is made from it.
///
/// Loading and writing are two phases. Responses are recorded with the state of the job, so that a process may be ended
/// at any moment; the copy is made from those recorded so far, file by file, as often as needed. An update is another
/// crawl into another archive, which revalidates the responses of the first one, and replaces it once all is done.
///
/// Only one task at a time may use it.
package final class MirrorJob {
    /// The options of a mirror.
    package struct Options: Sendable {
        /// The options of the crawl; the mirror decides where its state and its archive are.
        package var crawl = CrawlJob.Options()
        /// Whether a complete copy is updated.
        package var isUpdate = false
        /// Whether scripts stay.
        package var keepsScripts = false
        /// Whether images that a script would load later are shown.
        package var showsLazyImages = false
        /// The maximum density of images, in image pixels per pixel of the page, where there is a choice.
        package var maximumDensity = 2.0

        package init() {}
    }

    private let folder: MirrorFolder
    private let options: Options
    private var record: MirrorRecord
    /// The crawl, which loads and records responses, and stores its state.
    package let crawl: CrawlJob
    /// The contents of the previous copy, during an update.
    private let previous: MirrorIndex
    /// The summary of the previous copy, if an update has found nothing that has changed.
    private var unchanged: MirrorSummary?

    /// Whether the mirror has any page.
    package var hasPages: Bool { unchanged != nil || crawl.totals.pages > 0 }

    /// Opens a mirror, or begins one.
    ///
    /// - Parameters:
    ///   - path: The mirror's folder; it must be missing, empty, or a mirror's.
    ///   - options: How it is made.
    ///   - limits: The limits of the stored copies that are read for comparison.
    /// - Throws: ``/WebSite/StateError``: `state.busy` if another process works on it, `state.settings` if it was begun
    ///   with other settings.
    package init(_ path: String, _ options: Options, limits: LoadLimits) async throws(StateError) {
        var options = options
        options.crawl.canonical.ignoresEmptyQuery = true
        self.options = options
        folder = try MirrorFolder(path)
        var record = try folder.record()
        var kept: MirrorIndex?
        if options.isUpdate, let whole = record.whole, !record.isUnfinished {
            // A mirror that was begun with other settings is another mirror.
            _ = try CrawlJob(Self.options(whole, in: folder, options))
            record.current = whole + 1
            // Files of an update whose beginning was never recorded.
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

    /// Returns the number of the copy that a file of the program's own folder belongs to; `nil` for other files.
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

    /// Returns a function that yields the stored responses of an index: content and redirects.
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
    ///   - loader: A loader with the configuration from ``/WebSite/CrawlJob/recording(_:)`` of ``crawl``.
    ///   - template: The template of each request.
    ///   - stop: The request to end early.
    ///   - progress: Receives the progress.
    /// - Returns: The reason for which loading ended.
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

    /// Returns the summary of the previous copy if an update that has just begun finds nothing changed, which costs
    /// only the requests to revalidate it.
    private func known(
        _ loader: PageLoader,
        _ template: WebRequest,
        _ stop: StopRequest,
        _ progress: (@Sendable (SiteProgress) -> Void)?
    ) async throws(StateError) -> MirrorSummary? {
        guard previous.hasContent, crawl.totals.answers == 0, !options.crawl.keepsScripted,
            let whole = record.whole, let summary = folder.summary(of: key(of: whole)),
            // Content that was missing for another reason may be available now.
            summary.missing.allSatisfy({ $0.code.hasPrefix("http.") })
        else { return nil }
        // A sitemap may list URLs that the previous copy does not have.
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

    /// Returns a key that identifies a copy and the options with which it was written.
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

    /// Returns the URLs that now redirect in a circle, but had content before.
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

    /// Writes the copy from the recorded responses.
    ///
    /// - Parameters:
    ///   - end: The reason for which loading ended.
    ///   - loader: The loader, whose limits apply to the bodies that are read.
    ///   - stop: The request to end early.
    /// - Returns: The summary of the copy, with the missing URLs; `nil` if it was asked to end: the next call completes
    ///   it.
    /// - Throws: ``/WebSite/StateError``, `file.write` on a full disk; each file is then complete, either the old or
    ///   the new one.
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
        // An update without content does not replace the previous copy.
        let isEmptyUpdate = previous.hasContent && !new.hasContent
        let isWhole = end == .complete && !isEmptyUpdate
        // While an update is incomplete, the previous copy has the rest.
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
            // The next update begins anew, and removes the files of this one.
            record.current = old
        } else {
            record.whole = record.current
        }
        // The record of the new copy is on the disk before the old copy is removed.
        try folder.keep(record)
        if isWhole { try folder.keep(summary, of: key(of: record.current)) }
        if let old, old != record.current { try folder.remove(own: Self.files(old)) }
        return summary
    }
}
