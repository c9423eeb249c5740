import Glibc

/// What is in a cache directory: every entry with all of its files, by a look at all 256 folders.
///
/// Files that are none of the cache's are passed over.
struct CacheInventory {
    struct StoredFile {
        let name: String
        let kind: CacheEntryName.Kind
        /// Bytes, in whole blocks.
        let size: Int
        /// When it was written or noted as used, in seconds since 1970.
        let time: Int
    }

    /// The files of one key: its entry, other variants, bodies.
    struct Group {
        var files: [StoredFile] = []
        /// When one of them was used or written last, in seconds since 1970.
        var lastUse = 0

        var size: Int { files.reduce(0) { $0 +| $1.size } }
    }

    /// Left by writers that were killed.
    struct Leftover {
        let folder: String
        let name: String
        let size: Int
    }

    /// Seconds after which a file that is being written is not being written any more, and a body that no entry
    /// names is not about to be named.
    static let graceTime = 3600

    /// The 256 folders' names, those that are there.
    static func folders(of directory: String) throws(File.Failure) -> [String] {
        var folders: [String] = []
        do throws(File.Failure) {
            var top = try Directory(directory)
            while let name = try top.next() {
                // A link in the place of one leads to what is none of the cache's.
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

    /// What killed writers left beside the folders, of the files that stand there: the count, the hosts for TLS only.
    static func leftovers(beside directory: String, now: Int) throws(File.Failure) -> [Leftover] {
        var leftovers: [Leftover] = []
        do throws(File.Failure) {
            var top = try Directory(directory)
            while let name = try top.next() {
                guard CacheEntryName.kind(of: name) == .temporary, let status = top.status(name),
                    OwnFile.isOwn(status), isOver(status.modified, now)
                else { continue }
                leftovers.append(
                    Leftover(folder: directory, name: name, size: CacheUsage.size(status.size))
                )
            }
        } catch  where error.errno == ENOENT {
            return []
        }
        return leftovers
    }

    /// Whether what was written then is not being written any more.
    private static func isOver(_ time: Int, _ now: Int) -> Bool {
        // A time ahead of the clock's is one from before the clock was set back.
        (now -| time).magnitude > graceTime
    }

    /// The entries of a folder by their stems, and what killed writers left there.
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
                if isOver(time, now) { leftovers.append(Leftover(folder: folder, name: name, size: size)) }
                continue
            }
            var group = groups[String(name.prefix(CacheEntryName.stemLength))] ?? Group()
            group.files.append(StoredFile(name: name, kind: kind, size: size, time: time))
            group.lastUse = max(group.lastUse, min(time, now))
            groups[String(name.prefix(CacheEntryName.stemLength))] = group
        }
        // Without its entry nothing of a group is ever found.
        for (stem, group) in groups where !group.files.contains(where: { $0.kind == .entry }) {
            guard now - group.lastUse > graceTime else { continue }
            groups[stem] = nil
            for file in group.files {
                leftovers.append(Leftover(folder: folder, name: file.name, size: file.size))
            }
        }
        return (groups, leftovers)
    }
}
