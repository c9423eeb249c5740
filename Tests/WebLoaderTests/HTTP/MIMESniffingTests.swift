import TestSupport
import Testing

@testable import WebStandards

struct MIMESniffingTests {
    private func computed(
        _ supplied: String?,
        _ header: [UInt8],
        isApacheBug: Bool = false,
        noSniff: Bool = false
    ) -> String {
        MIMESniffing.computedType(
            supplied: supplied.flatMap { MediaType($0) },
            isApacheBug: isApacheBug,
            noSniff: noSniff,
            header: header
        ).description
    }

    private func computed(_ supplied: String?, _ header: String, noSniff: Bool = false) -> String {
        computed(supplied, Array(header.utf8), noSniff: noSniff)
    }

    // MARK: - The algorithm

    @Test(
        "XML, HTML and types that need no second look are what the server says",
        arguments: [
            "text/html", "text/html;charset=utf-8", "application/xhtml+xml", "image/svg+xml", "text/plain",
            "text/css", "application/json", "application/octet-stream", "font/woff2", "application/zip",
        ]
    )
    func keepsSupplied(supplied: String) {
        for header in ["\u{0}\u{1}", "GIF89a", "<html>", "%PDF-", ""] {
            #expect(computed(supplied, header) == supplied)
        }
    }

    @Test(
        "Only an unknown type is sniffed for text that may run script",
        arguments: [nil, "unknown/unknown", "*/*"]
    )
    func unknownTypes(supplied: String?) {
        #expect(computed(supplied, "<html>") == "text/html")
        #expect(computed(supplied, "<html>", noSniff: true) == "text/plain")
        #expect(computed(supplied, "%PDF-1.7", noSniff: true) == "text/plain")
        #expect(computed(supplied, "GIF89a", noSniff: true) == "image/gif")
        #expect(computed("application/unknown;a=b", "<?xml") == "text/xml")
    }

    @Test("An image may turn out to be another image, and nothing else")
    func suppliedImage() {
        #expect(computed("image/png", "GIF89a") == "image/gif")
        #expect(computed("image/png", "<html>") == "image/png")
        #expect(computed("image/png", "OggS\0") == "image/png")
        #expect(computed("image/png", "GIF89a", noSniff: true) == "image/png")
    }

    @Test("Audio or video may turn out to be another of them, and nothing else")
    func suppliedAudioOrVideo() {
        #expect(computed("video/mp4", "OggS\0") == "application/ogg")
        #expect(computed("application/ogg", "RIFF\0\0\0\0WAVE") == "audio/wave")
        #expect(computed("audio/x", "GIF89a") == "audio/x")
        #expect(computed("audio/x", "ID3", noSniff: true) == "audio/x")
    }

    @Test("Text that an old Apache labels is text unless it cannot be, and never more")
    func apacheBug() {
        let text = "text/plain"
        #expect(computed(text, Array("<html>".utf8), isApacheBug: true) == text)
        #expect(computed(text, Array("GIF89a\u{1}".utf8), isApacheBug: true) == "application/octet-stream")
        #expect(computed(text, [], isApacheBug: true) == text)
        #expect(computed(text, [0xFE, 0xFF, 0x00, 0x41], isApacheBug: true) == text)
        #expect(computed(text, [0xFF, 0xFE, 0x41, 0x00], isApacheBug: true) == text)
        #expect(computed(text, [0xEF, 0xBB, 0xBF, 0x00], isApacheBug: true) == text)
        #expect(computed(text, [0xEF, 0xBB, 0x00], isApacheBug: true) == "application/octet-stream")
        #expect(computed(text, [0x00], isApacheBug: true, noSniff: true) == text)
    }

    @Test(
        "Only the exact values of old Apache servers raise the flag",
        arguments: [
            ("text/plain", true), ("text/plain; charset=ISO-8859-1", true),
            ("text/plain; charset=iso-8859-1", true),
            ("text/plain; charset=UTF-8", true), ("text/plain; charset=utf-8", false), ("Text/plain", false),
            ("text/plain;charset=UTF-8", false), ("text/plain ", false), ("", false),
        ]
    )
    func apacheBugFlag(value: String, expected: Bool) {
        #expect(MIMESniffing.isApacheBug(contentTypeField: value) == expected)
    }

    @Test(
        "The first value of X-Content-Type-Options sets the no-sniff flag",
        arguments: [
            ([], false), ([""], false), (["nosniff"], true), (["NoSniff"], true), ([" nosniff , x"], true),
            (["nosniff", "x"], true), (["x", "nosniff"], false), ([",nosniff"], false), (["nosniff;"], false),
            (["'nosniff'"], false), (["\"nosniff\""], false),
        ] as [([String], Bool)]
    )
    func noSniffFlag(lines: [String], expected: Bool) {
        #expect(MIMESniffing.isNoSniff(contentTypeOptionsFields: lines) == expected)
    }

    // MARK: - Patterns

