/// The paths of a key's files: named by a 128-bit hash, whose first 8 bits name the folder.
struct CacheEntryName {
    /// The folder's path.
    let folder: String

    /// The common prefix of the names of the key's files, 30 hexadecimal digits.
    let stem: String

    init(_ key: String, in directory: String) {
        let hash = ContentHash.hexadecimal(of: key)
        folder = "\(directory)/\(hash.prefix(2))"
        stem = String(hash.dropFirst(2))
    }

    /// The names of the key whose files have a stem.
    init(folder: String, stem: String) {
        self.folder = folder
        self.stem = stem
    }

    /// The path of the file that is read first.
    var entry: String { "\(folder)/\(stem)" }

    /// The path of the file of another variant, by the hash of the fields that select it.
    func variant(_ fields: [VaryingFields.Field]) -> String { "\(entry)-\(Self.hash(of: fields))" }

    /// A hash of the fields that select a variant, as 16 hexadecimal digits.
    static func hash(of fields: [VaryingFields.Field]) -> String {
        var writer = ByteWriter()
        for field in fields {
            writer.string(field.name)
            writer.optionalString(field.value)
        }
        return ContentHash.checksum(writer.output).hexadecimal()
    }

    /// A new name for a body's file.
    var newBodyFile: String { "\(stem).\(UInt64.random(in: 0...UInt64.max).hexadecimal())" }

    // MARK: - Kinds of files

    /// The kind of a file in one of the folders, by its name.
    enum Kind: Equatable {
        case entry
        case variant
        /// A version that is kept beside the newest.
        case version
        case body
        /// Being written, or left by a writer that was killed.
        case temporary
        /// Not a file of the cache.
        case foreign
    }

    static func kind(of name: String) -> Kind {
        let bytes = Array(name.utf8)
        if TemporaryFile.isName(name, prefix: TemporaryFile.ownPrefix) { return .temporary }
        guard bytes.count >= stemLength, bytes[..<stemLength].allSatisfy(\.isLowerHexDigit) else {
            return .foreign
        }
        if bytes.count == stemLength { return .entry }
        guard bytes.count == stemLength + 17, bytes[(stemLength + 1)...].allSatisfy(\.isLowerHexDigit) else {
            return .foreign
        }
        switch bytes[stemLength] {
        case UInt8(ascii: "-"): return .variant
        case UInt8(ascii: "."): return .body
        case VersionName.mark: return .version
        default: return .foreign
        }
    }

    static func isBodyFile(_ name: String) -> Bool { kind(of: name) == .body }

    /// Whether a name is that of one of the 256 folders.
    static func isFolder(_ name: String) -> Bool {
        name.utf8.count == 2 && name.utf8.allSatisfy(\.isLowerHexDigit)
    }

    static let stemLength = 30
}
