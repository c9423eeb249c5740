import HTTPTypes

/// The format of a cache entry's file, version 2.
///
/// A fixed prefix, the head (key, times, status, fields) and the body, each with its checksum (XXH3, 64
/// bits). All numbers are little-endian; docs/cache-format.md describes every byte. A file that deviates from
/// the format is damaged.
enum CacheEntryFile {
    static let magic = Array("WLCACHE\n".utf8)
    static let version: UInt16 = 2

    /// Magic, version, kind, head's length, body's length, head's checksum, body's checksum.
    static let prefixLength = 8 + 2 + 2 + 4 + 8 + 8 + 8

    /// The maximum length of a head: fields are bounded when they are received.
    static let maximumHeadLength = 16 << 20

    /// The maximum length of a body in the entry's file; a longer body has a file of its own.
    static let maximumBodyLength = ContentHash.pieceLength

    /// The kind of a file's contents.
    enum Kind: UInt16 {
        /// A response.
        case response = 0
        /// A note that a response was loaded but not stored.
        case note = 1
        /// A response that the user asked to keep. No flipped bit makes one of the others one.
        case keptResponse = 6
    }

    /// The prefix of a file.
    struct Prefix {
        let kind: Kind
        let headLength: Int
        let bodyLength: Int
        let headChecksum: UInt64
        let bodyChecksum: UInt64
    }

    /// The contents of a head: the response without its body, and the body's file if it has one.
    struct Head {
        var response: StoredResponse
        var bodyFile: (name: String, count: Int)?
    }

    private enum Flag {
        static let keptForOfflineUse: UInt8 = 1
        static let outdated: UInt8 = 2
        static let bodyFile: UInt8 = 4
        static let remoteAddress: UInt8 = 8
    }

    // MARK: - Writing

    /// The bytes of an entry's file.
    static func file(of response: StoredResponse) -> [UInt8] {
        var head = ByteWriter()
        head.string(response.key)
        head.integer(response.requestTime.millisecondsSince1970)
        head.integer(response.responseTime.millisecondsSince1970)
        head.integer(Int64(response.status))
        head.optionalString(response.httpVersion)
        var flags: UInt8 = 0
        if response.isKeptForOfflineUse { flags |= Flag.keptForOfflineUse }
        if response.isOutdated { flags |= Flag.outdated }
        if response.remoteAddress != nil { flags |= Flag.remoteAddress }
        switch response.body {
        case .bytes: head.integer(flags)
        case .file(let file): head.body(flags | Flag.bodyFile, file.name, file.count)
        case .pieces(let pieces): head.body(flags | Flag.bodyFile, pieces.holder.name, pieces.count)
        }
        if let address = response.remoteAddress { head.string(address) }
        head.integer(Int64(response.varyingFields.count))
        for field in response.varyingFields {
            head.string(field.name)
            head.optionalString(field.value)
        }
        head.integer(Int64(response.headerFields.count))
        for field in response.headerFields {
            head.string(field.name.rawName)
            unsafe field.withUnsafeBytesOfValue { unsafe head.bytes(UnsafeRawBufferPointer($0)) }
        }
        let kind = response.isKeptOnRequest ? Kind.keptResponse : .response
        switch response.body {
        case .bytes(let body): return file(kind, head.output, body, ContentHash.checksum(body))
        case .file(let body): return file(kind, head.output, [], body.checksum)
        case .pieces(let body): return file(kind, head.output, [], body.checksum)
        }
    }

    /// The bytes of a note's file.
    static func file(of refusal: CacheDecision.StorageRefusal, at time: Timestamp) -> [UInt8] {
        var head = ByteWriter()
        head.integer(time.millisecondsSince1970)
        head.string(refusal.rawValue)
        return file(.note, head.output, [], ContentHash.checksum([]))
    }

    private static func file(_ kind: Kind, _ head: [UInt8], _ body: [UInt8], _ checksum: UInt64) -> [UInt8] {
        var file = ByteWriter()
        file.output.reserveCapacity(prefixLength + head.count + body.count)
        file.raw(magic)
        file.integer(version)
        file.integer(kind.rawValue)
        file.integer(UInt32(truncatingIfNeeded: head.count))
        file.integer(UInt64(truncatingIfNeeded: body.count))
        file.integer(ContentHash.checksum(head))
        file.integer(checksum)
        file.raw(head)
        file.raw(body)
        return file.output
    }

    // MARK: - Reading

    /// Reads the prefix of a file of `size` bytes.
    static func prefix(_ bytes: [UInt8], fileSize: Int) throws(Damage) -> Prefix {
        guard bytes.count >= prefixLength else { throw Damage("the file is truncated") }
        var reader = ByteReader(bytes, 0..<prefixLength)
        guard bytes.starts(with: magic) else { throw Damage("it is not a cache entry") }
        reader.skip(magic.count)
        let version: UInt16 = try reader.integer()
        guard version == Self.version else {
            throw Damage("it has format version \(version)", isOtherFormat: true)
        }
        guard let kind = Kind(rawValue: try reader.integer()) else {
            throw Damage("its kind is unknown")
        }
        let headLength: UInt32 = try reader.integer()
        let bodyLength: UInt64 = try reader.integer()
        guard headLength <= maximumHeadLength, bodyLength <= maximumBodyLength,
            prefixLength + Int(headLength) + Int(bounded: bodyLength) == fileSize
        else {
            throw Damage("its lengths are inconsistent")
        }
        return Prefix(
            kind: kind,
            headLength: Int(headLength),
            bodyLength: Int(bounded: bodyLength),
            headChecksum: try reader.integer(),
            bodyChecksum: try reader.integer()
        )
    }

