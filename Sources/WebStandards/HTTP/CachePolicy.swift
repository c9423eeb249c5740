/// How a load uses the cache, with the names, numbers and meaning of `NSURLRequest.CachePolicy`.
public enum CachePolicy: UInt, CaseIterable, Sendable, Codable {
    /// As HTTP defines: fresh responses come from the cache, stale ones are revalidated first.
    case useProtocolCachePolicy = 0
    /// From the network; stored responses are ignored, and replaced.
    case reloadIgnoringLocalCacheData = 1
    /// From the cache regardless of the age; from the network if nothing is stored.
    case returnCacheDataElseLoad = 2
    /// From the cache regardless of the age; an error if nothing is stored. No socket is opened.
    case returnCacheDataDontLoad = 3
    /// From the network, bypassing the caches on the way too.
    case reloadIgnoringLocalAndRemoteCacheData = 4
    /// From the cache after revalidation with the server.
    case reloadRevalidatingCacheData = 5

    /// The policy of this name, as in "returnCacheDataDontLoad"; `nil` for any other name.
    public init?(name: some StringProtocol) {
        for policy in Self.allCases where policy.name == name {
            self = policy
            return
        }
        return nil
    }

    /// Foundation's name of the case.
    public var name: String {
        switch self {
        case .useProtocolCachePolicy: "useProtocolCachePolicy"
        case .reloadIgnoringLocalCacheData: "reloadIgnoringLocalCacheData"
        case .returnCacheDataElseLoad: "returnCacheDataElseLoad"
        case .returnCacheDataDontLoad: "returnCacheDataDontLoad"
        case .reloadIgnoringLocalAndRemoteCacheData: "reloadIgnoringLocalAndRemoteCacheData"
        case .reloadRevalidatingCacheData: "reloadRevalidatingCacheData"
        }
    }

    /// Whether the network may be asked at all.
    package var mayLoad: Bool { self != .returnCacheDataDontLoad }

    /// Whether a stored response may be used at all.
    package var readsCache: Bool {
        self != .reloadIgnoringLocalCacheData && self != .reloadIgnoringLocalAndRemoteCacheData
    }
}
