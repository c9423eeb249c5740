import Glibc

/// Lists a cache directory: every entry with all of its files, in all 256 folders.
///
/// Files that do not belong to the cache are ignored.
struct CacheInventory {
    struct StoredFile {
        let name: String
        let kind: CacheEntryName.Kind
        /// Bytes, in whole blocks.
        let size: Int
        /// When it was written or last used, in seconds since 1970.
        let time: Int
    }

    /// The files of one key: its entry, other variants, body files.
    struct Group {
        var files: [StoredFile] = []
        /// When one of them was used or written last, in seconds since 1970.
        var lastUse = 0

        var size: Int { files.reduce(0) { $0 +| $1.size } }

        mutating func add(_ file: StoredFile, now: Int) {
            files.append(file)
            lastUse = max(lastUse, min(file.time, now))
        }
    }

    /// A file left by a writer that was killed.
    struct Leftover {
        let folder: String
        let name: String
        let size: Int
        /// When it was written, in seconds since 1970.
        let time: Int
    }

    /// Seconds after which a temporary file counts as abandoned, and a body file that no entry names will not
    /// be named any more.
    static let graceTime = 3600

    /// The names of the folders that exist, of the 256 possible ones.
    static func folders(of directory: String) throws(File.Failure) -> [String] {
        var folders: [String] = []
        do throws(File.Failure) {
            var top = try Directory(directory)
            while let name = try top.next() {
                // A symbolic link in place of a folder leads out of the cache.
                guard CacheEntryName.isFolder(name), let status = top.status(name),
                    status.kind == .directory
                else { continue }
                folders.append(name)
            }
        } catch  where error.errno == ENOENT {
            return []
        }
        return folders.sorted()
    }

    /// The leftovers of killed writers beside the folders: temporary versions of the usage and HSTS files.
    static func leftovers(beside directory: String, now: Int) throws(File.Failure) -> [Leftover] {
        var leftovers: [Leftover] = []
        do throws(File.Failure) {
            var top = try Directory(directory)
            while let name = try top.next() {
                guard CacheEntryName.kind(of: name) == .temporary, let status = top.status(name),
                    OwnFile.isOwn(status), isOver(status.modified, now)
                else { continue }
                leftovers.append(
                    Leftover(
                        folder: directory,
                        name: name,
                        size: CacheUsage.size(status.size),
                        time: status.modified
                    )
                )
            }
        } catch  where error.errno == ENOENT {
            return []
        }
        return leftovers
    }

    /// Whether a file written at a time counts as abandoned.
    private static func isOver(_ time: Int, _ now: Int) -> Bool {
        // A time in the future is from before the clock was set back.
        (now -| time).magnitude > graceTime
    }

    /// The entries of a folder by their stems, and the leftovers of killed writers there.
    static func read(
        _ folder: String,
        now: Int
    ) throws(File.Failure) -> (groups: [String: Group], leftovers: [Leftover]) {
        var groups: [String: Group] = [:]
        var leftovers: [Leftover] = []
        var directory = try Directory(own: folder)
        while let name = try directory.next() {
            let kind = CacheEntryName.kind(of: name)
            guard kind != .foreign, let status = directory.status(name), OwnFile.isOwn(status)
            else { continue }
            let size = CacheUsage.size(status.size)
            let time = status.modified
            if kind == .temporary {
                if isOver(time, now) {
                    leftovers.append(Leftover(folder: folder, name: name, size: size, time: time))
                }
                continue
            }
            // In its place: a copy of it for each file would take the square of their number.
            groups[String(name.prefix(CacheEntryName.stemLength)), default: Group()]
                .add(StoredFile(name: name, kind: kind, size: size, time: time), now: now)
        }
        // Without its entry file, the other files of a group are never found.
        for (stem, group) in groups where !group.files.contains(where: { $0.kind == .entry }) {
            guard now - group.lastUse > graceTime else { continue }
            // Versions are found by themselves.
            guard !group.files.contains(where: { $0.kind == .version }) else { continue }
            groups[stem] = nil
            for file in group.files {
                leftovers.append(Leftover(folder: folder, name: file.name, size: file.size, time: file.time))
            }
        }
        return (groups, leftovers)
    }
}
