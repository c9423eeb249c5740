/// Reads the size of a WebP image: lossy, lossless, or extended.
///
/// [RFC 9649, section 2](https://www.rfc-editor.org/rfc/rfc9649#section-2)
enum WebPHeader {
    static func read(_ file: ImageBytes) -> ImageHeader? {
        guard file.has("RIFF", at: 0), file.has("WEBP", at: 8) else { return nil }
        if file.has("VP8X", at: 12) { return extended(file) }
        if file.has("VP8L", at: 12) { return lossless(file) }
        if file.has("VP8 ", at: 12) { return lossy(file) }
        return nil
    }

    /// Reads the canvas, each side minus 1 in 24 bits.
    private static func extended(_ file: ImageBytes) -> ImageHeader? {
        guard let width = file.littleEndian(24, 3), let height = file.littleEndian(27, 3) else { return nil }
        return ImageHeader(.webp, width: width + 1, height: height + 1)
    }

    /// Reads the sides, each minus 1 in 14 bits.
    private static func lossless(_ file: ImageBytes) -> ImageHeader? {
        guard file.byte(20) == 0x2F, let bits = file.littleEndian(21, 4) else { return nil }
        return ImageHeader(.webp, width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    }

    /// Reads a key frame's sides in 14 bits each; the bits above them say how they are scaled.
    ///
    /// [RFC 6386, section 9.1](https://www.rfc-editor.org/rfc/rfc6386#section-9.1)
    private static func lossy(_ file: ImageBytes) -> ImageHeader? {
        guard let tag = file.byte(20), tag & 1 == 0, file.bigEndian(23, 3) == 0x9D012A,
            let width = file.littleEndian(26, 2), let height = file.littleEndian(28, 2)
        else { return nil }
        return ImageHeader(.webp, width: width & 0x3FFF, height: height & 0x3FFF)
    }
}
