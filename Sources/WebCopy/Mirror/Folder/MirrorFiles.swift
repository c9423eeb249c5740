/// The files of a copy, beside those of the copy that it replaces.
struct MirrorFiles: Sendable {
    /// The files of the previous copy, by their paths from the top.
    let old: Set<String>
    /// The files of this copy, by their paths from the top.
    let new: Set<String>
    /// Old files that are in the way of new ones: in the place of a folder, below a file, or of the same name but for case.
    let obstacles: [String]
    /// The other old files, which this copy does not have.
    let stale: [String]

    init(old: some Sequence<String>, new: Set<String>) {
        self.old = Set(old)
        self.new = new
        // By keys, as some system may take different names for the same one.
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

    /// The folders that have or had files, by their paths from the top.
    var folders: Set<[String]> {
        var found: Set<[String]> = []
        for file in old.union(new) {
            // Those above it were found with the first file of its own folder.
            var place = Self.place(of: file).dropLast()
            while found.insert(Array(place)).inserted, !place.isEmpty { place = place.dropLast() }
        }
        return found
    }

    /// Returns the components of a path.
    static func place(of file: String) -> [String] { file.split(separator: "/").map(String.init) }

    /// Returns the folders that contain a file, except for the top.
    private static func folders(of file: String) -> [String] {
        file.utf8.indices.filter { file.utf8[$0] == UInt8(ascii: "/") }.map { String(file[..<$0]) }
    }
}
