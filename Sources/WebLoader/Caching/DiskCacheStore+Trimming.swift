import Glibc

extension DiskCacheStore {
    func trim() {
        // What cannot be listed cannot be trimmed; whoever asks for it by `cache gc` is told.
        _ = try? trim(to: maximumSize)
    }

    /// Removes what killed writers left, and entries that were not used for longest, until they have no more than nine
    /// tenths of so many bytes; below that many nothing is removed.
    func trim(to limit: Int) throws(File.Failure) -> CacheTrimReport {
        var report = CacheTrimReport()
        var entries: [TrimmedEntry] = []
        let folders = try CacheInventory.folders(of: directory).map { "\(directory)/\($0)" }
        for (index, folder) in folders.enumerated() {
            entries += try sweep(folder, index, &report)
        }
        try sweepTop(&report)
        report.entries = entries.count
        report.bytes = entries.reduce(0) { $0 +| $1.size }
        if report.bytes > limit {
            entries.sort { $0.lastUse < $1.lastUse }
            var names = [[String]](repeating: [], count: folders.count)
            // The last one stays, however large it is: it is what was just loaded.
            for entry in entries.dropLast() where report.bytes > limit / 10 * 9 {
                names[entry.folder] += entry.files
                report.removedEntries += 1
                report.removedBytes +|= entry.size
                report.entries -= 1
                report.bytes -= entry.size
            }
            Self.remove(names, in: folders)
        }
        CacheUsage(directory).set(report.bytes)
        return report
    }

    /// Removes what killed writers left beside the folders.
    private func sweepTop(_ report: inout CacheTrimReport) throws(File.Failure) {
        let now = Int(bounded: Timestamp.now.secondsSince1970)
        let leftovers = try CacheInventory.leftovers(beside: directory, now: now)
        guard !leftovers.isEmpty else { return }
        let top = try Directory(directory)
        for leftover in leftovers where top.remove(leftover.name) {
            report.sweptFiles += 1
            report.sweptBytes +|= leftover.size
        }
    }

    private struct TrimmedEntry {
        let lastUse: Int
        let size: Int
        /// Which of the folders it is in.
        let folder: Int
        /// The names of its files, the one first without which the others are never found, and swept later.
        let files: [String]
    }

    /// Removes what killed writers left in a folder, and returns the entries that are in it.
    private func sweep(
        _ folder: String,
        _ index: Int,
        _ report: inout CacheTrimReport
    ) throws(File.Failure) -> [TrimmedEntry] {
        let now = Int(bounded: Timestamp.now.secondsSince1970)
        let (groups, leftovers) = try CacheInventory.read(folder, now: now)
        let directory = try Directory(own: folder)
        for leftover in leftovers where directory.remove(leftover.name) {
            report.sweptFiles += 1
            report.sweptBytes +|= leftover.size
        }
        var entries: [TrimmedEntry] = []
        entries.reserveCapacity(groups.count)
        for var group in groups.values {
            for body in Self.unnamedBodies(group, folder, now) where directory.remove(body.name) {
                report.sweptFiles += 1
                report.sweptBytes +|= body.size
                group.files.removeAll { $0.name == body.name }
            }
            let files = group.files.sorted { $0.kind == .entry && $1.kind != .entry }
            entries.append(
                TrimmedEntry(
                    lastUse: group.lastUse,
                    size: group.size,
                    folder: index,
                    files: files.map(\.name)
                )
            )
        }
        return entries
    }

    /// Removes files, a folder on each core: the system takes its time for each.
    private static func remove(_ names: [[String]], in folders: [String]) {
        BlockingWork.forEach(below: folders.count) { index in
            guard !names[index].isEmpty else { return }
            // What cannot be removed is counted again a day later.
            guard var folder = try? Directory(own: folders[index]) else { return }
            folder.lock()
            for name in names[index] { _ = folder.remove(name) }
        }
    }

    /// The bodies of a group that none of its entries names, left where a writer was killed between the two.
    private static func unnamedBodies(
        _ group: CacheInventory.Group,
        _ folder: String,
        _ now: Int
    ) -> [CacheInventory.StoredFile] {
        // What was written lately may be about to be named.
        let bodies = group.files.filter {
            $0.kind == .body && (now - $0.time).magnitude > CacheInventory.graceTime
        }
        guard !bodies.isEmpty else { return [] }
        var named: [String] = []
        for file in group.files where file.kind != .body {
            // Of what cannot be read now, nothing is known, and nothing removed.
            guard let head = head("\(folder)/\(file.name)") else { return [] }
            if let body = head.bodyFile { named.append(body.name) }
        }
        return bodies.filter { !named.contains($0.name) }
    }
}

/// What a trim found and did.
package struct CacheTrimReport: Equatable, Sendable {
    /// URLs that are left, and the bytes of all their files.
    package var entries = 0
    package var bytes = 0
    /// URLs that were removed to keep to the limit, and their bytes.
    package var removedEntries = 0
    package var removedBytes = 0
    /// Files that killed writers left, and their bytes.
    package var sweptFiles = 0
    package var sweptBytes = 0
}
