import Glibc

extension DiskCacheStore {
    package func trim() {
        // A failure is ignored here: a directory that cannot be listed cannot be trimmed. `cache gc` reports
        // it.
        _ = try? trim(to: maximumSize)
    }

    /// Removes the leftovers of killed writers, and if the entries exceed `limit` bytes, the least recently
    /// used ones until at most nine tenths of `limit` are left; those that the user asked to keep go after all others.
    func trim(to limit: Int) throws(File.Failure) -> CacheTrimReport {
        var report = CacheTrimReport()
        var entries: [TrimmedEntry] = []
        let folders = try CacheInventory.folders(of: directory).map { "\(directory)/\($0)" }
        for (index, folder) in folders.enumerated() {
            entries += try sweep(folder, index, &report)
        }
        try sweepTop(&report)
        report.entries = entries.count
        report.bytes = entries.reduce(0) { $0 +| $1.group.size }
        if report.bytes > limit {
            entries.sort { $0.group.lastUse < $1.group.lastUse }
            var removals = [[Removal]](repeating: [], count: folders.count)
            // The most recent entry stays, however large it is: it was just loaded.
            func remove(_ entry: TrimmedEntry) {
                let (files, size) = entry.withoutVersions(folders[entry.folder])
                guard !files.isEmpty else { return }
                removals[entry.folder] += files
                report.removedEntries += 1
                report.removedBytes +|= size
                if !entry.hasVersions { report.entries -= 1 }
                report.bytes -= size
            }
            var kept: [TrimmedEntry] = []
            for entry in entries.dropLast() where report.bytes > limit / 10 * 9 {
                if entry.isKeptOnRequest(folders[entry.folder]) { kept.append(entry) } else { remove(entry) }
            }
            for entry in kept where report.bytes > limit / 10 * 9 { remove(entry) }
            Self.remove(removals, in: folders)
            // Versions, which servers may no longer have, are removed last.
            for (index, entry) in entries.enumerated() where entry.hasVersions && report.bytes > limit {
                let name = CacheEntryName(folder: folders[entry.folder], stem: entry.stem)
                Self.trimVersions(name, keepsNewest: index == entries.count - 1, to: limit / 10 * 9, &report)
            }
        }
        CacheUsage(directory).set(report.bytes)
        return report
    }

