import Glibc

/// The versions of a response that are kept beside the newest.
///
/// A version is an entry's file under a name with its date, whose body has a file of its own, named by the checksum:
/// versions with the same body share it. Nothing that is stored or removed for loads changes a version.
extension DiskCacheStore {
    /// The names of a key's versions, oldest first; none if the cache has no such folder.
    func versions(of key: String) throws(File.Failure) -> [VersionName] {
        let name = CacheEntryName(key, in: directory)
        do throws(File.Failure) {
            var folder = try Directory(own: name.folder)
            return try Self.versions(name, &folder)
        } catch  where error.errno == ENOENT {
            return []
        }
    }

    /// The names of a key's versions, oldest first.
    static func versions(
        _ name: CacheEntryName,
        _ folder: inout Directory
    ) throws(File.Failure) -> [VersionName] {
        var names: [VersionName] = []
        while let file = try folder.next() {
            if let version = VersionName(file, in: name) { names.append(version) }
        }
        return names.sorted()
    }

    /// A version's file.
    func file(of version: VersionName, _ key: String) -> VersionFile {
        VersionFile(path: "\(CacheEntryName(key, in: directory).folder)/\(version.name)")
    }

    /// The version that answers a request for a date, its file, and what of others is damaged.
    func version(
        of key: String,
        for request: WebRequest,
        at date: Timestamp
    ) -> (response: StoredResponse?, path: String?, damages: [String]) {
        var damages: [String] = []
        var names: [VersionName] = []
        do throws(File.Failure) {
            names = try versions(of: key)
        } catch {
            damages.append("\(CacheEntryName(key, in: directory).folder): \(error.text)")
        }
        // The newest is a version too, whether versions are kept or not.
        var newest: StoredResponse?
        switch lookUp(key, for: request, touches: false, verifiesBodyFile: true) {
        case .found(let response) where VaryingFields.match(response, request) && response.status != 206:
            newest = response
        case .damaged(let reason): damages.append(reason)
        case .found, .absent, .notKept: break
        }
        let wanted = VersionName.milliseconds(of: date)
        let newestTime = newest.map { VersionName.milliseconds(of: $0.responseTime) }
        // The nearest before the date, then those before that; then the first after it, and those after that.
        let after = names.firstIndex(after: wanted)
        for isEarly in [true, false] {
            let candidates = isEarly ? Array(names[..<after].reversed()) : Array(names[after...])
            let isNewestHere = newestTime.map { ($0 <= wanted) == isEarly } ?? false
            for version in candidates {
                if isNewestHere, let newestTime {
                    if isEarly ? version.milliseconds < newestTime : version.milliseconds > newestTime {
                        break
                    }
                }
                let file = file(of: version, key)
                switch file.read(version, verifiesBody: true) {
                case .found(let response)
                where response.key == key && VaryingFields.match(response, request):
                    return (response, file.path, damages)
                case .damaged(let reason): damages.append(reason)
                case .found, .absent, .notKept: break
                }
            }
            if isNewestHere { return (newest, CacheEntryName(key, in: directory).entry, damages) }
        }
        return (nil, nil, damages)
    }
}

extension [VersionName] {
    /// The index of the first version that was received after a moment; the names are in order.
    ///
    /// Complexity: O(log n).
    func firstIndex(after milliseconds: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if self[middle].milliseconds <= milliseconds { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Inserts a name at its place, unless it is there.
    ///
    /// Complexity: O(log n) for the newest.
    mutating func insert(sorted name: VersionName) {
        var index = firstIndex(after: name.milliseconds)
        while index > 0, self[index - 1] > name { index -= 1 }
        if index == 0 || self[index - 1] != name { insert(name, at: index) }
    }
}
