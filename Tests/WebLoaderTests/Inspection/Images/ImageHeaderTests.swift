import Testing

@testable import WebDocument

/// Tests of reading the first bytes of images, truncated and damaged ones included.
struct ImageHeaderTests {
    /// A file made by hand.
    struct File: Sendable, CustomTestStringConvertible {
        let name: String
        let bytes: [UInt8]
        /// The expected header, as "png 3x2" or "jpeg 2x3 turned"; `nil` if it is invalid.
        let summary: String?
        var testDescription: String { name }

        init(_ name: String, _ bytes: [UInt8], _ summary: String?) {
            self.name = name
            self.bytes = bytes
            self.summary = summary
        }
    }

    static func summary(_ bytes: [UInt8]) -> String? {
        ImageHeader(bytes).map { header in
            let size = "\(header.width.map { "\($0)" } ?? "-")x\(header.height.map { "\($0)" } ?? "-")"
            let ratio = header.aspectRatio.map { " \(($0 * 1000).rounded() / 1000)" } ?? ""
            return "\(header.format.rawValue) \(size)\(ratio)\(header.isTurned ? " turned" : "")"
        }
    }

    // MARK: - Making files

    private static func big(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] { big(value, count).reversed() }

    private static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        big(data.count, 4) + Array(name.utf8) + data + [0, 0, 0, 0]
    }

    private static func png(_ width: Int, _ height: Int, before: [UInt8] = []) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", big(width, 4) + big(height, 4) + [8, 2, 0, 0, 0]) + before + chunk("IDAT", [1])
    }

    private static func tiff(_ orientation: Int, isLittleEndian: Bool = false) -> [UInt8] {
        let number = isLittleEndian ? little : big
        return Array((isLittleEndian ? "II" : "MM").utf8) + number(42, 2) + number(8, 4) + number(2, 2)
            + number(0x0100, 2) + number(3, 2) + number(1, 4) + number(9, 4)
            + number(0x0112, 2) + number(3, 2) + number(1, 4) + number(orientation, 2) + [0, 0]
    }

    private static func segment(_ marker: UInt8, _ data: [UInt8]) -> [UInt8] {
        [0xFF, marker] + big(data.count + 2, 2) + data
    }

    private static func jpeg(_ segments: [UInt8], frame: UInt8 = 0xC0) -> [UInt8] {
        [0xFF, 0xD8] + segments + segment(frame, [8] + big(2, 2) + big(3, 2) + [1, 1, 0x11, 0])
            + segment(0xDA, [1, 1, 0, 0, 63, 0]) + [0x12, 0x34, 0xFF, 0xD9]
    }

    private static func exif(_ orientation: Int, isLittleEndian: Bool = false) -> [UInt8] {
        segment(0xE1, Array("Exif\0\0".utf8) + tiff(orientation, isLittleEndian: isLittleEndian))
    }

    private static func webp(_ name: String, _ data: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + little(data.count + 12, 4) + Array("WEBP\(name)".utf8) + little(data.count, 4)
            + data
    }

    private static func box(_ name: String, _ contents: [UInt8]) -> [UInt8] {
        big(contents.count + 8, 4) + Array(name.utf8) + contents
    }

    private static func avif(_ properties: [[UInt8]], uses: [UInt8]?, turned: Bool = false) -> [UInt8] {
        let association = uses.map {
            box("ipma", [0, 0, 0, 0] + big(1, 4) + big(7, 2) + [UInt8($0.count)] + $0)
        }
        let meta =
            [0, 0, 0, 0] + box("hdlr", Array(repeating: 0, count: 24))
            + box("pitm", [0, 0, 0, 0] + big(7, 2))
            + box("iprp", box("ipco", properties.flatMap { $0 }) + (association ?? []))
        return box("ftyp", Array("mif1\0\0\0\0avifmiaf".utf8)) + box("meta", meta)
    }

    private static func size(_ width: Int, _ height: Int) -> [UInt8] {
        box("ispe", [0, 0, 0, 0] + big(width, 4) + big(height, 4))
    }

    static let files: [File] = [
        File("png", png(3, 2), "png 3.0x2.0 1.5"),
        File("png turned", png(3, 2, before: chunk("eXIf", tiff(6))), "png 2.0x3.0 0.667 turned"),
        File("png of no width", png(0, 2), nil), File("png too large", png(1 << 31, 2), nil),
        File("jpeg", jpeg([]), "jpeg 3.0x2.0 1.5"),
        File("jpeg progressive", jpeg([], frame: 0xC2), "jpeg 3.0x2.0 1.5"),
        File("jpeg turned", jpeg(exif(6)), "jpeg 2.0x3.0 0.667 turned"),
        File("jpeg turned, little-endian", jpeg(exif(8, isLittleEndian: true)), "jpeg 2.0x3.0 0.667 turned"),
        File("jpeg upside down", jpeg(exif(3)), "jpeg 3.0x2.0 1.5"),
        File("jpeg of orientation 9", jpeg(exif(9)), "jpeg 3.0x2.0 1.5"),
        File("jpeg with fill bytes", jpeg([0xFF, 0xFF] + segment(0xE0, [1, 2])), "jpeg 3.0x2.0 1.5"),
        File("jpeg with garbage", jpeg(segment(0xE0, [1]) + [1, 2, 3]), "jpeg 3.0x2.0 1.5"),
        File("jpeg of a length of 1", jpeg([0xFF, 0xE0, 0, 1]), nil),
        File("jpeg that is all tables", jpeg(segment(0xC4, [9]), frame: 0xC8), nil),
        File("gif", Array("GIF89a".utf8) + little(3, 2) + little(2, 2) + [0, 0, 0], "gif 3.0x2.0 1.5"),
        File("gif of 1987", Array("GIF87a".utf8) + little(300, 2) + little(200, 2), "gif 300.0x200.0 1.5"),
        File(
            "webp lossy",
            webp("VP8 ", [0x10, 0, 0, 0x9D, 0x01, 0x2A] + little(3 | 0x4000, 2) + little(2, 2)),
            "webp 3.0x2.0 1.5"
        ),
        File(
            "webp lossy, no key frame",
            webp("VP8 ", [0x11, 0, 0, 0x9D, 0x01, 0x2A] + little(3, 2) + little(2, 2)),
            nil
        ),
        File("webp lossless", webp("VP8L", [0x2F] + little(2 | 1 << 14 | 1 << 28, 4)), "webp 3.0x2.0 1.5"),
        File("webp extended", webp("VP8X", [0, 0, 0, 0] + little(2, 3) + little(1, 3)), "webp 3.0x2.0 1.5"),
        File("webp of another kind", webp("ALPH", [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]), nil),
        File("avif", avif([size(3, 2)], uses: [1]), "avif 3.0x2.0 1.5"),
        File(
            "avif turned",
            avif([size(9, 9), size(3, 2), box("irot", [1])], uses: [2, 0x83]),
            "avif 2.0x3.0 0.667 turned"
        ),
        File(
            "avif whose rotation is another's",
            avif([size(3, 2), box("irot", [1])], uses: [1]),
            "avif 3.0x2.0 1.5"
        ),
        File(
            "avif without associations",
            avif([size(3, 2), box("irot", [2])], uses: nil),
            "avif 3.0x2.0 1.5"
        ),
        File("heic", box("ftyp", Array("heic\0\0\0\0heic".utf8)) + box("meta", [0, 0, 0, 0]), nil),
        File("svg", Array("<svg width='30' height=\"20px\" viewBox='0 0 1 1'/>".utf8), "svg 30.0x20.0 1.5"),
        File("svg in inches", Array("<svg width='1in' height='2.54cm'></svg>".utf8), "svg 96.0x96.0 1.0"),
        File(
            "svg of percent",
            Array("<svg width='100%' height='2em' viewBox='0,0,30 20'>".utf8),
            "svg -x- 1.5"
        ),
        File("svg without a size", Array("<svg >".utf8), "svg -x-"),
        File("svg with a bad viewBox", Array("<svg viewBox='0 0 0 1'>".utf8), "svg -x-"),
        File(
            "svg behind much",
            Array(
                "\u{FEFF}<?xml version='1.0'?>\n<!-- < svg > --><!DOCTYPE svg [ <!ENTITY a \"]>\"> ]> <s:svg a:width='9' width = '3' height='2'>"
                    .utf8
            ),
            "svg 3.0x2.0 1.5"
        ),
        File("html", Array("<html><svg width=1>".utf8), nil),
        File("svg whose tag does not end", Array("<svg width='3'".utf8), nil),
        File("text", Array("hello".utf8), nil), File("nothing", [], nil),
    ]

    @Test(arguments: files) func saysFormatAndSize(file: File) {
        #expect(Self.summary(file.bytes) == file.summary)
    }

    @Test(arguments: files) func whatIsCutShortSaysTheSameOrNothing(file: File) {
        var known: String?
        for length in 0...file.bytes.count {
            let summary = Self.summary(Array(file.bytes.prefix(length)))
            // Once there is enough, more changes nothing: but an orientation that comes behind the size.
            if let known, !file.name.contains("turned"), !file.name.contains("avif") {
                #expect(summary == known, "\(length)")
            }
            known = summary ?? known
        }
        #expect(known == file.summary || file.summary == nil || file.name.contains("turned"))
    }

    @Test(arguments: files) func anyByteMayBeWrong(file: File) {
        for index in file.bytes.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var bytes = file.bytes
                bytes[index] = value
                let header = ImageHeader(bytes)
                #expect(header?.width.map { $0 > 0 || header?.format == .svg } ?? true)
            }
        }
    }

    @Test func boxesWithoutEndEnd() {
        let boxes = Array(repeating: Self.box("free", []), count: 200_000).flatMap { $0 }
        #expect(ImageHeader(Self.box("ftyp", Array("avif\0\0\0\0".utf8)) + boxes) == nil)
        let chunks = Array(repeating: Self.chunk("tEXt", []), count: 200_000).flatMap { $0 }
        #expect(ImageHeader(Self.png(3, 2, before: chunks))?.width == 3)
        let large = Self.big(1, 4) + Array("ftyp".utf8) + Self.big(Int.max, 8) + Array("avif".utf8)
        #expect(ImageHeader(large) == nil)
        #expect(ImageHeader(Array("<svg ".utf8) + Array(repeating: UInt8(ascii: "a"), count: 1 << 20)) == nil)
        #expect(ImageHeader([0xFF, 0xD8] + Array(repeating: 0xFF, count: 1 << 20)) == nil)
    }
}
