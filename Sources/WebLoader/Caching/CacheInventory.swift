import Glibc

/// What is in a cache directory: every entry with all of its files, by a look at all 256 folders.
///
/// Files that are none of the cache's are passed over.
struct CacheInventory {
    /// The files of one key: its entry, other variants, bodies.
    struct Group {
        var files: [(name: String, kind: CacheEntryName.Kind, size: Int)] = []
        /// When one of them was used or written last, in seconds since 1970.
        var lastUse = 0

        var size: Int { files.reduce(0) { $0 + $1.size } }
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
            while let name = top.next() {
                if CacheEntryName.isFolder(name) { folders.append(name) }
            }
        } catch  where error.errno == ENOENT {
            return []
        }
        return folders.sorted()
    }

    /// The entries of a folder by their stems, and what killed writers left there.
    static func read(
        _ folder: String,
        now: Int
    ) throws(File.Failure) -> (groups: [String: Group], leftovers: [Leftover]) {
        var groups: [String: Group] = [:]
        var leftovers: [Leftover] = []
        var directory = try Directory(folder)
        while let name = directory.next() {
            let kind = CacheEntryName.kind(of: name)
            guard kind != .foreign, let status = directory.status(name), status.st_mode & S_IFMT == S_IFREG
            else { continue }
            let size = Int(clamping: status.st_size)
            let time = status.st_mtim.tv_sec
            if kind == .temporary {
                // A time ahead of the clock's is one from before the clock was set back.
                if abs(now - time) > graceTime {
                    leftovers.append(Leftover(folder: folder, name: name, size: size))
                }
                continue
            }
            var group = groups[String(name.prefix(CacheEntryName.stemLength))] ?? Group()
            group.files.append((name, kind, size))
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

extension DiskCacheStore {
    /// What a trim found and did.
    struct TrimReport: Equatable {
        /// Entries that are left, and their bytes.
        var entries = 0
        var bytes = 0
        /// Entries that were removed to keep to the limit, and their bytes.
        var removedEntries = 0
        var removedBytes = 0
        /// Files that killed writers left, and their bytes.
        var sweptFiles = 0
        var sweptBytes = 0
    }

    func trim() {
        // What cannot be listed cannot be trimmed; whoever asks for it by `cache gc` is told.
        _ = try? trim(to: maximumSize)
    }

    /// Removes what killed writers left, and entries that were not used for longest, until they have no more than nine
    /// tenths of so many bytes; below that many nothing is removed.
    func trim(to limit: Int) throws(File.Failure) -> TrimReport {
        var report = TrimReport()
        let now = Int(Timestamp.now.secondsSince1970)
        var entries: [(lastUse: Int, size: Int, folder: Int, files: [String])] = []
        let folders = try CacheInventory.folders(of: directory)
        for (index, folder) in folders.enumerated() {
            let path = "\(directory)/\(folder)"
            let (groups, leftovers) = try CacheInventory.read(path, now: now)
            for leftover in leftovers where unsafe unlink("\(path)/\(leftover.name)") == 0 {
                report.sweptFiles += 1
                report.sweptBytes += leftover.size
            }
            for group in groups.values {
                // The entry first: without it the others are never found, and swept later if this is cut short.
                let files = group.files.sorted { $0.kind == .entry && $1.kind != .entry }
                entries.append((group.lastUse, group.size, index, files.map(\.name)))
            }
        }
        report.entries = entries.count
        report.bytes = entries.reduce(0) { $0 + $1.size }
        if report.bytes > limit {
            entries.sort { $0.lastUse < $1.lastUse }
            // The last one stays, however large it is: it is what was just loaded.
            for entry in entries.dropLast() where report.bytes > limit / 10 * 9 {
                let path = "\(directory)/\(folders[entry.folder])"
                for file in entry.files { _ = unsafe unlink("\(path)/\(file)") }
                report.removedEntries += 1
                report.removedBytes += entry.size
                report.entries -= 1
                report.bytes -= entry.size
            }
        }
        CacheUsage(directory).set(report.bytes)
        return report
    }
}
