/// The file of a version.
struct VersionFile {
    let path: String

    /// Reads the version, whatever its key.
    ///
    /// - Parameters:
    ///   - name: Its name, which must have the date of its head.
    ///   - verifiesBody: Whether to verify the checksum of its body.
    ///   - wantsBody: Whether its body is to be read; without it the body is empty.
    /// - Returns: The response.
    func read(_ name: VersionName, verifiesBody: Bool, wantsBody: Bool = true) -> CacheLookup {
        let found = DiskCacheStore.read(
            path,
            touches: false,
            verifiesBodyFile: verifiesBody,
            wantsBody: { _ in wantsBody }
        )
        guard case .found(let response) = found else { return found }
        guard VersionName.milliseconds(of: response.responseTime) == name.milliseconds else {
            return .damaged("\(path): \(Self.otherDate.reason)")
        }
        return found
    }

    /// The damage of a file whose name lies.
    static let otherDate = CacheEntryFile.Damage("its name has another date than its fields")

    /// The name of its body's file; `nil` if it has none, or cannot be read.
    var bodyName: String? { DiskCacheStore.head(path)?.bodyFile?.name }

    /// Notes in its modification time when the version was seen last, which may be long ago.
    ///
    /// A file that is not this user's stays as it is.
    func setSeen(_ date: Timestamp) {
        guard let own = try? OwnFile(path), own.isOwnedExclusively else { return }
        own.file.setTimes(date)
    }

    /// When the version was last seen, by its modification time; nil if that is not known.
    var lastSeen: Timestamp? {
        let (folder, name) = Directory.split(path)
        guard let folder = try? Directory(own: folder), let status = folder.status(name) else { return nil }
        return Self.date(modified: status.modified)
    }

    /// The moment of a modification time.
    static func date(modified seconds: Int) -> Timestamp {
        Timestamp(millisecondsSince1970: Int64(seconds) *| 1000)
    }
}
