import WebStandards

/// The 256 folders of a cache, and when an entry was last added to or removed from each.
enum CacheFolders {
    static let names = (UInt64(0)..<256).map { $0.hexadecimal(digits: 2) }

    /// Returns all folders, each with the time of its last change.
    static func changes(in cache: String) async -> [(folder: String, change: Int64)] {
        await BlockingWork.threads.run { names.map { ($0, changed($0, in: cache)) } }
    }

    /// Returns the time of a folder's last change, in nanoseconds since 1970; 0 if the folder does not exist.
    static func change(of folder: String, in cache: String) async -> Int64 {
        await BlockingWork.threads.run { changed(folder, in: cache) }
    }

    private static func changed(_ folder: String, in cache: String) -> Int64 {
        guard let status = FileStatus("\(cache)/\(folder)", followsLinks: false), status.kind == .directory
        else { return 0 }
        return Int64(status.modified) &* 1_000_000_000 &+ Int64(status.modifiedNanoseconds)
    }
}
