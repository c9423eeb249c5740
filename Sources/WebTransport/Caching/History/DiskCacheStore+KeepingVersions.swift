import Glibc

/// Keeping versions.
extension DiskCacheStore {
    /// How many versions of a URL are kept; when another one comes, the oldest tenth goes.
    static let maximumVersions = 100_000

    /// The seconds for which storing a version waits for others to unlock its folder.
    private static let keepingTime = 1.0

    /// Stores a response as a version, unless the version before it is the same.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - memory: The known names of versions; `nil` to list the folder.
    /// - Returns: Whether a version was added, and whether the cache is too large.
    /// - Throws: `CacheStoreError` if it cannot be written; the versions that were stored before stay.
    package func keepVersion(
        _ response: StoredResponse,
        remembering memory: VersionMemory? = nil
    ) throws(CacheStoreError) -> KeptVersion {
        // A part is not a version, and an outdated response was stored when it was received.
        guard response.status != 206, !response.isOutdated else {
            return KeptVersion(isNew: false, isOverLimit: false)
        }
        let name = CacheEntryName(response.key, in: directory)
        do throws(File.Failure) {
            var folder = try Directory.making(own: name.folder)
            // A body must not be removed after it was found and before it is named. Without the lock, no body is
            // shared.
            let isLocked = folder.lock(within: Self.keepingTime)
            defer { _ = folder.descriptor }
            var names: [VersionName]
            if let known = memory?.take(name) {
                names = known
            } else {
                names = try Self.versions(name, &folder)
            }
            let before = Self.predecessor(of: response, among: names, name)
            if let before, before.isSame {
                if (before.file.lastSeen ?? response.responseTime) < response.responseTime {
                    before.file.setSeen(response.responseTime)
                }
                memory?.put(names, name)
                return KeptVersion(isNew: false, isOverLimit: false)
            }
            var grown = 0
            if let before { grown += try Self.keepLastSight(of: before, before: response, &names, name) }
            grown += try Self.keep(response, &names, name, isLocked: isLocked)
            if names.count > Self.maximumVersions, isLocked {
                grown -= Self.removeOldest(&names, name, folder)
            }
            memory?.put(names, name)
            return KeptVersion(
                isNew: true,
                isOverLimit: CacheUsage(directory).add(grown) > maximumSize
            )
        } catch {
            throw CacheStoreError(name.entry, error)
        }
    }

    /// Writes a version and its body.
    ///
    /// - Returns: By how many bytes the cache has grown.
    private static func keep(
        _ response: StoredResponse,
        _ names: inout [VersionName],
        _ name: CacheEntryName,
        isLocked: Bool
    ) throws(File.Failure) -> Int {
        var version = response
        let placed = try place(response.body, name, isShared: isLocked)
        version.body = placed.body
        do throws(File.Failure) {
            let size = try write(version, &names, name)
            return placed.grown + size
        } catch {
            // Nobody else may know of the body yet.
            if case .file(let body) = placed.body, placed.grown > 0, isLocked { body.makeTemporary() }
            throw error
        }
    }

    /// Writes the file of a version, whose body is in its place.
    ///
    /// - Returns: The bytes that it takes.
    private static func write(
        _ version: StoredResponse,
        _ names: inout [VersionName],
        _ name: CacheEntryName
    ) throws(File.Failure) -> Int {
        let file = CacheEntryFile.file(of: version)
        guard file.count <= CacheEntryFile.maximumHeadLength else { throw File.Failure(errno: EFBIG) }
        let versionName = try freeName(for: version, names, name)
        // Its time says when it was last seen: whoever reads it must not find another one.
        try Directory.making(own: name.folder).replace(
            own: versionName.name,
            with: file,
            dated: version.responseTime
        )
        names.insert(sorted: versionName)
        return CacheUsage.size(file.count)
    }

    /// A name that no other version has which can be read.
    private static func freeName(
        for version: StoredResponse,
        _ names: [VersionName],
        _ name: CacheEntryName
    ) throws(File.Failure) -> VersionName {
        for attempt in 0..<VersionName.maximumAttempts {
            let wanted = VersionName(of: version, version.body.checksum, in: name, attempt: attempt)
            let file = VersionFile(path: "\(name.folder)/\(wanted.name)")
            switch file.read(wanted, verifiesBody: false, wantsBody: false) {
            case .absent, .damaged, .notKept: return wanted
            case .found(let other):
                // Another key may have the same hash; then the later one gets the name, as with entries.
                if other.key != version.key { return wanted }
                // An equal version that could not be read has lost its body, and is written again.
                if other.hasSameHead(as: version), file.bodyName == version.body.fileName { return wanted }
            }
        }
        throw File.Failure(errno: EEXIST, "there are too many versions of one millisecond")
    }

    /// Removes the oldest versions, a tenth of how many there may be.
    ///
    /// - Returns: The bytes that are free now.
    private static func removeOldest(
        _ names: inout [VersionName],
        _ name: CacheEntryName,
        _ folder: borrowing Directory
    ) -> Int {
        let surplus = names.count - maximumVersions / 10 *| 9
        let kept = KeptVersions(names, name.folder, folder)
        var freed = 0
        for file in kept.files(removing: 0..<surplus).names where folder.remove(file.name) {
            freed +|= file.size
        }
        names.removeFirst(surplus)
        return freed
    }

