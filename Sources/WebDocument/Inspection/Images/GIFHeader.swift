/// Reads the size of a GIF image: that of its logical screen.
///
/// [GIF89a, section 18](https://www.w3.org/Graphics/GIF/spec-gif89a.txt)
enum GIFHeader {
    static func read(_ file: ImageBytes) -> ImageHeader? {
        guard file.has("GIF87a", at: 0) || file.has("GIF89a", at: 0), let width = file.littleEndian(6, 2),
            let height = file.littleEndian(8, 2)
        else { return nil }
        return ImageHeader(.gif, width: width, height: height)
    }
}
