/// The caching policy that the server states for a page; the page's number selects it.
enum SoakCaching: Int, CaseIterable {
    case noStore, validatedAlways, second, hour, byDate, varying, whileRevalidate, ifError, presumed, expires
    case variesByAll, immutable, parts, movedForGood, moved, `private`

    init(_ number: Int) { self = Self.allCases[number % Self.allCases.count] }

    /// The fields, for a page of a version.
    func fields(_ page: SoakPage) -> [String] {
        let tag = "ETag: \"\(page.number)-\(page.version)\""
        // Each version is of another second, of long ago.
        let date = "Last-Modified: Sat, 03 Jan 2015 \(Self.time(page.version)) GMT"
        switch self {
        case .noStore: return ["Cache-Control: no-store"]
        case .validatedAlways: return ["Cache-Control: max-age=0", tag, date]
        case .second: return ["Cache-Control: max-age=1", tag]
        case .hour: return ["Cache-Control: max-age=3600, must-revalidate", tag]
        case .byDate: return ["Cache-Control: no-cache", date]
        case .varying:
            return [
                "Cache-Control: max-age=3600", "Vary: X-Flavour",
                "ETag: \"\(page.number)-\(page.version)-\(page.flavour)\"",
            ]
        case .whileRevalidate: return ["Cache-Control: max-age=0, stale-while-revalidate=60", tag]
        case .ifError: return ["Cache-Control: max-age=0, stale-if-error=60", tag]
        case .presumed: return [date]
        case .expires: return ["Expires: Sat, 03 Jan 2015 00:00:00 GMT", tag]
        case .variesByAll: return ["Cache-Control: max-age=3600", "Vary: *"]
        case .immutable: return ["Cache-Control: max-age=3600, immutable", tag]
        case .parts: return ["Cache-Control: max-age=2", "Accept-Ranges: bytes", tag]
        case .movedForGood: return ["Cache-Control: max-age=3600"]
        case .moved: return []
        case .private:
            return [
                "Cache-Control: private, max-age=1", "Set-Cookie: c\(page.version % 300)=\(page.number)", tag,
            ]
        }
    }

    private static func time(_ version: Int) -> String {
        [version / 3600 % 24, version / 60 % 60, version % 60]
            .map { $0 < 10 ? "0\($0)" : String($0) }.joined(separator: ":")
    }
}
