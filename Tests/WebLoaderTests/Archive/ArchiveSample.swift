import Foundation
import TestSupport
import WebArchive

/// Archives made for tests.
enum ArchiveSample {
    /// A record of a WARC, its length right unless one is given.
    static func record(
        _ type: String = "response",
        id: String = "1",
        url: String? = "http://a.example/",
        contentType: String? = "application/http; msgtype=response",
        fields: [String] = [],
        block: String = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n<p>x",
        length: String? = nil,
        end: String = "\r\n\r\n"
    ) -> [UInt8] {
        var lines = [
            "WARC/1.1", "WARC-Type: \(type)", "WARC-Record-ID: <urn:x:\(id)>",
            "WARC-Date: 2024-03-04T05:06:07Z",
        ]
        if let url { lines.append("WARC-Target-URI: \(url)") }
        if let contentType { lines.append("Content-Type: \(contentType)") }
        lines += fields
        lines.append("Content-Length: \(length ?? String(block.utf8.count))")
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + block + end).utf8)
    }

    /// A member of gzip whose bytes are stored, not packed.
    static func gzip(_ bytes: [UInt8]) -> [UInt8] {
        var member: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 0xFF]
        var rest = bytes[...]
        repeat {
            let piece = rest.prefix(65535)
            rest = rest.dropFirst(piece.count)
            let count = UInt16(piece.count)
            member += [rest.isEmpty ? 1 : 0, UInt8(count & 0xFF), UInt8(count >> 8)]
            member += [UInt8(~count & 0xFF), UInt8(~count >> 8)]
            member += piece
        } while !rest.isEmpty
        return member + littleEndian(checksum(bytes)) + littleEndian(UInt32(bytes.count))
    }

    /// A frame of Zstandard whose bytes are stored; at most 65535 of them.
    static func zstandard(_ bytes: [UInt8]) -> [UInt8] {
        let header = littleEndian(UInt32(bytes.count) << 3 | 1).prefix(3)
        // The content's size takes a byte, or two from 256 on.
        let size =
            bytes.count < 256
            ? [0x20, UInt8(bytes.count)] : [0x60] + littleEndian(UInt32(bytes.count - 256)).prefix(2)
        return [0x28, 0xB5, 0x2F, 0xFD] + size + header + bytes
    }

    static func littleEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(value >> (8 * UInt32($0)) & 0xFF) }
    }

    /// The CRC-32 of bytes.
    static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var sum: UInt32 = .max
        for byte in bytes {
            sum ^= UInt32(byte)
            for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
        }
        return ~sum
    }

    /// The result of reading an archive.
    struct Reading: Equatable {
        var ids: [String?] = []
        var kinds: [String] = []
        var offsets: [Int?] = []
        var lengths: [Int?] = []
        /// The payloads as text, or the error's code.
        var payloads: [String] = []
        var findings: [String] = []
    }

    static func read(_ bytes: [UInt8]) throws(ArchiveError) -> Reading {
        let reader = try WARCReader(ArchiveFile(bytes: bytes, path: "sample"))
        var reading = Reading()
        while let record = try reader.next() {
            reading.ids.append(record.id)
            reading.kinds.append(record.kind.rawValue)
            reading.offsets.append(record.offset)
            do throws(ArchiveError) {
                reading.payloads.append(
                    String(decoding: try reader.payload(maximumSize: 1 << 24), as: UTF8.self)
                )
            } catch {
                reading.payloads.append(error.code.rawValue)
            }
            reading.lengths.append(try reader.currentLength())
        }
        reading.findings = reader.takeFindings().map(\.code.rawValue)
        return reading
    }

    /// The codes of what a check finds.
    static func verify(_ bytes: [UInt8]) throws(ArchiveError) -> [String] {
        var codes: [String] = []
        try WARCContents(file: ArchiveFile(bytes: bytes, path: "sample")).verify {
            codes.append($0.code.rawValue)
        }
        return codes
    }
}
