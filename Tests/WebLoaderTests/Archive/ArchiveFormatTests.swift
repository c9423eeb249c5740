import Testing
import WebArchive

struct ArchiveFormatTests {
    @Test(
        arguments: [
            ("WARC/1.0\r\n", .warc), ("filedesc://x 0 2024 text/plain 1\n", .arc),
            ("PK\u{3}\u{4}rest", .wacz), ("{\"log\":{}}", .har),
            ("\u{FEFF} \n{", .har), ("From: x\r\nMIME-Version: 1.0\r\n", .mhtml),
            ("Content-Type: multipart/related\n", .mhtml),
            ("nothing of these", .warc),
        ] as [(String, ArchiveFormat)]
    )
    func isKnownByTheFirstBytes(text: String, expected: ArchiveFormat) throws {
        #expect(try ArchiveFormat.detect(ArchiveFile(bytes: Array(text.utf8), path: "x.har")) == expected)
    }

    @Test func packedOnesAreWARC() throws {
        #expect(try ArchiveFormat.detect(ArchiveFile(bytes: [0x1F, 0x8B, 8, 0], path: "x")) == .warc)
        #expect(try ArchiveFormat.detect(ArchiveFile(bytes: [0x5D, 0x2A, 0x4D, 0x18], path: "x")) == .warc)
    }

    @Test func anEmptyFileIsNone() {
        let error = #expect(throws: ArchiveError.self) {
            try ArchiveFormat.detect(ArchiveFile(bytes: [], path: "x"))
        }
        #expect(error?.code == .notAnArchive)
    }
}
