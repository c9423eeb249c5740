/// Determines the MIME type of a resource from the server's type and from its first bytes.
///
/// All image, audio and video types count as supported by the user agent: the loader returns every type.
///
/// [MIME Sniffing Standard](https://mimesniff.spec.whatwg.org/)
package enum MIMESniffing {
    /// How many bytes of a resource are examined; further bytes of a `header` argument are ignored.
    ///
    /// [MIME Sniffing: reading the resource
    /// header](https://mimesniff.spec.whatwg.org/#read-the-resource-header)
    package static let resourceHeaderLength = 1445

    /// The computed MIME type of a resource.
    ///
    /// - Parameters:
    ///   - supplied: the type its server gave, or nil without a valid one.
    ///   - isApacheBug: the check-for-apache-bug flag, see ``isApacheBug(contentTypeField:)``.
    ///   - noSniff: the no-sniff flag, see ``isNoSniff(contentTypeOptionsFields:)``.
    ///   - header: the first 1445 bytes of the resource, or all of a shorter one.
    /// - Returns: the supplied type, or the type that the bytes indicate.
    ///
    /// [MIME Sniffing: the MIME type sniffing
    /// algorithm](https://mimesniff.spec.whatwg.org/#mime-type-sniffing-algorithm)
    package static func computedType(
        supplied: MediaType?,
        isApacheBug: Bool,
        noSniff: Bool,
        header: Span<UInt8>
    ) -> MediaType {
        let header = header.extracting(first: resourceHeaderLength)
        // 2. An unknown type. (Before step 1 here, which needs a type.)
        guard let supplied, !isUnknown(supplied) else {
            return unknownType(header, sniffScriptable: !noSniff)
        }
        // 1. XML and HTML are what they say they are.
        if supplied.isXML || supplied.isHTML { return supplied }
        // 3. The server forbids sniffing.
        if noSniff { return supplied }
        // 4. Text that may be a mislabeled binary.
        if isApacheBug { return textOrBinary(header) }
        // 5.-6. One image may turn out to be another.
        if supplied.isImage, let matched = imageType(header) { return matched }
        // 7.-8. So may audio and video.
        if supplied.isAudioOrVideo, let matched = audioOrVideoType(header) { return matched }
        // 9.
        return supplied
    }

    /// The computed MIME type of a resource; see the overload that takes a span.
    static func computedType(
        supplied: MediaType?,
        isApacheBug: Bool,
        noSniff: Bool,
        header: [UInt8]
    ) -> MediaType {
        computedType(supplied: supplied, isApacheBug: isApacheBug, noSniff: noSniff, header: header.span)
    }

    /// Whether the value of the last Content-Type field line is a default that old Apache servers send for
    /// all files.
    ///
    /// The comparison is of exact bytes.
    ///
    /// [MIME Sniffing: supplied MIME type detection
    /// algorithm](https://mimesniff.spec.whatwg.org/#supplied-mime-type-detection-algorithm)
    package static func isApacheBug(contentTypeField: String) -> Bool {
        switch contentTypeField {
        case "text/plain", "text/plain; charset=ISO-8859-1", "text/plain; charset=iso-8859-1",
            "text/plain; charset=UTF-8":
            true
        default:
            false
        }
    }

    /// Whether the X-Content-Type-Options field lines set the no-sniff flag.
    ///
    /// [Fetch: determine nosniff](https://fetch.spec.whatwg.org/#determine-nosniff)
    package static func isNoSniff(contentTypeOptionsFields lines: [String]) -> Bool {
        guard let first = MediaType.fieldValues(decodingAndSplitting: lines).first else { return false }
        return first.utf8.lazy.map(\.asciiLowercased).elementsEqual("nosniff".utf8)
    }

    /// Whether a type says so little that the bytes decide; nil for a type that is missing or not valid.
    package static func isUndetermined(_ type: MediaType?) -> Bool { type.map(isUnknown) ?? true }

    // MARK: - The steps

    private static func isUnknown(_ type: MediaType) -> Bool {
        type.isEssence("unknown", "unknown") || type.isEssence("application", "unknown")
            || type.isEssence("*", "*")
    }

    /// The type determined from the bytes only.
    ///
    /// [Rules for identifying an unknown MIME
    /// type](https://mimesniff.spec.whatwg.org/#rules-for-identifying-an-unknown-mime-type)
    private static func unknownType(_ header: Span<UInt8>, sniffScriptable: Bool) -> MediaType {
        // 1. Types that may run script.
        if sniffScriptable, let matched = Signature.firstMatch(in: Signature.scriptable, header) {
            return matched
        }
        // 2. PostScript and byte order marks.
        if let matched = Signature.firstMatch(in: Signature.unscriptable, header) { return matched }
        // 3.-8. Images, audio and video, archives.
        if let matched = imageType(header) { return matched }
        if let matched = audioOrVideoType(header) { return matched }
        if let matched = archiveType(header) { return matched }
        // 9.-10. Text or not.
        return containsBinaryDataByte(header) ? .applicationOctetStream : .textPlain
    }

    /// Plain text unless the bytes cannot be text; never a type that may run script.
    ///
    /// [Rules for distinguishing if a resource is text or
    /// binary](https://mimesniff.spec.whatwg.org/#rules-for-text-or-binary)
    private static func textOrBinary(_ header: Span<UInt8>) -> MediaType {
        if starts(header, with: [0xFE, 0xFF]) || starts(header, with: [0xFF, 0xFE])
            || starts(header, with: [0xEF, 0xBB, 0xBF])
        {
            return .textPlain
        }
        return containsBinaryDataByte(header) ? .applicationOctetStream : .textPlain
    }

    private static func starts(_ header: Span<UInt8>, with prefix: [UInt8]) -> Bool {
        guard header.count >= prefix.count else { return false }
        return prefix.indices.allSatisfy { header[$0] == prefix[$0] }
    }

    /// Whether a binary data byte is among the bytes: a control character that does not occur in text.
    private static func containsBinaryDataByte(_ header: Span<UInt8>) -> Bool {
        for index in header.indices {
            switch header[index] {
            case 0x00...0x08, 0x0B, 0x0E...0x1A, 0x1C...0x1F: return true
            default: continue
            }
        }
        return false
    }

    /// The image type that the bytes indicate, or nil.
    ///
    /// [Matching an image type
    /// pattern](https://mimesniff.spec.whatwg.org/#image-type-pattern-matching-algorithm)
    static func imageType(_ header: Span<UInt8>) -> MediaType? {
        Signature.firstMatch(in: Signature.images, header.extracting(first: resourceHeaderLength))
    }

    /// The audio or video type that the bytes indicate, or nil.
    ///
    /// [Matching an audio or video type
    /// pattern](https://mimesniff.spec.whatwg.org/#audio-or-video-type-pattern-matching-algorithm)
    static func audioOrVideoType(_ header: Span<UInt8>) -> MediaType? {
        let header = header.extracting(first: resourceHeaderLength)
        if let matched = Signature.firstMatch(in: Signature.audioAndVideo, header) { return matched }
        if isMP4(header) { return MediaType(type: "video", subtype: "mp4") }
        if isWebM(header) { return MediaType(type: "video", subtype: "webm") }
        if isMP3WithoutID3(header) { return MediaType(type: "audio", subtype: "mpeg") }
        return nil
    }

    /// The font type that the bytes indicate, or nil.
    ///
    /// [Matching a font type
    /// pattern](https://mimesniff.spec.whatwg.org/#font-type-pattern-matching-algorithm)
    static func fontType(_ header: Span<UInt8>) -> MediaType? {
        Signature.firstMatch(in: Signature.fonts, header.extracting(first: resourceHeaderLength))
    }

    /// The archive type that the bytes indicate, or nil.
    ///
    /// [Matching an archive type
    /// pattern](https://mimesniff.spec.whatwg.org/#archive-type-pattern-matching-algorithm)
    static func archiveType(_ header: Span<UInt8>) -> MediaType? {
        Signature.firstMatch(in: Signature.archives, header.extracting(first: resourceHeaderLength))
    }
}