    /// Whether the first bytes of a file are those of a response that the user asked to keep.
    static func isKept(_ bytes: [UInt8]) -> Bool {
        guard bytes.starts(with: magic), bytes.count >= prefixLength else { return false }
        var reader = ByteReader(bytes, magic.count + 2..<prefixLength)
        return (try? reader.integer()) == Kind.keptResponse.rawValue
    }

    /// Reads the head of a response, which follows the prefix in `file`.
    static func head(_ file: [UInt8], _ prefix: Prefix) throws(Damage) -> Head {
        var reader = try headReader(file, prefix)
        let key = try reader.string()
        let requestTime = Timestamp(millisecondsSince1970: try reader.integer())
        let responseTime = Timestamp(millisecondsSince1970: try reader.integer())
        let status: Int64 = try reader.integer()
        let httpVersion = try reader.optionalString()
        let flags: UInt8 = try reader.integer()
        guard flags <= Flag.keptForOfflineUse | Flag.outdated | Flag.bodyFile | Flag.remoteAddress else {
            throw Damage("it has an unknown value")
        }
        var bodyFile: (name: String, count: Int)?
        if flags & Flag.bodyFile != 0 {
            let name = try reader.string()
            let count: Int64 = try reader.integer()
            guard count >= 0, prefix.bodyLength == 0, CacheEntryName.isBodyFile(name) else {
                throw Damage("the name of its body's file is invalid")
            }
            bodyFile = (name, Int(bounded: count))
        }
        let remoteAddress = flags & Flag.remoteAddress != 0 ? try reader.string() : nil
        var varying: [VaryingFields.Field] = []
        for _ in 0..<(try reader.count()) {
            varying.append((try reader.string(), try reader.optionalString()))
        }
        var fields = HTTPFields()
        let count = try reader.count()
        fields.reserveCapacity(min(count, 64))
        for _ in 0..<count {
            guard let name = HTTPField.Name(try reader.string()) else {
                throw Damage("the name of a field is invalid")
            }
            fields.append(received: HTTPField(name: name, bytes: try reader.bytes()))
        }
        guard reader.isAtEnd else { throw Damage("there is data after its fields") }
        guard 100...999 ~= status else { throw Damage("its status is \(status)") }
        let response = StoredResponse(
            key: key,
            varyingFields: varying,
            requestTime: requestTime,
            responseTime: responseTime,
            status: Int(bounded: status),
            httpVersion: httpVersion,
            headerFields: fields,
            body: .bytes([]),
            isKeptForOfflineUse: flags & Flag.keptForOfflineUse != 0,
            isKeptOnRequest: prefix.kind == .keptResponse,
            isOutdated: flags & Flag.outdated != 0,
            remoteAddress: remoteAddress
        )
        return Head(response: response, bodyFile: bodyFile)
    }

    /// Reads a response from a whole file, whose prefix was read; a body elsewhere is named, and left out.
    static func response(
        _ file: [UInt8],
        _ prefix: Prefix
    ) throws(Damage) -> (response: StoredResponse, body: (name: String, count: Int)?) {
        var head = try head(file, prefix)
        if head.bodyFile == nil {
            let body = Array(file[(prefixLength + prefix.headLength)...])
            guard ContentHash.checksum(body) == prefix.bodyChecksum else {
                throw Damage("its body does not match its checksum")
            }
            head.response.body = .bytes(body)
        }
        return (head.response, head.bodyFile)
    }

    /// Reads a note.
    static func note(
        _ file: [UInt8],
        _ prefix: Prefix
    ) throws(Damage) -> (refusal: CacheDecision.StorageRefusal, time: Timestamp) {
        var reader = try headReader(file, prefix)
        let time = Timestamp(millisecondsSince1970: try reader.integer())
        guard let refusal = CacheDecision.StorageRefusal(rawValue: try reader.string()), reader.isAtEnd,
            prefix.bodyLength == 0
        else { throw Damage("it has an unknown value") }
        return (refusal, time)
    }

    private static func headReader(_ file: [UInt8], _ prefix: Prefix) throws(Damage) -> ByteReader {
        let range = prefixLength..<prefixLength + prefix.headLength
        guard range.upperBound <= file.count else { throw Damage("the file is truncated") }
        guard ContentHash.checksum(piece: file.span.extracting(range), after: 0) == prefix.headChecksum else {
            throw Damage("its fields do not match their checksum")
        }
        return ByteReader(file, range)
    }

    /// Why a file is not a valid entry.
    struct Damage: Error {
        let reason: String

        /// Whether another version of this program may be able to read it.
        let isOtherFormat: Bool

        init(_ reason: String, isOtherFormat: Bool = false) {
            self.reason = reason
            self.isOtherFormat = isOtherFormat
        }
    }
}
