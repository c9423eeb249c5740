import Glibc

extension CacheBrowser {
    /// The versions of a URL that are kept, oldest first, and what is damaged.
    ///
    /// They are of all variants.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - maximumCount: How many are read, the newest; nil for all.
    /// - Returns: The versions, what of them is damaged, and how many older ones there are that were not read.
    /// - Throws: ``Failure``, where the directory cannot be listed.
    package func versions(
        of url: WebURL,
        maximumCount: Int? = nil
    ) throws(Failure) -> (versions: [CacheVersion], damages: [Damage], olderCount: Int) {
        let key = StoredResponse.key(for: url)
        let folder = CacheEntryName(key, in: store.directory).folder
        let names: [VersionName]
        do throws(File.Failure) {
            names = try store.versions(of: key)
        } catch {
            throw Failure(path: store.directory, reason: error.text)
        }
        let newest = names.suffix(max(0, maximumCount ?? names.count))
        var versions: [CacheVersion] = []
        versions.reserveCapacity(newest.count)
        var damages: [Damage] = []
        for name in newest {
            do throws(CacheEntryFile.Damage) {
                if let version = try CacheVersion(name, in: folder, of: key) { versions.append(version) }
            } catch {
                damages.append(Damage(message: "\(folder)/\(name.name): \(error.reason)"))
            }
        }
        return (versions, damages, names.count - newest.count)
    }

    /// Stores a response as a version of its URL, received at a date, as it would have been stored then.
    ///
    /// - Parameters:
    ///   - response: The response to a plain request, with its body.
    ///   - date: The date at which it was received.
    ///   - memory: The names of the versions that the same caller stored before.
    /// - Returns: Whether a version was added, or the response equals the previous one; and whether the cache is too
    ///   large.
    /// - Throws: ``Failure``, where it cannot be written.
    package func keepVersion(
        _ response: WebResponse,
        received date: Timestamp,
        remembering memory: VersionMemory? = nil
    ) throws(Failure) -> KeptVersion {
        let entry = StoredResponse(
            key: StoredResponse.key(for: response.url),
            varyingFields: VaryingFields.of(WebRequest(url: response.url), response.headerFields),
            requestTime: date,
            responseTime: date,
            status: response.status?.code ?? 200,
            httpVersion: response.httpVersion,
            headerFields: CacheDecision.storedFields(response.headerFields),
            body: .bytes(response.body)
        )
        do throws(CacheStoreError) {
            return try store.keepVersion(entry, remembering: memory)
        } catch {
            throw Failure(path: store.directory, reason: error.message)
        }
    }

    /// Removes the versions that a policy does not keep.
    ///
    /// - Throws: ``Failure``, where a directory cannot be listed, or another process does not let go of it.
    package func thinVersions(_ policy: HistoryPolicy, now: Timestamp) throws(Failure) -> VersionThinning {
        var report = VersionThinning()
        do throws(File.Failure) {
            for name in try CacheInventory.folders(of: store.directory) {
                try thinVersions("\(store.directory)/\(name)", policy, now, &report)
            }
        } catch {
            throw Failure(path: store.directory, reason: error.text)
        }
        _ = CacheUsage(store.directory).add(0 -| report.removedBytes)
        return report
    }

    private func thinVersions(
        _ path: String,
        _ policy: HistoryPolicy,
        _ now: Timestamp,
        _ report: inout VersionThinning
    ) throws(File.Failure) {
        var folder = try Directory(own: path)
        // Until they are removed, nobody may name a body that is to go.
        guard folder.lock(within: DiskCacheStore.removingTime) else {
            throw File.Failure(errno: EWOULDBLOCK, "another process does not let go of \(path)")
        }
        let groups = try CacheInventory.read(path, now: Int(bounded: now.secondsSince1970)).groups
        for group in groups.values where group.files.contains(where: { $0.kind == .version }) {
            guard let versions = KeptVersions(of: group, path, folder) else { continue }
            let surplus = versions.surplus(policy, now: now)
            var removed = 0
            for file in versions.files(removing: surplus).names where folder.remove(file.name) {
                report.removedBytes +|= file.size
                if file.isVersion { removed += 1 }
            }
            report.removed += removed
            report.kept += versions.count - removed
        }
    }
}

/// Reads versions of which many share a body, and computes the checksum of each body once.
struct SharedBodies {
    /// Whether bodies are what was written, by their path and that.
    private var isWhole: [String: Bool] = [:]

    /// Reads the version of a path.
    mutating func read(_ name: VersionName, _ path: String, verifiesBody: Bool) -> CacheLookup {
        let found = VersionFile(path: path).read(name, verifiesBody: false, wantsBody: verifiesBody)
        guard case .found(let response) = found, case .file(let body) = response.body else { return found }
        let key = "\(body.path) \(body.count) \(body.checksum.hexadecimal())"
        let isBodyWhole = isWhole[key] ?? body.isWhole()
        isWhole[key] = isBodyWhole
        if isBodyWhole { return found }
        return .damaged("\(path): its body, \(body.name), does not match its checksum")
    }
}

/// The result of thinning out the versions of a cache.
package struct VersionThinning: Equatable, Sendable {
    /// The numbers of versions that are left and that were removed.
    package var kept = 0
    package var removed = 0
    /// The number of bytes that were removed.
    package var removedBytes = 0
}
