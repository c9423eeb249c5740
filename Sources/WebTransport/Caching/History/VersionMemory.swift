/// The names of versions, remembered by a caller that stores many in succession: listing them for each one would take
/// quadratic time.
///
/// Changes by other processes are not noticed: a version may be stored that is the same as one of theirs, but none is
/// lost.
package final class VersionMemory {
    private var names: [String: [VersionName]] = [:]
    private var count = 0

    /// The number of versions of a URL from which remembering them is worthwhile.
    private static let least = 64

    /// The most names that are remembered; beyond that, all are discarded.
    private static let most = 1_000_000

    package init() {}

    /// Removes and returns the names of a key.
    func take(_ name: CacheEntryName) -> [VersionName]? {
        guard let found = names.removeValue(forKey: name.entry) else { return nil }
        count -= found.count
        return found
    }

    /// Remembers the names of a key, in order.
    func put(_ found: [VersionName], _ name: CacheEntryName) {
        guard found.count >= Self.least else { return }
        if count + found.count > Self.most {
            names = [:]
            count = 0
        }
        names[name.entry] = found
        count += found.count
    }
}
