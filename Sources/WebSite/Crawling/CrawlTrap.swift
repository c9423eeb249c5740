import WebStandards

/// What shows by a URL alone that it is one of a trap: a site that makes pages without end.
enum CrawlTrap: String {
    case length = "trap.url-length"
    case pathDepth = "trap.path-depth"
    case repetition = "trap.repeated-segments"
    case parameters = "trap.query-parameters"
    case redirects = "trap.redirects"
    case folderPages = "trap.folder-pages"
    case hostPages = "trap.host-pages"
    case lookAlikes = "trap.look-alikes"

    /// How many segments a repetition is looked for in.
    private static let longestPeriod = 4

    /// The trap that a URL is of; nil if it looks like others.
    static func found(in url: WebURL, _ limits: CrawlLimits) -> CrawlTrap? {
        guard url.href.utf8.count <= max(1, limits.maximumURLLength) else { return .length }
        let path = url.path
        var segments = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        segments.removeFirst()
        guard segments.count <= max(1, limits.maximumPathSegments) else { return .pathDepth }
        if isRepeating(segments, max(1, limits.maximumRepetitions)) { return .repetition }
        if let query = url.query {
            let separators = query.utf8.count { $0 == UInt8(ascii: "&") || $0 == UInt8(ascii: ";") }
            guard separators < max(1, limits.maximumQueryParameters) else { return .parameters }
        }
        return nil
    }

    /// Whether the same segments stand in a row too often, as in "/a/b/a/b/a/b/".
    private static func isRepeating(_ segments: [Substring.UTF8View.SubSequence], _ maximum: Int) -> Bool {
        for period in 1...longestPeriod {
            guard segments.count > period *| maximum else { return false }
            // How many segments are the same as the one a period before.
            var run = 0
            for index in period..<segments.count {
                run = segments[index].elementsEqual(segments[index - period]) ? run + 1 : 0
                if run >= period *| maximum { return true }
            }
        }
        return false
    }
}
