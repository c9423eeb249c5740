import WebStandards

/// Writes exchanges as a HAR, one by one, in bounded memory.
///
/// [HAR 1.2](http://www.softwareishard.com/blog/har-12-spec/)
@safe package struct HARWriter: ~Copyable {
    private let output: ArchiveOutput
    private let withSecrets: Bool
    private var isFirst = true

    /// Begins a HAR.
    ///
    /// - Parameters:
    ///   - withSecrets: Whether cookies, the bodies of requests, and credentials in fields and URLs are written.
    ///   - output: Receives the bytes.
    /// - Throws: Any error that `output` throws.
    package init(withSecrets: Bool = false, output: @escaping ArchiveOutput) throws(ArchiveError) {
        unsafe self.output = output
        self.withSecrets = withSecrets
        let creator: JSONValue = ["name": "WebLoader", "version": .string(WebLoaderVersion.current)]
        try write("{\"log\":{\"version\":\"1.2\",\"creator\":")
        try write(creator.serialized(sortingNames: false))
        try write(",\"pages\":[],\"entries\":[")
    }

    /// Writes an exchange, without its body if that cannot be decoded.
    ///
    /// - Throws: Any error that the output throws; ``ArchiveError/Code/unreadable`` if the file of a body cannot be
    ///   read.
    package mutating func append(_ exchange: ArchivedExchange) throws(ArchiveError) {
        try write(isFirst ? "\n" : ",\n")
        isFirst = false
        let entry = HAREntryDescription(exchange, withSecrets: withSecrets)
        let body = try HARBodyDescription(of: exchange)
        try write("{")
        try write(entry.start)
        try write(",\"response\":{")
        try write(entry.response)
        try write(",\"content\":{")
        try write(body.members(mimeType: entry.mimeType))
        try writeText(of: body)
        try write("}},")
        try write(entry.end)
        try write("}")
    }

    /// Ends the HAR.
    ///
    /// - Throws: Any error that the output throws.
    package consuming func finish() throws(ArchiveError) { try write("\n]}}\n") }

    // MARK: - Writing

    private func write(_ text: String) throws(ArchiveError) { try write(Array(text.utf8)) }

    private func write(_ bytes: [UInt8]) throws(ArchiveError) {
        guard !bytes.isEmpty else { return }
        _ = unsafe try pass(
            bytes,
            to: { piece throws(ArchiveError) in
                unsafe try output(piece)
                return true
            }
        )
    }

    private func writeText(of body: HARBodyDescription) throws(ArchiveError) {
        guard let decoded = body.decoded else { return }
        try write(",\"text\":\"")
        if body.isText {
            try unsafe decoded.read { piece throws(ArchiveError) in
                try write(unsafe Self.escaped(piece))
            }
            try write("\"")
            return
        }
        var encoder = Base64Encoder()
        try unsafe decoded.read { piece throws(ArchiveError) in
            var bytes: [UInt8] = []
            unsafe encoder.encode(piece, into: &bytes)
            try write(bytes)
        }
        var bytes: [UInt8] = []
        encoder.finish(into: &bytes)
        try write(bytes)
        try write("\",\"encoding\":\"base64\"")
    }

    /// UTF-8 as the inside of a string; a piece may begin and end in a character.
    private static func escaped(_ text: some Collection<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count + text.count / 8)
        for byte in text {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0x0A: bytes += "\\n".utf8
            case 0x0D: bytes += "\\r".utf8
            case 0x09: bytes += "\\t".utf8
            case 0..<0x20, 0x7F:
                let digits = Array("0123456789abcdef".utf8)
                bytes += "\\u00".utf8
                bytes += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}
