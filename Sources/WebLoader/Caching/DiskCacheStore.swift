import Glibc

/// Keeps each response in a file of its own, in 256 directories by the hash of its key.
///
/// A file is written under a name of its own and renamed when it is whole, so that no reader, in whatever process,
/// ever sees half of one. Files and directories are their owner's alone.
struct DiskCacheStore: CacheStore {
    /// The directory that holds the cache; made when first written to.
    let directory: String

    init(directory: String) {
        self.directory = directory
    }

    func lookUp(_ key: String) -> CacheLookup {
        let path = self.path(for: key).file
        do throws(File.Failure) {
            let file = try File(reading: path)
            let size = Int(clamping: try file.status().st_size)
            do throws(CacheEntryFile.Damage) {
                let prefix = try CacheEntryFile.prefix(
                    try read(file, min(size, CacheEntryFile.prefixLength)),
                    fileSize: size
                )
                let head = try read(file, prefix.headLength)
                let body = try read(file, prefix.bodyLength)
                guard head.count == prefix.headLength, body.count == prefix.bodyLength else {
                    return .damaged("\(path): the file is cut off")
                }
                let response = try CacheEntryFile.response(head: head, body: body, prefix)
                // Two keys of one hash share a file, and the later one has it.
                return response.key == key ? .found(response) : .absent
            } catch {
                return .damaged("\(path): \(error.reason)")
            }
        } catch {
            return error.errno == ENOENT ? .absent : .damaged("\(path): \(error.text)")
        }
    }

    private func read(_ file: borrowing File, _ count: Int) throws(CacheEntryFile.Damage) -> [UInt8] {
        do throws(File.Failure) {
            return try file.read(count)
        } catch {
            throw CacheEntryFile.Damage(error.text)
        }
    }

    func contains(_ key: String) -> Bool {
        unsafe access(path(for: key).file, R_OK) == 0
    }

    func store(_ response: StoredResponse) throws(CacheStoreError) {
        let (folder, path) = self.path(for: response.key)
        let head = CacheEntryFile.head(of: response)
        do throws(File.Failure) {
            guard head.count - CacheEntryFile.prefixLength <= CacheEntryFile.maximumHeadLength,
                response.body.count <= CacheEntryFile.maximumBodyLength
            else {
                throw File.Failure(errno: EFBIG)
            }
            let temporary = try Self.write(head, response.body, in: folder)
            guard unsafe rename(temporary, path) == 0 else {
                let reason = errno
                Self.discard(temporary)
                throw File.Failure(errno: reason)
            }
        } catch {
            throw CacheStoreError(message: "\(path): \(error.text)", errno: error.errno)
        }
    }

    /// Writes a file under a name that nobody else has, and returns that.
    private static func write(
        _ head: [UInt8],
        _ body: [UInt8],
        in folder: String
    ) throws(File.Failure) -> String {
        let temporary = try makeTemporary(in: folder)
        do throws(File.Failure) {
            try temporary.file.write(head)
            try temporary.file.write(body)
        } catch {
            discard(temporary.path)
            throw error
        }
        return temporary.path
    }

    private static func makeTemporary(in folder: String) throws(File.Failure) -> TemporaryFile {
        do throws(File.Failure) {
            return try TemporaryFile("\(folder)/.new-")
        } catch  where error.errno == ENOENT {
            try makeDirectories(folder)
            return try TemporaryFile("\(folder)/.new-")
        }
    }

    /// Removes a file of ours that came to nothing.
    ///
    /// If even this fails, there is nothing more to do.
    private static func discard(_ path: String) {
        _ = unsafe unlink(path)
    }

    func remove(_ key: String) throws(CacheStoreError) {
        let path = self.path(for: key).file
        guard unsafe unlink(path) != 0, errno != ENOENT else { return }
        throw CacheStoreError(message: "\(path): \(File.Failure(errno: errno).text)", errno: errno)
    }

    // MARK: - Names

    /// The folder and the file of a key: 128 bits of hash, the first 8 of them the folder.
    private func path(for key: String) -> (folder: String, file: String) {
        let name = ContentHash.hexadecimal(of: key)
        let folder = "\(directory)/\(name.prefix(2))"
        return (folder, "\(folder)/\(name.dropFirst(2))")
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
