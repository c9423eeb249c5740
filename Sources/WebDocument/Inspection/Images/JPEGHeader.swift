/// Reads the size of a JPEG image, and its orientation from EXIF data.
///
/// [ITU-T T.81, annex B](https://www.w3.org/Graphics/JPEG/itu-t81.pdf)
enum JPEGHeader {
    static func read(_ file: ImageBytes) -> ImageHeader? {
        guard file.bigEndian(0, 3) == 0xFFD8FF else { return nil }
        var offset = 2
        var isTurned = false
        var hasExif = false
        while true {
            // Between segments, decoders skip bytes that are no marker, and fill bytes.
            while let byte = file.byte(offset), byte != 0xFF { offset += 1 }
            while file.byte(offset) == 0xFF { offset += 1 }
            guard let marker = file.byte(offset) else { return nil }
            offset += 1
            switch marker {
            case 0x00, 0x01, 0xD0...0xD8: continue
            // The pixels, or the end, before any size.
            case 0xD9, 0xDA: return nil
            case 0xC0...0xCF where marker != 0xC4 && marker != 0xC8 && marker != 0xCC:
                guard let height = file.bigEndian(offset + 3, 2), let width = file.bigEndian(offset + 5, 2)
                else { return nil }
                return ImageHeader(.jpeg, width: width, height: height, isTurned: isTurned)
            default: break
            }
            guard let length = file.bigEndian(offset, 2), length >= 2 else { return nil }
            if marker == 0xE1, !hasExif, file.has("Exif\0\0", at: offset + 2) {
                hasExif = true
                isTurned = ExifOrientation.isTurned(file.part(offset + 8, length - 8))
            }
            offset += length
        }
    }
}
