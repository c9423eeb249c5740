import Glibc

/// Keeps each response in a file of its own, in 256 directories by the hash of its key.
///
/// A file is written under a name of its own and renamed when it is whole, so that no reader, in whatever process,
/// ever sees half of one. Files and directories are their owner's alone. A look-up reads the entry's file and nothing
/// else: there is no index. docs/cache-format.md has the layout.
struct DiskCacheStore: CacheStore {
    /// The directory that holds the cache; made when first written to.
    let directory: String

    /// Bytes that the cache may have; what goes beyond is trimmed.
    let maximumSize: Int

    static let defaultMaximumSize = 1 << 30

    init(directory: String, maximumSize: Int = Self.defaultMaximumSize) {
        self.directory = directory
        self.maximumSize = maximumSize
    }

    // MARK: - Looking up

    func lookUp(_ key: String, for request: WebRequest) -> CacheLookup {
        lookUp(key, for: request, touches: true, verifiesBodyFile: false)
    }

    /// Looks it up, as a use that is noted or not.
    ///
    /// A body in a file of its own is read for its checksum here, or is left to who has a time limit for that.
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
        // A file of another key's, of the same hash, is as good as none; the later one has it.
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

    func contains(_ key: String) -> Bool {
        do throws(File.Failure) {
            let own = try OwnFile(CacheEntryName(key, in: directory).entry)
            let start = try own.file.read(CacheEntryFile.prefixLength)
            do throws(CacheEntryFile.Damage) {
                return try CacheEntryFile.prefix(start, fileSize: own.size).kind == .response
            } catch {
                return false
            }
        } catch {
            return false
        }
    }

    /// Bytes that are read at first: with most pages, all that there are.
    private static let firstRead = 16 << 10

    /// Seconds after which a use is noted again.
    private static let touchInterval = 3600

    /// Reads an entry's file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - touches: Whether this is a use, which its modification time is to show.
    ///   - verifiesBodyFile: Whether a body in a file of its own is read for its checksum.
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
        // Who replaces an entry removes the body that it named, which may be between reading the one and opening the
        // other. An entry that names what is not there is damaged when it still does.
        for _ in 0..<maximumReplacements {
            guard let body = missing else { break }
            missing = nil
            found = read(path, touches, verifiesBodyFile, wantsBody, missing: &missing)
            if missing == body { break }
        }
        return found
    }

    /// How often an entry is read again that is being replaced.
    private static let maximumReplacements = 8

    /// Reads it once; `missing` is the name of its body's file where that is not there.
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
                guard prefix.kind == .response else {
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
                        return .damaged("\(path): its body, \(bodyFile.name), is not there")
                    }
                    response.body = .file(body)
                } else {
                    let body = try read(own.file, prefix.bodyLength, after: start[headEnd...])
                    guard body.count == prefix.bodyLength else {
                        return .damaged("\(path): the file is cut off")
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

    /// Opens the file of a large body, and has it read once, so that nothing wrong of it is ever handed out; nil where it is
    /// not there.
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

    /// Notes the use of an entry in its modification time, at most once an hour: what was not used for longest is
    /// trimmed first.
    ///
    /// Where that may not be, as in a directory of somebody else's, there is nothing to trim either.
    private static func touch(_ own: borrowing OwnFile) {
        let now = Int(bounded: Timestamp.now.secondsSince1970)
        guard (now - own.status.modified).magnitude > touchInterval, own.isOursAlone else { return }
        _ = futimens(own.file.descriptor, nil)
    }
}
