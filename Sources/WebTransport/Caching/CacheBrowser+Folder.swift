import Glibc

/// A cache folder by folder, for who keeps a list of its entries and looks only at those that have changed.
extension CacheBrowser {
    /// The file of an entry, or what stands in its place.
    package struct FolderFile: Sendable {
        /// The name of the file.
        package let stem: String
        /// When it was written, and its size: "SECONDS.NANOSECONDS:SIZE".
        package let stamp: String
    }

    /// The content of a file.
    package enum FileContent: Sendable {
        /// A response, the size of its body in bytes, and as many of the first bytes as were requested.
        case entry(CacheEntry, bodySize: Int, start: [UInt8])
        /// A note that a response was loaded but not stored.
        case note
        /// The file no longer exists.
        case absent
        case damage(Damage)
    }

    /// Whether a name is that of one of the 256 folders.
    package static func isFolder(_ name: String) -> Bool { CacheEntryName.isFolder(name) }

    /// Lists the files of a folder's entries without opening them.
    ///
    /// - Parameter folder: Its name, two hexadecimal digits.
    /// - Returns: The files in no order, without variants, versions and bodies; none of a missing folder.
    /// - Throws: ``Failure``, where it cannot be listed.
    package func files(in folder: String) throws(Failure) -> [FolderFile] {
        let path = "\(store.directory)/\(folder)"
        var files: [FolderFile] = []
        do throws(File.Failure) {
            var directory = try Directory(own: path)
            while let name = try directory.next() {
                guard CacheEntryName.kind(of: name) == .entry, let status = directory.status(name) else {
                    continue
                }
                files.append(FolderFile(stem: name, stamp: Self.stamp(status)))
            }
        } catch {
            // A link in place of a folder leads out of the cache.
            guard error.errno == ENOENT || error.errno == ENOTDIR else {
                throw Failure(path: path, reason: error.text)
            }
        }
        return files
    }

    /// Reads the file of an entry, without recording a use of it.
    ///
    /// - Parameters:
    ///   - stem: Its name.
    ///   - folder: The name of its folder.
    ///   - startLength: Returns the number of bytes of the body to read; if it is 0, the body is not read.
    /// - Returns: The content of the file.
    package func content(
        of stem: String,
        in folder: String,
        startLength: (CacheEntry) -> Int
    ) -> FileContent {
        let path = "\(store.directory)/\(folder)/\(stem)"
        var length = 0
        let found = DiskCacheStore.read(path, touches: false, verifiesBodyFile: false) { response in
            length = startLength(CacheEntry(response, path: path, fileSize: nil, lastUse: nil))
            return length > 0
        }
        switch found {
        case .found(let response):
            let entry = CacheEntry(response, path: path, fileSize: nil, lastUse: nil)
            guard length > 0 else {
                return .entry(entry, bodySize: DiskCacheStore.head(path)?.bodySize ?? 0, start: [])
            }
            let start = (try? response.body.bytes(0..<min(length, response.body.count))) ?? []
            return .entry(entry, bodySize: response.body.count, start: start)
        case .notKept: return .note
        case .absent: return .absent
        case .damaged(let reason): return .damage(Damage(message: reason))
        }
    }

    /// Returns a text that distinguishes a new response to a plain request for a URL from the previous one.
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - hasVersions: Whether it also changes with the stored versions of the URL.
    /// - Returns: A text that changes whenever another response is stored; `nil` if none is stored.
    package func stamp(of url: WebURL, withVersions hasVersions: Bool) -> String? {
        let name = CacheEntryName(StoredResponse.key(for: url), in: store.directory)
        var stamps: [String] = []
        if hasVersions, let folder = FileStatus(name.folder, followsLinks: false) {
            stamps.append(Self.stamp(folder))
        }
        if let status = FileStatus(name.entry, followsLinks: false) {
            stamps.append(Self.stamp(status))
            let request = WebRequest(url: url)
            if let response = DiskCacheStore.head(name.entry)?.response, !response.varyingFields.isEmpty,
                !VaryingFields.match(response, request)
            {
                let variant = name.variant(VaryingFields.of(request, named: response.varyingFields))
                stamps.append(FileStatus(variant, followsLinks: false).map(Self.stamp) ?? "")
            }
        }
        return stamps.isEmpty ? nil : stamps.joined(separator: " ")
    }

    private static func stamp(_ status: FileStatus) -> String {
        "\(status.modified).\(status.modifiedNanoseconds):\(status.size)"
    }

    /// The place of a URL's entry, as in "ab/0123…": its folder and its stem.
    package func place(of url: WebURL) -> String {
        let name = CacheEntryName(StoredResponse.key(for: url), in: store.directory)
        return "\(Directory.split(name.folder).name)/\(name.stem)"
    }

    /// Removes what is stored for a URL as it is listed, with all its variants and versions; "*" is a character like others.
    ///
    /// - Parameter url: A URL, or what stands in its place where it had credentials.
    /// - Returns: How many URLs that were: 0 or 1.
    /// - Throws: ``Failure``, where it cannot be removed.
    package func remove(exactly url: String) throws(Failure) -> Int {
        var keys = [url]
        // Without its credentials it is another page.
        if let parsed = try? WebURL(url), parsed.hash.utf8.count != Self.credentialsLength {
            keys.append(StoredResponse.key(for: parsed))
        }
        guard let key = keys.first(where: { store.hasResponse($0) }) else { return 0 }
        do throws(CacheStoreError) {
            try store.removeAll(key)
        } catch {
            throw Failure(path: store.directory, reason: error.message)
        }
        return 1
    }

    /// The length of "#" and the hash of credentials.
    private static let credentialsLength = 33
}
