import HTTPTypes

/// The format of a cache entry's file, version 1.
///
/// A fixed prefix, the head (key, times, status, fields) and the body, each with its checksum (XXH3, 64 bits). All
/// numbers are little-endian; docs/cache-format.md describes every byte. What is not to the letter is damaged.
enum CacheEntryFile {
    static let magic = Array("WLCACHE\n".utf8)
    static let version: UInt32 = 1

    /// Magic, version, head's length, body's length, head's checksum, body's checksum.
    static let prefixLength = 8 + 4 + 4 + 8 + 8 + 8

    /// No head is longer: fields are bounded when they are received.
    static let maximumHeadLength = 16 << 20

    /// No body is longer, so that a file made large to exhaust memory is damage and no more.
    static let maximumBodyLength = 1 << 30

    /// What a file's prefix says of the rest.
    struct Prefix {
        let headLength: Int
        let bodyLength: Int
        let headChecksum: UInt64
        let bodyChecksum: UInt64
    }

    /// Everything of the file but the body, which follows as it is.
    static func head(of response: StoredResponse) -> [UInt8] {
        var head = ByteWriter()
        head.string(response.key)
        head.integer(response.requestTime.millisecondsSince1970)
        head.integer(response.responseTime.millisecondsSince1970)
        head.integer(Int64(response.status))
        head.optionalString(response.httpVersion)
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
        var file = ByteWriter()
        file.raw(magic)
        file.integer(version)
        file.integer(UInt32(truncatingIfNeeded: head.output.count))
        file.integer(UInt64(response.body.count))
        file.integer(ContentHash.checksum(head.output))
        file.integer(ContentHash.checksum(response.body))
        file.raw(head.output)
        return file.output
    }

    /// Reads the prefix of a file of `size` bytes.
    static func prefix(_ bytes: [UInt8], fileSize: Int) throws(Damage) -> Prefix {
        var reader = ByteReader(bytes)
        guard bytes.count == prefixLength else { throw Damage("the file is cut off") }
        guard try reader.raw(magic.count).elementsEqual(magic) else { throw Damage("it is no cache entry") }
        let version: UInt32 = try reader.integer()
        guard version == Self.version else { throw Damage("it is of format version \(version)") }
        let headLength: UInt32 = try reader.integer()
        let bodyLength: UInt64 = try reader.integer()
        let rest = UInt64(clamping: fileSize - prefixLength)
        guard headLength <= maximumHeadLength, bodyLength <= min(rest, UInt64(maximumBodyLength)),
            rest - bodyLength == UInt64(headLength)
        else {
            throw Damage("its lengths do not add up")
        }
        return Prefix(
            headLength: Int(headLength),
            bodyLength: Int(bodyLength),
            headChecksum: try reader.integer(),
            bodyChecksum: try reader.integer()
        )
    }

    /// Reads the head, and joins it with the body.
    static func response(head: [UInt8], body: [UInt8], _ prefix: Prefix) throws(Damage) -> StoredResponse {
        guard ContentHash.checksum(head) == prefix.headChecksum else {
            throw Damage("its fields do not match their checksum")
        }
        guard ContentHash.checksum(body) == prefix.bodyChecksum else {
            throw Damage("its body does not match its checksum")
        }
        var reader = ByteReader(head)
        let key = try reader.string()
        let requestTime = Timestamp(millisecondsSince1970: try reader.integer())
        let responseTime = Timestamp(millisecondsSince1970: try reader.integer())
        let status: Int64 = try reader.integer()
        let httpVersion = try reader.optionalString()
        var varying: [(name: String, value: String?)] = []
        for _ in 0..<(try reader.count()) {
            varying.append((try reader.string(), try reader.optionalString()))
        }
        var fields = HTTPFields()
        for _ in 0..<(try reader.count()) {
            guard let name = HTTPField.Name(try reader.string()) else { throw Damage("a field has no name") }
            fields.append(HTTPField(name: name, lenientValue: try reader.bytes()))
        }
        guard reader.isAtEnd else { throw Damage("there is more than its fields") }
        guard 100...999 ~= status else { throw Damage("its status is \(status)") }
        return StoredResponse(
            key: key,
            varyingFields: varying,
            requestTime: requestTime,
            responseTime: responseTime,
            status: Int(status),
            httpVersion: httpVersion,
            headerFields: fields,
            body: body
        )
    }

    /// Why a file is no entry.
    struct Damage: Error {
        let reason: String

        init(_ reason: String) {
            self.reason = reason
        }
    }
}

/// Appends numbers and strings in the file's form.
private struct ByteWriter {
    var output: [UInt8] = []

    mutating func raw(_ bytes: [UInt8]) {
        output += bytes
    }

    mutating func integer(_ value: some FixedWidthInteger) {
        unsafe withUnsafeBytes(of: value.littleEndian) { unsafe output.append(contentsOf: $0) }
    }

    mutating func bytes(_ bytes: UnsafeRawBufferPointer) {
        integer(UInt32(truncatingIfNeeded: bytes.count))
        unsafe output.append(contentsOf: bytes)
    }

    mutating func string(_ string: String) {
        let utf8 = Array(string.utf8)
        integer(UInt32(truncatingIfNeeded: utf8.count))
        output += utf8
    }

    /// A byte that says whether there is one, and the string.
    mutating func optionalString(_ string: String?) {
        output.append(string == nil ? 0 : 1)
        if let string { self.string(string) }
    }
}

/// Reads them back; what does not fit is damage.
private struct ByteReader {
    private let input: [UInt8]
    private var position = 0

    init(_ input: [UInt8]) {
        self.input = input
    }

    var isAtEnd: Bool { position == input.count }

    mutating func raw(_ count: Int) throws(CacheEntryFile.Damage) -> ArraySlice<UInt8> {
        guard count <= input.count - position else { throw CacheEntryFile.Damage("its fields are cut off") }
        defer { position += count }
        return input[position..<position + count]
    }

    mutating func integer<Value: FixedWidthInteger>() throws(CacheEntryFile.Damage) -> Value {
        let bytes = try raw(Value.bitWidth / 8)
        return bytes.reversed().reduce(0) { $0 << 8 | Value(truncatingIfNeeded: $1) }
    }

    mutating func bytes() throws(CacheEntryFile.Damage) -> ArraySlice<UInt8> {
        let count: UInt32 = try integer()
        return try raw(Int(count))
    }

    mutating func string() throws(CacheEntryFile.Damage) -> String {
        String(decoding: try bytes(), as: UTF8.self)
    }

    mutating func optionalString() throws(CacheEntryFile.Damage) -> String? {
        let flag: UInt8 = try integer()
        guard flag <= 1 else { throw CacheEntryFile.Damage("its fields do not add up") }
        return flag == 0 ? nil : try string()
    }

    /// How many things follow; each takes a byte at least.
    mutating func count() throws(CacheEntryFile.Damage) -> Int {
        let count: Int64 = try integer()
        guard 0...Int64(input.count - position) ~= count else {
            throw CacheEntryFile.Damage("its fields do not add up")
        }
        return Int(count)
    }
}
