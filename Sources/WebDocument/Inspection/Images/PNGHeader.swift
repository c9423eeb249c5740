/// Reads the size of a PNG image.
///
/// [PNG: image header](https://www.w3.org/TR/png-3/#11IHDR)
enum PNGHeader {
    static func read(_ file: ImageBytes) -> ImageHeader? {
        guard file.bigEndian(0, 4) == 0x8950_4E47, file.bigEndian(4, 4) == 0x0D0A_1A0A,
            file.has("IHDR", at: 12), let width = file.bigEndian(16, 4), let height = file.bigEndian(20, 4),
            width < 1 << 31, height < 1 << 31
        else { return nil }
        return ImageHeader(.png, width: width, height: height, isTurned: isTurned(file))
    }

    /// Whether an `eXIf` chunk before the pixels turns it.
    private static func isTurned(_ file: ImageBytes) -> Bool {
        var offset = 8
        while let length = file.bigEndian(offset, 4), !file.has("IDAT", at: offset + 4) {
            if file.has("eXIf", at: offset + 4) {
                return ExifOrientation.isTurned(file.part(offset + 8, length))
            }
            // Length, type, data and check sum.
            offset += 12 + length
        }
        return false
    }
}
