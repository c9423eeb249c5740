import Glibc

extension DiskCacheStore {
    package func bodyWriter(for key: String) -> any StoredBodyWriter {
        DiskBodyWriter(CacheEntryName(key, in: directory), maximumSize: maximumSize)
    }

    package func store(_ response: StoredResponse) throws(CacheStoreError) -> Bool {
        let name = CacheEntryName(response.key, in: directory)
        var response = response
        let written: Int
        do throws(File.Failure) {
            // A body that is too large for the entry gets a file of its own, unless it already has one.
            if case .bytes(let bytes) = response.body, bytes.count > CacheEntryFile.maximumBodyLength {
                let writer = DiskBodyWriter(name, maximumSize: maximumSize)
                try writer.append(bytes.span)
                response.body = try writer.finished()
            }
            written = try write(response, name)
        } catch {
            throw CacheStoreError(name.entry, error)
        }
        return CacheUsage(directory).add(written) > maximumSize
    }

    /// Writes an entry to its variant's path, and returns by how many bytes the cache has grown.
    private func write(_ response: StoredResponse, _ name: CacheEntryName) throws(File.Failure) -> Int {
        var path = name.entry
        var old = Self.head(path)
        // Another variant by the same fields is stored beside the first one, in a file of its own.
        if let first = old?.response, first.key == response.key, !first.isSameVariant(as: response) {
            if first.varyingFields.contains(where: VaryingFields.isStoredInClear) {
                try Self.removeFiles(name) { $0 == .variant }
            } else if first.varyingFields.map(\.name) == response.varyingFields.map(\.name) {
                path = name.variant(response.varyingFields)
                old = Self.head(path)
            } else if !first.varyingFields.isEmpty {
                // Variants by other fields would no longer be found.
                try Self.removeFiles(name) { $0 == .variant }
            }
        }
        guard response.body.fileName != nil || old?.bodyFile != nil else {
            return try write(response, name, path, old)
        }
        // A body file must exist while an entry names it: no one else may remove or name one meanwhile.
        var folder = try Directory(own: name.folder)
        folder.lock()
        defer { _ = folder.descriptor }
        return try write(response, name, path, Self.head(path))
    }

    /// Writes an entry to its path, and removes the body that the old one named.
    private func write(
        _ response: StoredResponse,
        _ name: CacheEntryName,
        _ path: String,
        _ old: StoredHead?
    ) throws(File.Failure) -> Int {
        var placedBody: BodyFile?
        if case .file(let body) = response.body {
            if !body.isPermanent {
                try body.makePermanent(as: name.newBodyFile)
                placedBody = body
            } else if unsafe access("\(name.folder)/\(body.name)", F_OK) != 0 {
                // It was replaced, or trimmed, while the server confirmed it.
                return 0
            }
        }
        let file = CacheEntryFile.file(of: response)
        do throws(File.Failure) {
            guard file.count <= CacheEntryFile.maximumHeadLength else { throw File.Failure(errno: EFBIG) }
            try Self.replace(path, by: file)
        } catch {
            placedBody?.makeTemporary()
            throw error
        }
        var grown = CacheUsage.size(file.count) - (old.map { CacheUsage.size($0.size) } ?? 0)
        if let placedBody { grown += CacheUsage.size(placedBody.count) }
        if let body = old?.bodyFile, response.body.fileName != body.name {
            if try Directory(own: name.folder).remove(body.name) { grown -= CacheUsage.size(body.count) }
        }
        return grown
    }

    /// The head of an entry's file, without its body; nil if the file cannot be opened.
    static func head(_ path: String) -> StoredHead? {
        // Why it cannot be opened is asked by nobody who replaces it.
        try? readHead(path)
    }

    /// The head of an entry's file, without its body; what cannot be opened is an error, what is damaged is not.
    static func readHead(_ path: String) throws(File.Failure) -> StoredHead {
        let own = try OwnFile(path)
        let (size, modified) = (own.size, own.status.modified)
        do throws(CacheEntryFile.Damage) {
            var start = try read(own.file, min(size, 4 << 10))
            let prefix = try CacheEntryFile.prefix(start, fileSize: size)
            let end = CacheEntryFile.prefixLength + prefix.headLength
            if start.count < end { start = try read(own.file, end, after: start[...]) }
            guard prefix.kind != .note else { return StoredHead(size: size, modified: modified) }
            let head = try CacheEntryFile.head(start, prefix)
            return StoredHead(
                size: size,
                modified: modified,
                response: head.response,
                bodyFile: head.bodyFile,
                bodySize: head.bodyFile?.count ?? prefix.bodyLength
            )
        } catch {
            return StoredHead(size: size, modified: modified, damage: error)
        }
    }

    /// Replaces a file, in a folder that is created if missing.
    private static func replace(_ path: String, by bytes: [UInt8]) throws(File.Failure) {
        let (folder, name) = Directory.split(path)
        try Directory.making(own: folder).replace(own: name, with: bytes)
    }

