import WebStandards

/// The sign that a URL belongs to a trap: a site that creates pages endlessly.
enum CrawlTrap: String {
    case length = "trap.url-length"
    case pathDepth = "trap.path-depth"
    case repetition = "trap.repeated-segments"
    case parameters = "trap.query-parameters"
    case redirects = "trap.redirects"
    case folderPages = "trap.folder-pages"
    case hostPages = "trap.host-pages"
    case lookAlikes = "trap.look-alikes"

    /// The maximum number of segments of a repeated sequence.
    private static let longestPeriod = 4

    /// Returns the trap that a URL belongs to; `nil` if it shows no sign of a trap.
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

    /// Whether the same segments are repeated too often in a row, as in "/a/b/a/b/a/b/".
    private static func isRepeating(_ segments: [Substring.UTF8View.SubSequence], _ maximum: Int) -> Bool {
        for period in 1...longestPeriod {
            guard segments.count > period *| maximum else { return false }
            // The number of segments in a row that equal the one a period before.
            var run = 0
            for index in period..<segments.count {
                run = segments[index].elementsEqual(segments[index - period]) ? run + 1 : 0
                if run >= period *| maximum { return true }
            }
        }
        return false
    }
}
