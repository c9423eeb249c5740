import Glibc

/// Keeps each response in a file of its own, in 256 directories by the hash of its key.
///
/// A file is written under a temporary name and renamed when it is complete, so that no reader, in any
/// process, ever sees a partial one. Only the owner can access files and directories. A look-up reads the
/// entry's file (and a variant's), and there is no index. docs/cache-format.md has the layout.
package struct DiskCacheStore: ResponseStore {
    /// The directory that holds the cache; created when first written to.
    let directory: String

    /// The size limit of the cache in bytes; beyond it, the cache is trimmed.
    let maximumSize: Int

    static let defaultMaximumSize = 1 << 30

    package init(directory: String, maximumSize: Int = Self.defaultMaximumSize) {
        self.directory = directory
        self.maximumSize = maximumSize
    }

    // MARK: - Looking up

    package func lookUp(_ key: String, for request: WebRequest) -> CacheLookup {
        lookUp(key, for: request, touches: true, verifiesBodyFile: false)
    }

    /// Looks up a key, and optionally records the use.
    ///
    /// A body in a file of its own is verified here only if requested: a caller with a time limit does it
    /// itself.
    func lookUp(
        _ key: String,
        for request: WebRequest,
        touches: Bool,
        verifiesBodyFile: Bool
    ) -> CacheLookup {
        let name = CacheEntryName(key, in: directory)
        let first = Self.read(name.entry, touches: touches, verifiesBodyFile: verifiesBodyFile) {
            $0.key == key && VaryingFields.match($0, request)
        }
        // A file of another key with the same hash counts as absent; the key stored later has it.
        guard case .found(let response) = first else { return first }
        guard response.key == key else { return .absent }
        guard !response.varyingFields.isEmpty, !VaryingFields.match(response, request) else { return first }
        let variant = name.variant(VaryingFields.of(request, named: response.varyingFields))
        let second = Self.read(variant, touches: touches, verifiesBodyFile: verifiesBodyFile) {
            $0.key == key && VaryingFields.match($0, request)
        }
        guard case .found(let other) = second, other.key == key, VaryingFields.match(other, request) else {
            if case .damaged = second { return second }
            return first
        }
        return second
    }

    package func contains(_ key: String) -> Bool {
        do throws(File.Failure) {
            let own = try OwnFile(CacheEntryName(key, in: directory).entry)
            let start = try own.file.read(CacheEntryFile.prefixLength)
            do throws(CacheEntryFile.Damage) {
                return try CacheEntryFile.prefix(start, fileSize: own.size).kind != .note
            } catch {
                return false
            }
        } catch {
            return false
        }
    }

    /// The size of the first read in bytes: for most pages, the whole file.
    private static let firstRead = 16 << 10

    /// Seconds after which a use is recorded again.
    private static let touchInterval = 3600

    /// Reads an entry's file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - touches: Whether to record a use in the file's modification time.
    ///   - verifiesBodyFile: Whether to verify the checksum of a body in a file of its own.
    ///   - wantsBody: Whether the body is to be read too, and verified; without it the body is empty.
    /// - Returns: The response, whatever its key.
    static func read(
        _ path: String,
        touches: Bool,
        verifiesBodyFile: Bool = true,
        wantsBody: (StoredResponse) -> Bool = { _ in true }
    ) -> CacheLookup {
        var missing: String?
        var found = read(path, touches, verifiesBodyFile, wantsBody, missing: &missing)
        // A writer that replaces an entry removes the old body file, possibly between our reading the entry
        // and opening its body. If the entry, read again, still names the missing file, it is damaged.
        for _ in 0..<maximumReplacements {
            guard let body = missing else { break }
            missing = nil
            found = read(path, touches, verifiesBodyFile, wantsBody, missing: &missing)
            if missing == body { break }
        }
        return found
    }

    /// How often an entry that is being replaced is read again.
    private static let maximumReplacements = 8

    /// Reads an entry once; `missing` becomes the name of its body's file if that does not exist.
    private static func read(
        _ path: String,
        _ touches: Bool,
        _ verifiesBodyFile: Bool,
        _ wantsBody: (StoredResponse) -> Bool,
        missing: inout String?
    ) -> CacheLookup {
        do throws(File.Failure) {
            let own = try OwnFile(path)
            do throws(CacheEntryFile.Damage) {
                var start = try read(own.file, min(own.size, firstRead))
                let prefix = try CacheEntryFile.prefix(start, fileSize: own.size)
                let headEnd = CacheEntryFile.prefixLength + prefix.headLength
                if start.count < headEnd { start = try read(own.file, headEnd, after: start[...]) }
                guard prefix.kind != .note else {
                    return .notKept(try CacheEntryFile.note(start, prefix).refusal)
                }
                let head = try CacheEntryFile.head(start, prefix)
                var response = head.response
                if touches { touch(own) }
                guard wantsBody(response) else { return .found(response) }
                if let bodyFile = head.bodyFile {
                    let body = try openBody(bodyFile, beside: path, prefix.bodyChecksum, verifiesBodyFile)
                    guard let body else {
                        missing = bodyFile.name
                        return .damaged("\(path): its body, \(bodyFile.name), is missing")
                    }
                    response.body = .file(body)
                } else {
                    let body = try read(own.file, prefix.bodyLength, after: start[headEnd...])
                    guard body.count == prefix.bodyLength else {
                        return .damaged("\(path): the file is truncated")
                    }
                    guard ContentHash.checksum(body) == prefix.bodyChecksum else {
                        return .damaged("\(path): its body does not match its checksum")
                    }
                    response.body = .bytes(body)
                }
                return .found(response)
            } catch {
                return .damaged("\(path): \(error.reason)")
            }
        } catch {
            return error.errno == ENOENT ? .absent : .damaged("\(path): \(error.text)")
        }
    }

    static func read(
        _ file: borrowing File,
        _ count: Int,
        after prefix: ArraySlice<UInt8> = []
    ) throws(CacheEntryFile.Damage) -> [UInt8] {
        do throws(File.Failure) {
            return try file.read(count, after: prefix)
        } catch {
            throw CacheEntryFile.Damage(error.text)
        }
    }

    /// Opens the file of a large body, and verifies it if requested, so that a damaged one is never served;
    /// nil if it does not exist.
    private static func openBody(
        _ body: (name: String, count: Int),
        beside path: String,
        _ checksum: UInt64,
        _ verifies: Bool
    ) throws(CacheEntryFile.Damage) -> BodyFile? {
        let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) ?? path.startIndex
        let place = "\(path[..<slash])/\(body.name)"
        let opened: BodyFile
        let isWhole: Bool
        do throws(File.Failure) {
            opened = try BodyFile(path: place, isTemporary: false, count: body.count, checksum: checksum)
            isWhole = try opened.size() == body.count && (!verifies || opened.isWhole())
        } catch {
            if error.errno == ENOENT { return nil }
            throw CacheEntryFile.Damage("its body, \(body.name): \(error.text)")
        }
        guard isWhole else {
            throw CacheEntryFile.Damage("its body, \(body.name), does not match its checksum")
        }
        return opened
    }

    /// Records the use of an entry in its modification time, at most once an hour: the least recently used
    /// entries are trimmed first.
    ///
    /// If that is not permitted, as in another user's directory, there is nothing to trim either.
    private static func touch(_ own: borrowing OwnFile) {
        let now = Int(bounded: Timestamp.now.secondsSince1970)
        guard (now - own.status.modified).magnitude > touchInterval, own.isOwnedExclusively else { return }
        _ = futimens(own.file.descriptor, nil)
    }
}
