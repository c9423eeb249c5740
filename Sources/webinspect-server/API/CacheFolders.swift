import WebStandards

/// The 256 folders of a cache, by when something was last put into them or taken away.
enum CacheFolders {
    static let names = (UInt64(0)..<256).map { $0.hexadecimal(digits: 2) }

    /// All folders, and when each was changed last.
    static func changes(in cache: String) async -> [(folder: String, change: Int64)] {
        await BlockingWork.threads.run { names.map { ($0, changed($0, in: cache)) } }
    }

    /// When a folder was changed last, as nanoseconds since 1970; 0 for one that is not there.
    static func change(of folder: String, in cache: String) async -> Int64 {
        await BlockingWork.threads.run { changed(folder, in: cache) }
    }

    private static func changed(_ folder: String, in cache: String) -> Int64 {
        guard let status = FileStatus("\(cache)/\(folder)", followsLinks: false), status.kind == .directory
        else { return 0 }
        return Int64(status.modified) &* 1_000_000_000 &+ Int64(status.modifiedNanoseconds)
    }
}
