import WebSite
import WebStandards

/// Parses the bytes as a robots.txt and as a sitemap: both accept any bytes, and a sitemap that arrives in pieces has
/// the same result.
func fuzzSite(_ input: UnsafeBufferPointer<UInt8>) {
    guard let base = try? WebURL("http://a.test/map.xml") else { return }
    let bytes = Array(input)
    fuzzRobots(bytes, base)
    let sitemap = Sitemap(parsing: bytes, url: base, includesImages: true)
    precondition(sitemap.entries.count <= Sitemap.maximumEntryCount)
    precondition(sitemap.faults.count <= min(sitemap.faultCount, Sitemap.maximumFaultCount))
    for entry in sitemap.entries {
        precondition(entry.location.scheme == "http" || entry.location.scheme == "https")
        precondition(entry.line > 0)
    }
    var reader = SitemapReader(url: base, includesImages: true)
    var entries: [SitemapEntry] = []
    // A compressed byte may expand to many; the first pieces are the smallest, because they determine the kind of the
    // file.
    var (start, length) = (0, 1)
    while start < bytes.count {
        let end = min(start + length, bytes.count)
        reader.read(Array(bytes[start..<end]))
        entries += reader.takeEntries()
        (start, length) = (end, length + 1)
    }
    reader.finish()
    entries += reader.takeEntries()
    // The amount that was decompressed before the damage depends on the pieces.
    if !reader.faults.contains(where: { $0.code == .compression }) {
        precondition(entries == sitemap.entries)
        precondition(reader.kind == sitemap.kind)
    }
    var walk = SitemapWalk([base], maximumCount: 100)
    while let map = walk.next() { walk.add(entries.map(\.location), foundIn: map) }
}

private func fuzzRobots(_ bytes: [UInt8], _ base: WebURL) {
    let rules = RobotsRules(parsing: bytes)
    _ = RobotsRules(parsing: bytes, isComplete: false)
    let text = String(decoding: bytes, as: UTF8.self)
    for agent in ["a", "*", "", text] {
        _ = rules.crawlDelay(for: agent)
        for line in rules.lines(for: agent) { precondition(line.number > 0) }
        for reference in ["/", "/a/b?c=%41#d", text] {
            guard let url = try? WebURL(reference, base: base) else { continue }
            let access = rules.access(to: url, agent: agent)
            precondition((access.reason == .rule) == (access.line != nil))
        }
    }
    for sitemap in rules.sitemaps { _ = sitemap.url(relativeTo: base) }
}
