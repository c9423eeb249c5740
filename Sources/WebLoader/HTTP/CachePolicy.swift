/// What a load may take from the cache, with the names, numbers and meaning of `NSURLRequest.CachePolicy`.
public enum CachePolicy: UInt, CaseIterable, Sendable, Codable {
    /// As HTTP has it: what is fresh comes from the cache, what is stale is validated first.
    case useProtocolCachePolicy = 0
    /// From the network; what is stored is passed over, and replaced.
    case reloadIgnoringLocalCacheData = 1
    /// From the cache whatever its age; from the network only what is not there.
    case returnCacheDataElseLoad = 2
    /// From the cache whatever its age; what is not there is an error. No socket is opened.
    case returnCacheDataDontLoad = 3
    /// From the network, past the caches on the way too.
    case reloadIgnoringLocalAndRemoteCacheData = 4
    /// From the cache once the server has said that it still holds.
    case reloadRevalidatingCacheData = 5

    /// The policy of this name, as in "returnCacheDataDontLoad"; nil for any other.
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
    var mayLoad: Bool { self != .returnCacheDataDontLoad }

    /// Whether what is stored may answer at all.
    var readsCache: Bool {
        self != .reloadIgnoringLocalCacheData && self != .reloadIgnoringLocalAndRemoteCacheData
    }
}