    // MARK: - The version before

    /// The version before a response.
    private struct Predecessor {
        let file: VersionFile
        let response: StoredResponse
        /// Whether it is the same version.
        let isSame: Bool
    }

    /// How many files are looked at to find the version before another one: there may be many variants.
    private static let maximumPredecessors = 256

    /// The last version before a response of the same key and variant, or one of the same moment if that is the same; nil if
    /// there is none.
    private static func predecessor(
        of response: StoredResponse,
        among names: [VersionName],
        _ name: CacheEntryName
    ) -> Predecessor? {
        let date = VersionName.milliseconds(of: response.responseTime)
        let variant = VersionName.variant(of: response)
        var read = 0
        var other: Predecessor?
        for version in names[..<names.firstIndex(after: date)].reversed() {
            // Archives have dates to the second: of one moment there may be several, in no order.
            if other != nil, version.milliseconds < date { return other }
            guard version.variant == variant else { continue }
            read += 1
            guard read <= maximumPredecessors else { break }
            let file = VersionFile(path: "\(name.folder)/\(version.name)")
            guard case .found(let old) = file.read(version, verifiesBody: false), old.key == response.key,
                old.isSameVariant(as: response)
            else { continue }
            let isSame = response.isSameVersion(as: old)
            let found = Predecessor(file: file, response: old, isSame: isSame)
            if isSame { return found }
            other = found
            if version.milliseconds < date { return other }
        }
        return other
    }

    /// Keeps the version before a response a second time, as of when it was last seen, if that is after the response.
    ///
    /// So it is with what archives have that are read one after the other: the response was there between.
    ///
    /// - Returns: By how many bytes the cache has grown.
    private static func keepLastSight(
        of before: Predecessor,
        before response: StoredResponse,
        _ names: inout [VersionName],
        _ name: CacheEntryName
    ) throws(File.Failure) -> Int {
        guard let seen = before.file.lastSeen, seen > response.responseTime else { return 0 }
        let variant = VersionName.variant(of: response)
        let after = names[names.firstIndex(after: VersionName.milliseconds(of: response.responseTime))...]
        // Another one came meanwhile: then the time of the file is wrong.
        guard !after.contains(where: { $0.variant == variant && $0.date <= seen }) else { return 0 }
        var again = before.response
        again.requestTime = seen
        again.responseTime = seen
        let grown = try write(again, &names, name)
        before.file.setSeen(before.response.responseTime)
        return grown
    }

    // MARK: - Bodies

    /// Puts a body into a file that is named by its checksum, unless it is there.
    ///
    /// - Parameters:
    ///   - body: The body.
    ///   - name: The names of its key.
    ///   - isShared: Whether others may have the file, which takes the folder's lock; otherwise its name is a new one.
    /// - Returns: The body in its file, and by how many bytes the cache has grown.
    /// - Throws: `File.Failure` if it cannot be read or written.
    private static func place(
        _ body: StoredBody,
        _ name: CacheEntryName,
        isShared: Bool
    ) throws(File.Failure) -> (body: StoredBody, grown: Int) {
        guard body.count > 0 else { return (.bytes([]), 0) }
        let grown = CacheUsage.size(body.count)
        let checksum = body.checksum
        let fileName = "\(name.stem).\(checksum.hexadecimal())"
        guard isShared, let status = try Directory(own: name.folder).status(fileName) else {
            return (try place(body, name, as: isShared ? fileName : name.newBodyFile), grown)
        }
        // A file that is not the cache's own is not replaced.
        guard OwnFile.isOwn(status) else { return (try place(body, name, as: name.newBodyFile), grown) }
        let path = "\(name.folder)/\(fileName)"
        if let there = try? BodyFile(path: path, isTemporary: false, count: body.count, checksum: checksum) {
            // A sweep does not remove it, though no version may name it yet.
            if (try? there.size()) == body.count, (try? body.isEqual(to: .file(there))) == true, there.touch()
            {
                return (.file(there), 0)
            }
            // Other content with the same checksum may be a deliberate collision, and stays; a damaged file is
            // replaced.
            if there.isWhole() { return (try place(body, name, as: name.newBodyFile), grown) }
        }
        return (try place(body, name, as: fileName), grown -| CacheUsage.size(status.size))
    }

    /// Writes a body into a file of a name.
    private static func place(
        _ body: StoredBody,
        _ name: CacheEntryName,
        as fileName: String
    ) throws(File.Failure) -> StoredBody {
        var file = try TemporaryFile(TemporaryFile.ownPrefix, in: .making(own: name.folder))
        try body.forEachPiece { piece throws(File.Failure) in try file.file.write(piece) }
        let temporary = "\(name.folder)/\(try file.takeName())"
        let placed = try BodyFile(
            path: temporary,
            isTemporary: true,
            count: body.count,
            checksum: body.checksum
        )
        try placed.makePermanent(as: fileName)
        return .file(placed)
    }
}

/// The result of storing a response as a version.
package struct KeptVersion: Sendable {
    /// Whether a version was added; otherwise the response is the same as the previous version.
    package let isNew: Bool
    /// Whether the store is now over its size limit, so that ``ResponseStore/trim()`` is due.
    package let isOverLimit: Bool
}