    // MARK: - Notes

    package func note(
        _ refusal: CacheDecision.StorageRefusal,
        for key: String,
        at time: Timestamp
    ) throws(CacheStoreError) {
        let name = CacheEntryName(key, in: directory)
        guard unsafe access(name.entry, F_OK) != 0 else { return }
        do throws(File.Failure) {
            let file = CacheEntryFile.file(of: refusal, at: time)
            try Self.replace(name.entry, by: file)
            _ = CacheUsage(directory).add(CacheUsage.size(file.count))
        } catch {
            throw CacheStoreError(name.entry, error)
        }
    }

    // MARK: - Removing

    package func remove(_ key: String) throws(CacheStoreError) {
        let name = CacheEntryName(key, in: directory)
        do throws(File.Failure) {
            try Self.removeFiles(name) { $0 != .temporary && $0 != .foreign && $0 != .version }
        } catch {
            throw CacheStoreError(name.entry, error)
        }
    }

    /// Removes all that is stored for a key, kept versions too.
    func removeAll(_ key: String) throws(CacheStoreError) {
        let name = CacheEntryName(key, in: directory)
        do throws(File.Failure) {
            try Self.removeFiles(name, within: Self.removingTime) { $0 != .temporary && $0 != .foreign }
        } catch {
            throw CacheStoreError(name.entry, error)
        }
    }

    /// Whether a key has a response or a version, or a damaged one.
    func hasResponse(_ key: String) -> Bool {
        let name = CacheEntryName(key, in: directory)
        guard var folder = try? Directory(own: name.folder) else { return false }
        while let file = try? folder.next() {
            guard file.hasPrefix(name.stem) else { continue }
            switch CacheEntryName.kind(of: file) {
            case .entry, .variant, .version:
                guard let head = Self.head("\(name.folder)/\(file)") else { continue }
                if head.damage != nil || head.response?.key == key { return true }
            case .body, .temporary, .foreign: break
            }
        }
        return false
    }

    /// How long who removes files waits for others to let go of their folder.
    static let removingTime = 10.0

    /// Removes a key's files of the selected kinds; a body that a version names stays with it.
    ///
    /// Waits some time for others to let go of the folder; a load waits for it.
    private static func removeFiles(
        _ name: CacheEntryName,
        within seconds: Double = 0.1,
        _ isMeant: (CacheEntryName.Kind) -> Bool
    ) throws(File.Failure) {
        do throws(File.Failure) {
            var folder = try Directory(own: name.folder)
            let isLocked = folder.lock(within: seconds)
            var names: [String] = []
            var hasVersions = false
            while let file = try folder.next() {
                guard file.hasPrefix(name.stem) else { continue }
                let kind = CacheEntryName.kind(of: file)
                if isMeant(kind) { names.append(file) } else if kind == .version { hasVersions = true }
            }
            // The entry's own bodies are no version's. Of others that is not known here, or another process may
            // just be naming one: what is nobody's is swept.
            if hasVersions || !isLocked {
                let own = ownBodies(names, name.folder)
                names.removeAll { CacheEntryName.kind(of: $0) == .body && !own.contains($0) }
            }
            // The entry goes first, then the versions: without them the others are never found, and swept later.
            names.sort()
            var failure: File.Failure?
            for file in names {
                guard let status = folder.status(file) else { continue }
                do throws(File.Failure) {
                    try OwnFile.check(status)
                    if !folder.remove(file), errno != ENOENT { throw File.Failure(errno: errno) }
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        } catch  where error.errno == ENOENT {
            return
        }
    }

    /// The names of the bodies that entries and variants among some files name.
    static func ownBodies(_ names: some Sequence<String>, _ folder: String) -> Set<String> {
        var bodies: Set<String> = []
        for name in names {
            switch CacheEntryName.kind(of: name) {
            case .entry, .variant:
                if let body = head("\(folder)/\(name)")?.bodyFile { bodies.insert(body.name) }
            case .version, .body, .temporary, .foreign: break
            }
        }
        return bodies
    }
}

/// The head of an entry's file, without the body.
struct StoredHead {
    /// The bytes of the file.
    let size: Int
    /// The time at which the file was written, in seconds since 1970.
    let modified: Int
    /// The response without its body; `nil` for a note, and if the head is damaged.
    var response: StoredResponse?
    /// The file of the body, if the body has its own.
    var bodyFile: (name: String, count: Int)?
    /// The size of the body in bytes; 0 for a note, and if the head is damaged.
    var bodySize = 0
    /// The damage of the head; `nil` if there is none.
    var damage: CacheEntryFile.Damage?
}

extension StoredBody {
    /// The name of the body's file, nil where it has none.
    var fileName: String? {
        switch self {
        case .bytes, .pieces: nil
        case .file(let file): file.name
        }
    }
}
