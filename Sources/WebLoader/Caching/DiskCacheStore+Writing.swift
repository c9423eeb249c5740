import Glibc

extension DiskCacheStore {
    func bodyWriter(for key: String) -> any StoredBodyWriter {
        DiskBodyWriter(CacheEntryName(key, in: directory), maximumSize: maximumSize)
    }

    func store(_ response: StoredResponse) throws(CacheStoreError) -> Bool {
        let name = CacheEntryName(response.key, in: directory)
        var response = response
        let written: Int
        do throws(File.Failure) {
            // A body that is too large for the entry gets a file of its own; one that has it keeps it.
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

    /// Writes an entry where its variant belongs, and returns by how many bytes the cache has grown.
    private func write(_ response: StoredResponse, _ name: CacheEntryName) throws(File.Failure) -> Int {
        var path = name.entry
        var old = Self.head(path)
        // What varies by the same fields stands beside the first one, under a name of its own.
        if let first = old?.response, first.key == response.key, !Self.isSameVariant(first, response) {
            if first.varyingFields.map(\.name) == response.varyingFields.map(\.name) {
                path = name.variant(response.varyingFields)
                old = Self.head(path)
            } else if !first.varyingFields.isEmpty {
                // Variants by other fields would not be found any more.
                try Self.removeFiles(name) { $0 == .variant }
            }
        }
        guard response.body.fileName != nil || old?.bodyFile != nil else {
            return try write(response, name, path, old)
        }
        // A body is there as long as an entry names it: nobody else may remove or name one meanwhile.
        let folder = try? Directory(name.folder)
        folder?.lock()
        defer { _ = folder }
        return try write(response, name, path, Self.head(path))
    }

    /// Writes an entry to its path, and removes the body that the old one named.
    private func write(
        _ response: StoredResponse,
        _ name: CacheEntryName,
        _ path: String,
        _ old: (response: StoredResponse?, bodyFile: (name: String, count: Int)?, size: Int)?
    ) throws(File.Failure) -> Int {
        var settled: BodyFile?
        if case .file(let body) = response.body {
            if !body.isSettled {
                try body.settle(at: name.newBodyFile)
                settled = body
            } else if unsafe access("\(name.folder)/\(body.name)", F_OK) != 0 {
                // It was replaced, or trimmed, while the server confirmed it.
                return 0
            }
        }
        let file = CacheEntryFile.file(of: response)
        do throws(File.Failure) {
            guard file.count <= CacheEntryFile.maximumHeadLength else { throw File.Failure(errno: EFBIG) }
            try Self.replace(path, by: file, in: name.folder)
        } catch {
            settled?.unsettle()
            throw error
        }
        var grown = CacheUsage.size(file.count) - (old.map { CacheUsage.size($0.size) } ?? 0)
        if let settled { grown += CacheUsage.size(settled.count) }
        if let body = old?.bodyFile, response.body.fileName != body.name {
            if unsafe unlink("\(name.folder)/\(body.name)") == 0 { grown -= CacheUsage.size(body.count) }
        }
        return grown
    }

    private static func isSameVariant(_ a: StoredResponse, _ b: StoredResponse) -> Bool {
        a.varyingFields.elementsEqual(b.varyingFields) { $0.name == $1.name && $0.value == $1.value }
    }

    /// What an entry's file says without its body; nil where there is none that can be read.
    static func head(
        _ path: String
    ) -> (response: StoredResponse?, bodyFile: (name: String, count: Int)?, size: Int)? {
        do throws(File.Failure) {
            let file = try File(reading: path)
            let size = Int(clamping: try file.status().st_size)
            do throws(CacheEntryFile.Damage) {
                var start = try read(file, min(size, 4 << 10))
                let prefix = try CacheEntryFile.prefix(start, fileSize: size)
                let end = CacheEntryFile.prefixLength + prefix.headLength
                if start.count < end { start = try read(file, end, after: start[...]) }
                guard prefix.kind == .response else { return (nil, nil, size) }
                let head = try CacheEntryFile.head(start, prefix)
                return (head.response, head.bodyFile, size)
            } catch {
                return (nil, nil, size)
            }
        } catch {
            return nil
        }
    }

    /// Writes a file under a name that nobody else has, and renames it when it is whole.
    private static func replace(_ path: String, by bytes: [UInt8], in folder: String) throws(File.Failure) {
        let temporary = try makeTemporary(in: folder)
        do throws(File.Failure) {
            try temporary.file.write(bytes)
            guard unsafe rename(temporary.path, path) == 0 else { throw File.Failure(errno: errno) }
        } catch {
            // If even this fails, a later sweep removes it.
            _ = unsafe unlink(temporary.path)
            throw error
        }
    }

    /// A new file in a folder, which is made where it is not there.
    private static func makeTemporary(in folder: String) throws(File.Failure) -> TemporaryFile {
        let prefix = "\(folder)/\(CacheEntryName.temporaryPrefix)"
        do throws(File.Failure) {
            return try TemporaryFile(prefix)
        } catch  where error.errno == ENOENT {
            try makeDirectories(folder)
            return try TemporaryFile(prefix)
        }
    }

    /// A new file for what takes long to write, in a folder, which is made where it is not there.
    static func makeUnnamed(in folder: String) throws(File.Failure) -> UnnamedFile {
        let prefix = "\(folder)/\(CacheEntryName.temporaryPrefix)"
        do throws(File.Failure) {
            return try UnnamedFile(prefix)
        } catch  where error.errno == ENOENT {
            try makeDirectories(folder)
            return try UnnamedFile(prefix)
        }
    }

    // MARK: - Notes

    func note(
        _ refusal: CacheDecision.StorageRefusal,
        for key: String,
        at time: Timestamp
    ) throws(CacheStoreError) {
        let name = CacheEntryName(key, in: directory)
        guard unsafe access(name.entry, F_OK) != 0 else { return }
        do throws(File.Failure) {
            let file = CacheEntryFile.file(of: refusal, at: time)
            try Self.replace(name.entry, by: file, in: name.folder)
            _ = CacheUsage(directory).add(CacheUsage.size(file.count))
        } catch {
            throw CacheStoreError(name.entry, error)
        }
    }

    // MARK: - Removing

    func remove(_ key: String) throws(CacheStoreError) {
        let name = CacheEntryName(key, in: directory)
        if unsafe unlink(name.entry) != 0, errno != ENOENT {
            throw CacheStoreError(name.entry, File.Failure(errno: errno))
        }
        do throws(File.Failure) {
            try Self.removeFiles(name) { $0 == .variant || $0 == .body }
        } catch {
            throw CacheStoreError(name.entry, error)
        }
    }

    /// Removes a key's files of the kinds that are meant.
    private static func removeFiles(
        _ name: CacheEntryName,
        _ isMeant: (CacheEntryName.Kind) -> Bool
    ) throws(File.Failure) {
        do throws(File.Failure) {
            var folder = try Directory(name.folder)
            folder.lock()
            var names: [String] = []
            while let file = folder.next() {
                if file.hasPrefix(name.stem), isMeant(CacheEntryName.kind(of: file)) { names.append(file) }
            }
            for file in names where !folder.remove(file) && errno != ENOENT {
                throw File.Failure(errno: errno)
            }
        } catch  where error.errno == ENOENT {
            return
        }
    }

    /// Makes a directory and those above it.
    private static func makeDirectories(_ path: String) throws(File.Failure) {
        guard unsafe mkdir(path, 0o700) != 0 else { return }
        let reason = errno
        if reason == EEXIST { return }
        guard reason == ENOENT, let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")),
            slash > path.startIndex
        else { throw File.Failure(errno: reason) }
        try makeDirectories(String(path[..<slash]))
        guard unsafe mkdir(path, 0o700) == 0 || errno == EEXIST else { throw File.Failure(errno: errno) }
    }
}

extension StoredBody {
    /// The name of the body's file, nil where it has none.
    fileprivate var fileName: String? {
        switch self {
        case .bytes: nil
        case .file(let file): file.name
        }
    }
}