    @Test(
        "Each tag of the table, in any case and behind whitespace, makes HTML",
        arguments: [
            "<!DOCTYPE HTML", "<HTML", "<HEAD", "<SCRIPT", "<IFRAME", "<H1", "<DIV", "<FONT", "<TABLE", "<A",
            "<STYLE", "<TITLE", "<B", "<BODY", "<BR", "<P", "<!--",
        ]
    )
    func htmlTags(tag: String) {
        for text in [tag, tag.lowercased(), "\t\n\u{C}\r " + tag] {
            #expect(computed(nil, text + ">") == "text/html")
            #expect(computed(nil, text + " x") == "text/html")
            for end in ["", "\t", "\n", "/", "=", "?"] {
                #expect(computed(nil, text + end) == "text/plain")
            }
        }
        #expect(computed(nil, "x" + tag + ">") == "text/plain")
        #expect(computed(nil, "\u{B}" + tag + ">") == "application/octet-stream")
        #expect(computed(nil, "\u{FEFF}" + tag + ">") == "text/plain")
        #expect(computed(nil, [0x1C] + Array(tag.utf8.dropFirst()) + [0x3E]) == "application/octet-stream")
    }

    @Test(
        "Each signature gives its type, and one byte less does not",
        arguments: [
            ([0x00, 0x00, 0x01, 0x00], "image/x-icon"), ([0x00, 0x00, 0x02, 0x00], "image/x-icon"),
            (Array("BM".utf8), "image/bmp"), (Array("GIF87a".utf8), "image/gif"),
            (Array("GIF89a".utf8), "image/gif"),
            (Array("RIFF\u{1}\u{2}\u{3}\u{4}WEBPVP".utf8), "image/webp"),
            ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], "image/png"),
            ([0xFF, 0xD8, 0xFF], "image/jpeg"),
            (Array("FORM\u{1}\u{2}\u{3}\u{4}AIFF".utf8), "audio/aiff"), (Array("ID3".utf8), "audio/mpeg"),
            (Array("OggS\0".utf8), "application/ogg"), (Array("MThd\0\0\0\u{6}".utf8), "audio/midi"),
            (Array("RIFF\u{1}\u{2}\u{3}\u{4}AVI ".utf8), "video/avi"),
            (Array("RIFF\u{1}\u{2}\u{3}\u{4}WAVE".utf8), "audio/wave"),
            ([0x1F, 0x8B, 0x08], "application/x-gzip"), (Array("PK\u{3}\u{4}".utf8), "application/zip"),
            (Array("Rar!\u{1A}\u{7}\0".utf8), "application/x-rar-compressed"),
            (Array("<?xml".utf8), "text/xml"), (Array("%PDF-".utf8), "application/pdf"),
            (Array("%!PS-Adobe-".utf8), "application/postscript"), ([0xEF, 0xBB, 0xBF, 0x00], "text/plain"),
            ([0xFE, 0xFF, 0x00, 0x00], "text/plain"), ([0xFF, 0xFE, 0x00, 0x00], "text/plain"),
        ] as [([UInt8], String)]
    )
    func signatures(header: [UInt8], expected: String) {
        let neutral = ["text/plain", "application/octet-stream"]
        #expect(computed(nil, header) == expected)
        #expect(computed(nil, header + [0x00]) == expected)
        if !neutral.contains(expected) { #expect(neutral.contains(computed(nil, header.dropLast()))) }
        #expect(neutral.contains(computed(nil, [0x61] + header)))
    }

    @Test("Whitespace is skipped before tags and XML, not before PDF")
    func leadingWhitespace() {
        #expect(computed(nil, " <?xml") == "text/xml")
        #expect(computed(nil, "<?XML") == "text/plain")
        #expect(computed(nil, " %PDF-") == "text/plain")
        #expect(computed(nil, "      ") == "text/plain")
    }

    @Test("Bytes that text does not have make a binary")
    func binaryDataBytes() {
        for byte in UInt8.min...UInt8.max {
            let isBinary = byte < 0x20 && ![0x09, 0x0A, 0x0C, 0x0D, 0x1B].contains(byte)
            #expect(computed(nil, [0x61, byte]) == (isBinary ? "application/octet-stream" : "text/plain"))
        }
    }

    @Test("Bytes past the resource header do not count")
    func resourceHeader() {
        let text = [UInt8](repeating: 0x61, count: 1445)
        #expect(computed(nil, text + [0x00]) == "text/plain")
        #expect(computed(nil, text.dropLast() + [0x00]) == "application/octet-stream")
    }

    @Test(
        "Fonts are matched where fonts are looked for",
        arguments: [
            ([UInt8](repeating: 0x00, count: 34) + Array("LP".utf8), "application/vnd.ms-fontobject"),
            ([0x00, 0x01, 0x00, 0x00], "font/ttf"), (Array("OTTO".utf8), "font/otf"),
            (Array("ttcf".utf8), "font/collection"), (Array("wOFF".utf8), "font/woff"),
            (Array("wOF2".utf8), "font/woff2"), (Array("wOF".utf8), nil), ([], nil),
        ] as [([UInt8], String?)]
    )
    func fonts(header: [UInt8], expected: String?) {
        #expect(MIMESniffing.fontType(header.span)?.description == expected)
    }

    // MARK: - MP4, WebM, MP3

    // Macros of the test library cannot hold spans.

    private func isMP4(_ header: [UInt8]) -> Bool { MIMESniffing.isMP4(header.span) }

    private func isWebM(_ header: [UInt8]) -> Bool { MIMESniffing.isWebM(header.span) }

    private func isMP3(_ header: [UInt8]) -> Bool { MIMESniffing.isMP3WithoutID3(header.span) }

    private func box(_ size: UInt8, _ brands: String) -> [UInt8] {
        [0, 0, 0, size] + Array("ftyp".utf8) + Array(brands.utf8)
    }

    @Test("MP4 is known by its major brand or a compatible one")
    func mp4() {
        #expect(isMP4(box(12, "mp42")))
        #expect(isMP4(box(24, "isom\0\0\u{2}\0isommp41")))
        #expect(computed(nil, box(24, "isom\0\0\u{2}\0isommp41")) == "video/mp4")
        #expect(!isMP4(box(20, "isom\0\0\u{2}\0isommp41")), "outside of the box")
        #expect(!isMP4(box(16, "isommp41")), "a version is no brand")
        #expect(!isMP4(box(28, "isom\0\0\u{2}\0isommp41")), "the box is cut off")
        #expect(!isMP4(box(13, "mp42x")), "no multiple of four")
        #expect(!isMP4(box(11, "mp4")), "too short")
        #expect(!isMP4([0xFF, 0xFF, 0xFF, 0xFC, 0x66, 0x74, 0x79, 0x70, 0x6D, 0x70, 0x34, 0x32]))
    }

    private let ebml: [UInt8] = [0x1A, 0x45, 0xDF, 0xA3]

    @Test(
        "WebM is known by its document type",
        arguments: [
            ([0x9F, 0x42, 0x82, 0x84], "webm", true), ([0x42, 0x82, 0x40, 0x04], "webm", true),
            ([0x42, 0x82, 0x86, 0x00, 0x00], "webm", true), ([0x42, 0x82, 0x88], "matroska", false),
            ([0x42, 0x86, 0x84], "webm", false), ([0x42, 0x82, 0x84], "web", false),
            ([0x42, 0x82], "", false),
            ([0x42], "", false), ([0x42, 0x82, 0x00], "", false), ([], "", false),
            ([UInt8](repeating: 0xEC, count: 31) + [0x42, 0x82, 0x84], "webm", true),
            ([UInt8](repeating: 0xEC, count: 34) + [0x42, 0x82, 0x84], "webm", false),
        ] as [([UInt8], String, Bool)]
    )
    func webM(element: [UInt8], documentType: String, expected: Bool) {
        let header = ebml + element + Array(documentType.utf8) + (documentType.isEmpty ? [] : [0x42])
        #expect(isWebM(header) == expected)
    }

    @Test(
        "MP3 is known by two frames in a row",
        arguments: [
            // MPEG-1, 128 kbit/s, 44,100 Hz: 417 bytes, 418 with padding.
            ([0xFF, 0xFB, 0x90, 0x00], 417, true), ([0xFF, 0xFB, 0x90, 0x00], 418, false),
            ([0xFF, 0xFB, 0x92, 0x00], 418, true),
            // MPEG-2, 64 kbit/s, 22,050 Hz: 72 * 64000 / 22050 = 208.
            ([0xFF, 0xF3, 0x80, 0x00], 208, true),
            // MPEG-2.5, 16 kbit/s, 8000 Hz: 72 * 16000 / 8000 = 144.
            ([0xFF, 0xE3, 0x28, 0x00], 144, true),
            // Layer II, reserved rates, the free format, half a sync word.
            ([0xFF, 0xFD, 0x90, 0x00], 417, false), ([0xFF, 0xFB, 0xF0, 0x00], 417, false),
            ([0xFF, 0xFB, 0x9C, 0x00], 417, false), ([0xFF, 0xFB, 0x00, 0x00], 417, false),
            ([0xFE, 0xFB, 0x90, 0x00], 417, false), ([0xFF, 0x1B, 0x90, 0x00], 417, false),
        ] as [([UInt8], Int, Bool)]
    )
    func mp3(frameHeader: [UInt8], size: Int, expected: Bool) {
        let frame = frameHeader + [UInt8](repeating: 0x55, count: size - 4)
        #expect(isMP3(frame + frame) == expected)
        #expect(!isMP3(frame), "one frame is not enough")
        #expect(!isMP3(frame + frame.prefix(3)))
    }

    @Test("Bytes at random and cut anywhere never trap")
    func hostile() {
        var generator = SeededGenerator(seed: 20_26)
        let starts = [
            ebml, ebml + [0x42, 0x82], box(200, "isom"), [0xFF, 0xFB, 0x90], [0xFF, 0xE3, 0xE4], [0x3C],
        ]
        for start in starts {
            for length in 0..<400 {
                let header = start + (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
                _ = computed(nil, header)
            }
        }
    }
}
