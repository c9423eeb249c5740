extension MIMESniffing {
    /// A byte pattern at the start of a resource that identifies its type.
    ///
    /// [MIME Sniffing: matching a MIME type
    /// pattern](https://mimesniff.spec.whatwg.org/#matching-a-mime-type-pattern)
    struct Signature: Sendable {
        let pattern: [UInt8]

        /// The bits of each byte that count: all, none, or all except the one that distinguishes ASCII upper
        /// and lower case.
        let mask: [UInt8]

        /// Whether whitespace may precede the pattern.
        let ignoresLeadingWhitespace: Bool

        /// Whether a tag-terminating byte, a space or `>`, must follow the pattern.
        let needsTagTerminatingByte: Bool

        let type: MediaType

        /// A signature in which all bytes count, except those given as nil.
        init(_ bytes: [UInt8?], _ type: MediaType, ignoresLeadingWhitespace: Bool = false) {
            pattern = bytes.map { $0 ?? 0 }
            mask = bytes.map { $0 == nil ? 0x00 : 0xFF }
            self.ignoresLeadingWhitespace = ignoresLeadingWhitespace
            needsTagTerminatingByte = false
            self.type = type
        }

        /// The start of a tag, a comment or a DOCTYPE of HTML; letters, in uppercase here, match in any case.
        init(htmlMarkup text: StaticString) {
            pattern = Array(text.description.utf8)
            mask = pattern.map { (0x41...0x5A).contains($0) ? 0xDF : 0xFF }
            ignoresLeadingWhitespace = true
            needsTagTerminatingByte = true
            type = .textHTML
        }

        /// The pattern matching algorithm.
        func matches(_ input: Span<UInt8>) -> Bool {
            let length = pattern.count + (needsTagTerminatingByte ? 1 : 0)
            var start = 0
            if ignoresLeadingWhitespace {
                while start < input.count, input[start].isASCIIWhitespace { start += 1 }
            }
            guard input.count - start >= length else { return false }
            for index in pattern.indices where input[start + index] & mask[index] != pattern[index] {
                return false
            }
            guard needsTagTerminatingByte else { return true }
            let last = input[start + pattern.count]
            return last == UInt8(ascii: " ") || last == UInt8(ascii: ">")
        }

        /// The type of the first signature that matches, or nil.
        static func firstMatch(in signatures: [Signature], _ input: Span<UInt8>) -> MediaType? {
            for signature in signatures where signature.matches(input) { return signature.type }
            return nil
        }
    }
}

// MARK: - The standard's tables

extension MIMESniffing.Signature {
    private static func ascii(_ text: StaticString) -> [UInt8?] {
        text.description.utf8.map { $0 }
    }

    /// Bytes that may be anything.
    private static func any(_ count: Int) -> [UInt8?] {
        Array(repeating: nil, count: count)
    }

    /// Types that may run script: HTML, XML and PDF.
    static let scriptable: [Self] =
        ([
            "<!DOCTYPE HTML", "<HTML", "<HEAD", "<SCRIPT", "<IFRAME", "<H1", "<DIV", "<FONT", "<TABLE", "<A",
            "<STYLE", "<TITLE", "<B", "<BODY", "<BR", "<P", "<!--",
        ] as [StaticString]).map { Self(htmlMarkup: $0) } + [
            Self(ascii("<?xml"), .textXML, ignoresLeadingWhitespace: true),
            Self(ascii("%PDF-"), MediaType(type: "application", subtype: "pdf")),
        ]

    /// PostScript, and text with a byte order mark.
    static let unscriptable: [Self] = [
        Self(ascii("%!PS-Adobe-"), MediaType(type: "application", subtype: "postscript")),
        Self([0xFE, 0xFF] + any(2), .textPlain),
        Self([0xFF, 0xFE] + any(2), .textPlain),
        Self([0xEF, 0xBB, 0xBF] + any(1), .textPlain),
    ]

    static let images: [Self] = [
        Self([0x00, 0x00, 0x01, 0x00], MediaType(type: "image", subtype: "x-icon")),
        Self([0x00, 0x00, 0x02, 0x00], MediaType(type: "image", subtype: "x-icon")),
        Self(ascii("BM"), MediaType(type: "image", subtype: "bmp")),
        Self(ascii("GIF87a"), MediaType(type: "image", subtype: "gif")),
        Self(ascii("GIF89a"), MediaType(type: "image", subtype: "gif")),
        Self(ascii("RIFF") + any(4) + ascii("WEBPVP"), MediaType(type: "image", subtype: "webp")),
        Self([0x89] + ascii("PNG\r\n\u{1A}\n"), MediaType(type: "image", subtype: "png")),
        Self([0xFF, 0xD8, 0xFF], MediaType(type: "image", subtype: "jpeg")),
    ]

    static let audioAndVideo: [Self] = [
        Self(ascii("FORM") + any(4) + ascii("AIFF"), MediaType(type: "audio", subtype: "aiff")),
        Self(ascii("ID3"), MediaType(type: "audio", subtype: "mpeg")),
        Self(ascii("OggS\0"), MediaType(type: "application", subtype: "ogg")),
        Self(ascii("MThd\0\0\0\u{06}"), MediaType(type: "audio", subtype: "midi")),
        Self(ascii("RIFF") + any(4) + ascii("AVI "), MediaType(type: "video", subtype: "avi")),
        Self(ascii("RIFF") + any(4) + ascii("WAVE"), MediaType(type: "audio", subtype: "wave")),
    ]

    static let fonts: [Self] = [
        Self(any(34) + ascii("LP"), MediaType(type: "application", subtype: "vnd.ms-fontobject")),
        Self([0x00, 0x01, 0x00, 0x00], MediaType(type: "font", subtype: "ttf")),
        Self(ascii("OTTO"), MediaType(type: "font", subtype: "otf")),
        Self(ascii("ttcf"), MediaType(type: "font", subtype: "collection")),
        Self(ascii("wOFF"), MediaType(type: "font", subtype: "woff")),
        Self(ascii("wOF2"), MediaType(type: "font", subtype: "woff2")),
    ]

    static let archives: [Self] = [
        Self([0x1F, 0x8B, 0x08], MediaType(type: "application", subtype: "x-gzip")),
        Self(ascii("PK\u{03}\u{04}"), MediaType(type: "application", subtype: "zip")),
        Self(ascii("Rar!\u{1A}\u{07}\0"), MediaType(type: "application", subtype: "x-rar-compressed")),
    ]
}
