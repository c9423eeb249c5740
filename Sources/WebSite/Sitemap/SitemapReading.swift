import WebLoader
import WebStandards

/// A walk through sitemaps: the one being read, and those to fetch.
final class SitemapReading {
    private let entries: SitemapEntries
    private var walk: SitemapWalk
    private var current: SitemapSource?

    init(_ entries: SitemapEntries) {
        self.entries = entries
        walk = SitemapWalk(
            entries.seeds,
            maximumDepth: entries.maximumDepth,
            maximumCount: entries.maximumCount
        )
    }

    /// Returns the next results, which may be empty; `nil` at the end.
    func more() async -> [SitemapEntries.Element]? {
        guard let source = current else { return await begin() }
        do throws(LoadError) {
            if try await source.read() { return found(in: source) }
            source.finish()
        } catch {
            source.finish(isCutOff: true)
            current = nil
            return found(in: source) + ending(source) + [.failure(error, of: source.map.url)]
        }
        current = nil
        return found(in: source) + ending(source)
    }

    /// Fetches the next sitemap.
    private func begin() async -> [SitemapEntries.Element]? {
        guard !Task.isCancelled, let map = walk.next() else { return nil }
        let response: StreamedResponse
        do throws(LoadError) {
            let request = WebRequest(url: map.url, like: entries.template, ofSitesOf: entries.sites)
            let loader = entries.loader
            // The protocol's limit is reported as a fault, after the part before it was read.
            response =
                loader.configuration.limits.maximumBodySize < Sitemap.maximumSize
                ? try await loader.stream(request) : try await loader.streamOfAnySize(request)
        } catch {
            return [.failure(error, of: map.url)]
        }
        let final = response.head.url.withoutFragment
        // The target of the redirect was read before, or will be.
        if final != map.url, !walk.markRedirect(to: final) { return [] }
        if let status = response.head.status, status.kind != .successful {
            let fault = SitemapFault(code: .status, line: nil, message: "HTTP status \(status.code)")
            return [.fault(fault, in: map.url)]
        }
        current = SitemapSource(map, response, includesImages: entries.includesImages)
        return []
    }

    /// Returns the new results of a sitemap; the sitemaps that it names are added to the walk.
    private func found(in source: SitemapSource) -> [SitemapEntries.Element] {
        let entries = source.takeEntries()
        let faults = source.takeFaults().map { SitemapEntries.Element.fault($0, in: source.map.url) }
        guard !source.isIndex || !self.entries.followsIndexes else {
            for entry in entries {
                switch walk.add(entry.location, foundIn: source.map) {
                case .added, .known: break
                case .tooDeep, .tooMany: source.leftOutCount += 1
                }
            }
            return faults
        }
        return entries.map { .entry($0, in: source.map.url) } + faults
    }

    /// Returns the final faults of a sitemap that was read.
    private func ending(_ source: SitemapSource) -> [SitemapEntries.Element] {
        var messages: [String] = []
        if source.leftOutCount > 0 {
            messages.append(
                """
                \(source.leftOutCount) of the sitemaps that it names are left out: at most \(walk.maximumCount) are read, \
                and those that \(walk.maximumDepth) indexes lead to
                """
            )
        }
        if source.untoldFaultCount > 0 {
            messages.append("\(source.untoldFaultCount) more faults are not listed")
        }
        return messages.map {
            .fault(SitemapFault(code: .limit, line: nil, message: $0), in: source.map.url)
        }
    }
}