    /// Removes the oldest versions of a URL, as many as are too many, or all but the newest.
    private static func trimVersions(
        _ name: CacheEntryName,
        keepsNewest: Bool,
        to limit: Int,
        _ report: inout CacheTrimReport
    ) {
        // A folder that cannot be listed or locked cannot be trimmed.
        guard var folder = try? Directory(own: name.folder), folder.lock(within: removingTime),
            // Read again: another version may have been stored, with an existing body.
            let names = try? versions(name, &folder), !names.isEmpty
        else { return }
        let versions = KeptVersions(names, name.folder, folder)
        let surplus = report.bytes - limit
        var (fewest, most) = (0, keepsNewest ? max(0, versions.count - 1) : versions.count)
        // The more are removed, the more bytes go with them.
        while fewest < most {
            let middle = (fewest + most) / 2
            if versions.files(removing: 0..<middle).size >= surplus {
                most = middle
            } else {
                fewest = middle + 1
            }
        }
        for file in versions.files(removing: 0..<most).names where folder.remove(file.name) {
            report.removedBytes +|= file.size
            report.bytes -= file.size
            if file.isVersion { report.removedVersions += 1 }
        }
        if most == versions.count { report.entries -= 1 }
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

    /// A file that is to be removed, and whether a version that was kept meanwhile may name it.
    private struct Removal {
        let name: String
        let mayBeNamed: Bool
    }

    private struct TrimmedEntry {
        let stem: String
        /// The index of its folder.
        let folder: Int
        let group: CacheInventory.Group
        let hasVersions: Bool

        /// Whether the user asked to keep one of its responses.
        func isKeptOnRequest(_ path: String) -> Bool {
            guard let folder = try? Directory(own: path) else { return false }
            return group.files.contains { file in
                guard file.kind == .entry || file.kind == .variant,
                    let own = try? OwnFile(file.name, in: folder),
                    let bytes = try? own.file.read(CacheEntryFile.prefixLength, at: 0)
                else { return false }
                return CacheEntryFile.isKept(bytes)
            }
        }

        /// All files but versions and their bodies, and what they take; the entry comes first: without it the others are never
        /// found, and swept later.
        func withoutVersions(_ path: String) -> (files: [Removal], size: Int) {
            var files = group.files
            if hasVersions {
                let own = DiskCacheStore.ownBodies(files.map(\.name), path)
                files.removeAll { $0.kind == .version || $0.kind == .body && !own.contains($0.name) }
            }
            files.sort { $0.kind == .entry && $1.kind != .entry }
            let removals = files.map {
                Removal(name: $0.name, mayBeNamed: $0.kind == .body && !hasVersions)
            }
            return (removals, files.reduce(0) { $0 +| $1.size })
        }
    }

    /// Removes the leftovers of killed writers in a folder, and returns its entries.
    private func sweep(
        _ folder: String,
        _ index: Int,
        _ report: inout CacheTrimReport
    ) throws(File.Failure) -> [TrimmedEntry] {
        let now = Int(bounded: Timestamp.now.secondsSince1970)
        let (groups, leftovers) = try CacheInventory.read(folder, now: now)
        var directory = try Directory(own: folder)
        // Somebody may just be keeping a version with a body that is there.
        let hasBodies = leftovers.contains { CacheEntryName.isBodyFile($0.name) }
        let isLocked = hasBodies && directory.lock(within: Self.removingTime)
        for leftover in leftovers {
            if CacheEntryName.isBodyFile(leftover.name) {
                guard isLocked, directory.status(leftover.name)?.modified == leftover.time else { continue }
            }
            guard directory.remove(leftover.name) else { continue }
            report.sweptFiles += 1
            report.sweptBytes +|= leftover.size
        }
        var entries: [TrimmedEntry] = []
        entries.reserveCapacity(groups.count)
        for (stem, found) in groups {
            var group = found
            let bodies = Self.unnamedBodies(group, folder, now)
            if !bodies.isEmpty, directory.lock(within: Self.removingTime) {
                var swept: Set<String> = []
                for body in bodies {
                    guard let status = directory.status(body.name), status.modified == body.time,
                        directory.remove(body.name)
                    else { continue }
                    report.sweptFiles += 1
                    report.sweptBytes +|= body.size
                    swept.insert(body.name)
                }
                group.files.removeAll { swept.contains($0.name) }
            }
            let hasVersions = group.files.contains { $0.kind == .version }
            entries.append(TrimmedEntry(stem: stem, folder: index, group: group, hasVersions: hasVersions))
        }
        return entries
    }

    /// Removes files, one folder per core in parallel: each removal takes the system some time.
    private static func remove(_ removals: [[Removal]], in folders: [String]) {
        BlockingWork.forEach(below: folders.count) { index in
            guard !removals[index].isEmpty else { return }
            // Files that cannot be removed are counted again a day later.
            guard var folder = try? Directory(own: folders[index]) else { return }
            let isLocked = folder.lock(within: removingTime)
            // A version that was kept since all was listed may have taken a body that was no version's.
            var stems: Set<Substring> = []
            if removals[index].contains(where: \.mayBeNamed) {
                while let name = try? folder.next() {
                    if CacheEntryName.kind(of: name) == .version {
                        stems.insert(name.prefix(CacheEntryName.stemLength))
                    }
                }
            }
            for file in removals[index] {
                let isMeant =
                    !file.mayBeNamed
                    || isLocked && !stems.contains(file.name.prefix(CacheEntryName.stemLength))
                if isMeant { _ = folder.remove(file.name) }
            }
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
            $0.kind == .body && (now -| $0.time).magnitude > CacheInventory.graceTime
        }
        guard !bodies.isEmpty else { return [] }
        var named: Set<String> = []
        for file in group.files where file.kind != .body {
            // If an entry cannot be read, its body is not known, so nothing is removed.
            guard let head = head("\(folder)/\(file.name)"), head.damage?.isOtherFormat != true else {
                return []
            }
            if let body = head.bodyFile { named.insert(body.name) }
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
    /// Versions that were removed, oldest first, because what else there was did not suffice; their bytes are among
    /// ``removedBytes``.
    package var removedVersions = 0
    /// Files that killed writers left, and their bytes.
    package var sweptFiles = 0
    package var sweptBytes = 0
}
