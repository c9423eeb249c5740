/// The format of an archive, detected from its first bytes; its name is ignored.
package enum ArchiveFormat: String, Sendable, CaseIterable {
    /// WARC, compressed by gzip or Zstandard or uncompressed; also if only later bytes show whether it is one.
    case warc = "WARC"
    case arc = "ARC"
    case wacz = "WACZ"
    case har = "HAR"
    case mhtml = "MHTML"

    /// Bytes that are looked at.
    static let lookLength = 64 << 10

    /// Detects the format of a file.
    ///
    /// - Parameter file: The file; of a pipe nothing is lost.
    /// - Returns: The format; ``warc`` where nothing speaks for another, since records may begin after damage.
    /// - Throws: ``ArchiveError`` if it cannot be read, and ``ArchiveError/Code/notAnArchive`` if it is empty.
    package static func detect(_ file: ArchiveFile) throws(ArchiveError) -> ArchiveFormat {
        let head = try file.bytes(at: 0, count: lookLength)
        guard !head.isEmpty else { throw ArchiveError(.notAnArchive, "\(file.path): the file is empty") }
        return detect(head)
    }

    /// Whether the first bytes of a file are those of an archive; `nil` if only later bytes show it.
    ///
    /// False for a page, and for JSON documents that are not HARs.
    package static func isArchive(_ head: [UInt8]) -> Bool? {
        switch detect(head) {
        case .arc, .wacz, .mhtml: return true
        case .har:
            // The only member of a HAR's top-level object.
            let text = head.drop { $0 != UInt8(ascii: "{") }.dropFirst()
            return text.drop { $0 == 0x20 || 0x09...0x0D ~= $0 }.starts(with: "\"log\"".utf8)
        case .warc:
            if head.starts(with: "WARC/".utf8) { return true }
            let isCoded = [[0x1F, 0x8B], [0x28, 0xB5, 0x2F, 0xFD]].contains { head.starts(with: $0) }
            // A skippable frame with a dictionary may come first.
            let hasDictionary = head.dropFirst().starts(with: [0x2A, 0x4D, 0x18])
            return isCoded || hasDictionary ? nil : false
        }
    }

    private static func detect(_ head: [UInt8]) -> ArchiveFormat {
        if head.starts(with: "WARC/".utf8) { return .warc }
        if head.starts(with: "filedesc:".utf8) { return .arc }
        // A local file, or the end of a ZIP without files.
        if head.starts(with: [0x50, 0x4B, 3, 4]) || head.starts(with: [0x50, 0x4B, 5, 6]) { return .wacz }
        let hasMark = head.starts(with: [0xEF, 0xBB, 0xBF])
        let text = head.dropFirst(hasMark ? 3 : 0).drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
        if text.first == UInt8(ascii: "{") { return .har }
        return isMIME(text) ? .mhtml : .warc
    }

    /// Whether the bytes begin with the head of a message of MIME.
    private static func isMIME(_ text: ArraySlice<UInt8>) -> Bool {
        for (number, line) in text.split(separator: 0x0A, omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty || line.first == 0x0D { return false }
            if line.first == 0x20 || line.first == 0x09 { continue }
            let name = line.prefix { $0 != 0x3A }
            // The archive's format begins with no field, but some put an envelope's line before the head.
            guard name.count < line.count, name.allSatisfy({ 0x21...0x7E ~= $0 }) else {
                if number == 0, line.starts(with: "From ".utf8) { continue }
                return false
            }
            switch String(decoding: name, as: UTF8.self).lowercased() {
            case "mime-version", "content-type", "snapshot-content-location": return true
            default: break
            }
        }
        return false
    }
}
