/// The signatures of audio and video that no byte pattern can express.
extension MIMESniffing {
    private static func hasBytes(_ text: StaticString, at offset: Int, in header: Span<UInt8>) -> Bool {
        let length = text.utf8CodeUnitCount
        guard offset >= 0, header.count - offset >= length else { return false }
        var index = offset
        for byte in text.description.utf8 {
            guard header[index] == byte else { return false }
            index += 1
        }
        return true
    }

    // MARK: - MP4

    /// Whether the first box of an MP4 file is at the start.
    ///
    /// [Signature for MP4](https://mimesniff.spec.whatwg.org/#signature-for-mp4)
    static func isMP4(_ header: Span<UInt8>) -> Bool {
        // 2.-3.
        guard header.count >= 12 else { return false }
        // 4.-5. The size of the first box; it must be within the header.
        let boxSize =
            Int(header[0]) << 24 | Int(header[1]) << 16 | Int(header[2]) << 8 | Int(header[3])
        guard header.count >= boxSize, boxSize.isMultiple(of: 4) else { return false }
        // 6.-7. The major brand.
        guard hasBytes("ftyp", at: 4, in: header) else { return false }
        if hasBytes("mp4", at: 8, in: header) { return true }
        // 8.-9. The compatible brands, behind the major brand's version.
        var bytesRead = 16
        while bytesRead < boxSize {
            if hasBytes("mp4", at: bytesRead, in: header) { return true }
            bytesRead += 4
        }
        return false
    }

    // MARK: - WebM

    /// Whether a WebM file starts here.
    ///
    /// The standard leaves open where the padded sequence ends; here its padding may be as long as the
    /// header.
    ///
    /// [Signature for WebM](https://mimesniff.spec.whatwg.org/#signature-for-webm)
    static func isWebM(_ header: Span<UInt8>) -> Bool {
        let length = header.count
        // 3.-4. The EBML magic number.
        guard length >= 4, header[0] == 0x1A, header[1] == 0x45, header[2] == 0xDF, header[3] == 0xA3 else {
            return false
        }
        // 5.-6. Look for the DocType element.
        var position = 4
        while position < length, position < 38 {
            if length - position >= 2, header[position] == 0x42, header[position + 1] == 0x82 {
                position += 2
                guard position < length else { return false }
                position += vintSize(header, at: position)
                guard position < length - 4 else { return false }
                if matchesPadded("webm", at: position, in: header) { return true }
            }
            position += 1
        }
        return false
    }

    /// How many bytes the EBML variable-size integer at `position` takes: 1 to 8.
    ///
    /// [Parse a vint](https://mimesniff.spec.whatwg.org/#parse-a-vint), of which only the size is used.
    private static func vintSize(_ header: Span<UInt8>, at position: Int) -> Int {
        min(header[position].leadingZeroBitCount + 1, 8)
    }

    /// Whether `text` is at `offset`, after any zero bytes.
    ///
    /// [Matching a padded sequence](https://mimesniff.spec.whatwg.org/#matching-a-padded-sequence)
    private static func matchesPadded(_ text: StaticString, at offset: Int, in header: Span<UInt8>) -> Bool {
        var position = offset
        while position < header.count, header[position] == 0 { position += 1 }
        return hasBytes(text, at: position, in: header)
    }

    // MARK: - MP3

    /// Whether two frames of MP3 follow each other from the start.
    ///
    /// The standard's steps, taken literally, match nothing sensible: they accept half a sync word, take
    /// the wrong one of the two bit rate tables and compare a difference of the wrong sign. They are read
    /// here as MPEG audio (ISO/IEC 11172-3 and 13818-3) defines a frame.
    ///
    /// [Signature for MP3 without ID3](https://mimesniff.spec.whatwg.org/#signature-for-mp3-without-id3)
    static func isMP3WithoutID3(_ header: Span<UInt8>) -> Bool {
        guard matchesMP3Header(header, at: 0) else { return false }
        let skippedBytes = mp3FrameSize(header, at: 0)
        guard skippedBytes >= 4, skippedBytes <= header.count else { return false }
        return matchesMP3Header(header, at: skippedBytes)
    }

    /// Whether an MP3 frame header is at `position`.
    ///
    /// [Match an MP3 header](https://mimesniff.spec.whatwg.org/#match-an-mp3-header)
    private static func matchesMP3Header(_ header: Span<UInt8>, at position: Int) -> Bool {
        guard header.count - position >= 4 else { return false }
        // The sync word: eleven bits set.
        guard header[position] == 0xFF, header[position + 1] & 0xE0 == 0xE0 else { return false }
        // Layer III is 01; 00 is reserved, and the others are not MP3.
        guard (header[position + 1] & 0x06) >> 1 == 1 else { return false }
        // Bit rate and sample rate must not have their reserved values.
        return header[position + 2] >> 4 != 15 && (header[position + 2] & 0x0C) >> 2 != 3
    }

    /// The size in bytes of the frame whose header is at `position`, which must match as an MP3 header.
    ///
    /// [Compute an MP3 frame size](https://mimesniff.spec.whatwg.org/#compute-an-mp3-frame-size)
    private static func mp3FrameSize(_ header: Span<UInt8>, at position: Int) -> Int {
        // 3 is MPEG-1, 2 is MPEG-2, 0 is MPEG-2.5.
        let version = (header[position + 1] & 0x18) >> 3
        let isMPEG1 = version & 1 == 1
        let rates = isMPEG1 ? mpeg1BitRates : mpeg2BitRates
        let rateIndex = Int(header[position + 2] >> 4)
        let frequencyIndex = Int((header[position + 2] & 0x0C) >> 2)
        guard rates.indices.contains(rateIndex), sampleRates.indices.contains(frequencyIndex) else {
            return 0
        }
        var sampleRate = sampleRates[frequencyIndex]
        if version == 2 { sampleRate /= 2 }
        if version == 0 { sampleRate /= 4 }
        let padding = (header[position + 2] & 0x02) >> 1
        return rates[rateIndex] &* (isMPEG1 ? 144 : 72) / sampleRate + Int(padding)
    }

    /// Bits per second by bit rate index; 0 is the free format, whose frames have no size in the header.
    private static let mpeg1BitRates = [
        0, 32000, 40000, 48000, 56000, 64000, 80000, 96000, 112_000, 128_000, 160_000, 192_000, 224_000,
        256_000, 320_000,
    ]

    private static let mpeg2BitRates = [
        0, 8000, 16000, 24000, 32000, 40000, 48000, 56000, 64000, 80000, 96000, 112_000, 128_000, 144_000,
        160_000,
    ]

    private static let sampleRates = [44100, 48000, 32000]
}
