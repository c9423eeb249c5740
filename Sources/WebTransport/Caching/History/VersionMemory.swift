/// The names of versions, remembered by who keeps many one after the other: to list them for each would take the square of
/// their number.
///
/// What other processes do meanwhile is not seen. Then a version may be kept that is the same as one of theirs; none is lost.
package final class VersionMemory {
    private var names: [String: [VersionName]] = [:]
    private var count = 0

    /// How many versions a URL has for which it pays to remember them.
    private static let least = 64

    /// How many names are remembered; then all are forgotten.
    private static let most = 1_000_000

    package init() {}

    /// Gives back the names of a key, which are remembered no longer.
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
