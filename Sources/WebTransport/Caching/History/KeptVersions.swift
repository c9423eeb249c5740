/// The versions of a key with the bodies that they name, to find files that can be removed.
struct KeptVersions {
    private struct Version {
        let file: CountedFile
        let milliseconds: Int64
        /// The name of its body; `nil` if it has none.
        let body: String?
        /// A hash of the request fields that select it; `nil` if it cannot be read.
        let variant: String?
    }

    /// A file, and the bytes that it takes.
    struct CountedFile: Equatable {
        let name: String
        let size: Int
        /// Whether it is a version, not a body.
        let isVersion: Bool
    }

    /// The versions, oldest first.
    private var versions: [Version] = []
    private var bodies: [String: Int] = [:]

    /// Whether it is known of each version which body it names; otherwise none is known to be nobody's.
    private var isKnown = true

    /// Reads the heads of versions.
    init(_ names: [VersionName], _ path: String, _ folder: borrowing Directory) {
        for name in names {
            let size = folder.status(name.name).map { CacheUsage.size($0.size) } ?? 0
            var body: String?
            var variant: String?
            if let head = DiskCacheStore.head("\(path)/\(name.name)"), head.damage?.isOtherFormat != true {
                // A damaged version names no body that could be found.
                body = head.bodyFile?.name
                variant = head.response.map { CacheEntryName.hash(of: $0.varyingFields) }
            } else {
                isKnown = false
            }
            if let body, bodies[body] == nil {
                bodies[body] = folder.status(body).map { CacheUsage.size($0.size) } ?? 0
            }
            let file = CountedFile(name: name.name, size: size, isVersion: true)
            versions.append(
                Version(file: file, milliseconds: name.milliseconds, body: body, variant: variant)
            )
        }
    }

    /// Reads the heads of a group's versions; nil if it has none.
    init?(of group: CacheInventory.Group, _ path: String, _ folder: borrowing Directory) {
        let names = group.files.compactMap { VersionName($0.name) }
        guard !names.isEmpty else { return nil }
        self.init(names.sorted(), path, folder)
    }

    /// How many there are.
    var count: Int { versions.count }

    /// Those that a policy does not keep, which looks at each variant by itself.
    func surplus(_ policy: HistoryPolicy, now: Timestamp) -> [Int] {
        Dictionary(grouping: versions.indices) { versions[$0].variant }.values.flatMap { indices in
            let dates = indices.map { Timestamp(millisecondsSince1970: versions[$0].milliseconds) }
            return policy.surplus(of: dates, now: now).map { indices[$0] }
        }
    }

    /// The files that go with some of the versions: theirs, then the bodies that no other version names.
    ///
    /// A version whose body is gone is damaged, a body without a version only takes room: hence the order.
    func files(removing indices: some Sequence<Int>) -> (names: [CountedFile], size: Int) {
        let removed = Set(indices)
        var files = versions.indices.filter(removed.contains).map { versions[$0].file }
        if isKnown {
            var left = Set<String>()
            for index in versions.indices where !removed.contains(index) {
                if let body = versions[index].body { left.insert(body) }
            }
            var taken = Set<String>()
            for index in versions.indices where removed.contains(index) {
                guard let body = versions[index].body, !left.contains(body), taken.insert(body).inserted
                else { continue }
                files.append(CountedFile(name: body, size: bodies[body] ?? 0, isVersion: false))
            }
        }
        return (files, files.reduce(0) { $0 +| $1.size })
    }
}
