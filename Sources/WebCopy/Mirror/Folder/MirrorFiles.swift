/// The files that a copy has, beside those of the copy that it takes the place of.
struct MirrorFiles: Sendable {
    /// The files of the copy before, by their paths from the top.
    let old: Set<String>
    /// Those of this one.
    let new: Set<String>
    /// Old files that are in the way of new ones: in the place of a folder, below a file, or of the same name but for case.
    let obstacles: [String]
    /// The other old files that are none any more.
    let stale: [String]

    init(old: some Sequence<String>, new: Set<String>) {
        self.old = Set(old)
        self.new = new
        // As any system may take them for the same.
        let names = Set(new.map(SafeFileName.key))
        let folders = Set(names.flatMap(Self.folders(of:)))
        var obstacles: [String] = []
        var stale: [String] = []
        for file in self.old.subtracting(new).sorted() {
            let key = SafeFileName.key(file)
            let isInTheWay =
                names.contains(key) || folders.contains(key)
                || Self.folders(of: key).contains { names.contains($0) }
            if isInTheWay { obstacles.append(file) } else { stale.append(file) }
        }
        self.obstacles = obstacles
        self.stale = stale
    }

    /// The folders that have files now or had some, by their paths from the top.
    var folders: Set<[String]> {
        var found: Set<[String]> = []
        for file in old.union(new) {
            // Those above it were found with the first file of its own folder.
            var place = Self.place(of: file).dropLast()
            while found.insert(Array(place)).inserted, !place.isEmpty { place = place.dropLast() }
        }
        return found
    }

    /// The names of a path.
    static func place(of file: String) -> [String] { file.split(separator: "/").map(String.init) }

    /// The folders that a file is in, but for the top.
    private static func folders(of file: String) -> [String] {
        file.utf8.indices.filter { file.utf8[$0] == UInt8(ascii: "/") }.map { String(file[..<$0]) }
    }
}
