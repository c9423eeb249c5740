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
            for var group in groups.values {
                for body in Self.unnamedBodies(group, path, now)
                where unsafe unlink("\(path)/\(body.name)") == 0 {
                    report.sweptFiles += 1
                    report.sweptBytes += body.size
                    group.files.removeAll { $0.name == body.name }
                }
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

    /// The bodies of a group that none of its entries names, left where a writer was killed between the two.
    private static func unnamedBodies(
        _ group: CacheInventory.Group,
        _ folder: String,
        _ now: Int
    ) -> [CacheInventory.StoredFile] {
        // What was written lately may be about to be named.
        let bodies = group.files.filter { $0.kind == .body && abs(now - $0.time) > CacheInventory.graceTime }
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
