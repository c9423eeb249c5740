import Glibc

/// A cache directory for display and maintenance: its entries, whether they would be used, and damage.
package struct CacheBrowser: Sendable {
    let store: DiskCacheStore

    /// - Parameter directory: The directory; a missing one is an empty cache.
    package init(directory: String) {
        store = DiskCacheStore(directory: directory)
    }

    /// The size that loads keep the cache to by default, in bytes.
    package var maximumSize: Int { store.maximumSize }

    /// Why an operation on a cache directory failed.
    package struct Failure: Error, Equatable, Sendable {
        /// The file or the directory.
        package let path: String
        /// The system's error message.
        package let reason: String
    }

    /// A damaged entry file.
    package struct Damage: Equatable, Sendable {
        /// The path, and what is wrong.
        package let message: String
    }

    // MARK: - Looking

    /// Calls a closure with each entry whose URL matches, in no particular order, and with each damaged file.
    ///
    /// - Parameters:
    ///   - pattern: The pattern that the URL must match; `nil` for all URLs.
    ///   - verifiesBodies: Whether bodies are read too, and their checksums computed.
    ///   - body: Called with each finding.
    /// - Throws: ``Failure``, where a directory cannot be listed.
    package func forEach(
        matching pattern: URLPattern?,
        verifiesBodies: Bool = false,
        _ body: (Finding) -> Void
    ) throws(Failure) {
        var shared = SharedBodies()
        try forEachFile { path, kind, size, lastUse in
            guard kind == .entry || kind == .variant || kind == .version else { return }
            let version = kind == .version ? VersionName(Directory.split(path).name) : nil
            let found =
                version.map { shared.read($0, path, verifiesBody: verifiesBodies) }
                ?? DiskCacheStore.read(path, touches: false, wantsBody: { _ in verifiesBodies })
            switch found {
            case .found(let response):
                guard pattern?.matches(response.key) ?? true else { return }
                let entry = CacheEntry(response, path: path, fileSize: size, lastUse: lastUse)
                body(kind == .version ? .version(entry) : .entry(entry))
            case .notKept: if pattern == nil { body(.note) }
            case .absent: break
            case .damaged(let reason): if pattern == nil { body(.damage(Damage(message: reason))) }
            }
        }
    }

    /// Something found in the directory.
    package enum Finding: Sendable {
        case entry(CacheEntry)
        /// A version that is kept beside the newest.
        case version(CacheEntry)
        /// A note that a response was loaded but not stored.
        case note
        case damage(Damage)
    }

    /// Calls back with every file of the cache's own, in no order.
    private func forEachFile(
        _ body: (_ path: String, CacheEntryName.Kind, _ size: Int, _ lastUse: Int) -> Void
    ) throws(Failure) {
        do throws(File.Failure) {
            for folder in try CacheInventory.folders(of: store.directory) {
                let path = "\(store.directory)/\(folder)"
                var directory = try Directory(own: path)
                while let name = try directory.next() {
                    let kind = CacheEntryName.kind(of: name)
                    guard kind != .foreign, let status = directory.status(name) else { continue }
                    body("\(path)/\(name)", kind, status.size, status.modified)
                }
            }
        } catch {
            throw Failure(path: store.directory, reason: error.text)
        }
    }

    /// The number and bytes of the files that are not entries: body files, and temporary files.
    package func otherFiles() throws(Failure) -> (
        bodies: Int, bodyBytes: Int, temporary: Int, temporaryBytes: Int
    ) {
        var found = (bodies: 0, bodyBytes: 0, temporary: 0, temporaryBytes: 0)
        try forEachFile { _, kind, size, _ in
            switch kind {
            case .body:
                found.bodies += 1
                found.bodyBytes +|= size
            case .temporary:
                found.temporary += 1
                found.temporaryBytes +|= size
            case .entry, .variant, .version, .foreign: break
            }
        }
        return found
    }

    /// Looks up what a plain request for a URL would find.
    package func lookUp(_ url: WebURL) -> LookUp {
        let key = StoredResponse.key(for: url)
        let path = CacheEntryName(key, in: store.directory).entry
        switch store.lookUp(key, for: WebRequest(url: url), touches: false, verifiesBodyFile: true) {
        case .found(let response):
            return .entry(CacheEntry(response, path: path, fileSize: nil, lastUse: nil))
        case .absent: return .absent
        case .notKept(let refusal): return .notKept(refusal.explanation)
        case .damaged(let reason): return .damaged(Damage(message: reason))
        }
    }

    /// The result of a look-up.
    package enum LookUp: Sendable {
        case entry(CacheEntry)
        case absent
        /// It was loaded but not stored; with the reason.
        case notKept(String)
        case damaged(Damage)
    }

    // MARK: - Changing

    /// Removes the entries whose URL matches, with all their variants and versions; returns how many URLs that were.
    package func remove(matching pattern: URLPattern) throws(Failure) -> Int {
        // Of what is damaged nobody knows the URL, but where a URL's files are.
        var keys: Set<String> = pattern.url.map { store.hasResponse($0) ? [$0] : [] } ?? []
        try forEach(matching: pattern) { finding in
            switch finding {
            case .entry(let entry), .version(let entry): keys.insert(entry.key)
            case .note, .damage: break
            }
        }
        for key in keys {
            do throws(CacheStoreError) {
                try store.removeAll(key)
            } catch {
                throw Failure(path: store.directory, reason: error.message)
            }
        }
        return keys.count
    }

    /// Removes the leftovers of killed writers, and the least recently used entries until `limit` bytes
    /// remain.
    package func trim(to limit: Int) throws(Failure) -> CacheTrimReport {
        do throws(File.Failure) {
            return try store.trim(to: limit)
        } catch {
            throw Failure(path: store.directory, reason: error.text)
        }
    }
}
