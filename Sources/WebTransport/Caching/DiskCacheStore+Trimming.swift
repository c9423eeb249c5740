import Glibc

extension DiskCacheStore {
    package func trim() {
        // A failure is ignored here: a directory that cannot be listed cannot be trimmed. `cache gc` reports
        // it.
        _ = try? trim(to: maximumSize)
    }

    /// Removes the leftovers of killed writers, and if the entries exceed `limit` bytes, the least recently
    /// used ones until at most nine tenths of `limit` are left.
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
            // The most recent entry stays, however large it is: it was just loaded.
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

    /// Removes the leftovers of killed writers beside the folders.
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
        /// The index of its folder.
        let folder: Int
        /// The names of its files, the entry first: without it the others are never found, and swept later.
        let files: [String]
    }

    /// Removes the leftovers of killed writers in a folder, and returns its entries.
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

    /// Removes files, one folder per core in parallel: each removal takes the system some time.
    private static func remove(_ names: [[String]], in folders: [String]) {
        BlockingWork.forEach(below: folders.count) { index in
            guard !names[index].isEmpty else { return }
            // Files that cannot be removed are counted again a day later.
            guard var folder = try? Directory(own: folders[index]) else { return }
            folder.lock()
            for name in names[index] { _ = folder.remove(name) }
        }
    }

    /// The body files that no entry of the group names: a writer was killed before it wrote the entry.
    private static func unnamedBodies(
        _ group: CacheInventory.Group,
        _ folder: String,
        _ now: Int
    ) -> [CacheInventory.StoredFile] {
        // A recently written body may be about to be named.
        let bodies = group.files.filter {
            $0.kind == .body && (now - $0.time).magnitude > CacheInventory.graceTime
        }
        guard !bodies.isEmpty else { return [] }
        var named: [String] = []
        for file in group.files where file.kind != .body {
            // If an entry cannot be read, its body is not known, so nothing is removed.
            guard let head = head("\(folder)/\(file.name)") else { return [] }
            if let body = head.bodyFile { named.append(body.name) }
        }
        return bodies.filter { !named.contains($0.name) }
    }
}

/// The result of a trim.
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
