/// The format and the size of an image, read from its first bytes.
///
/// Any bytes can be read, in O(n) of their number at most. An image that is cut off before its size has no
/// header.
public struct ImageHeader: Hashable, Sendable, Codable {
    /// A format of images.
    public enum Format: String, Sendable, Codable, CaseIterable {
        /// AVIF.
        case avif
        /// GIF.
        case gif
        /// JPEG.
        case jpeg
        /// PNG, animated or not.
        case png
        /// SVG, which is a text.
        case svg
        /// WebP, of any kind.
        case webp
    }

    /// The format.
    public let format: Format

    /// The width as browsers show it by default, in pixels; nil for an SVG image that states none.
    ///
    /// The orientation that the image states is applied. The width of SVG is in CSS pixels, and may have a
    /// fraction.
    public let width: Double?

    /// The height, as ``width``.
    public let height: Double?

    /// Width by height: of the size, or of the `viewBox` of an SVG image that states no size; nil without either.
    public let aspectRatio: Double?

    /// Whether width and height are swapped in the file, by its EXIF orientation or its `irot`.
    public let isTurned: Bool

    /// Reads an image's first bytes, or all of them; nil for other formats, and where the size is missing or 0.
    ///
    /// - Parameter bytes: The bytes; of JPEG, AVIF and SVG the size may stand some hundred kilobytes in.
    public init?(_ bytes: [UInt8]) {
        let file = ImageBytes(bytes)
        let header =
            PNGHeader.read(file) ?? JPEGHeader.read(file) ?? GIFHeader.read(file) ?? WebPHeader.read(file)
            ?? AVIFHeader.read(file) ?? SVGHeader.read(file)
        guard let header else { return nil }
        self = header
    }

    /// The header of an image of whole pixels; nil where one side is 0.
    init?(_ format: Format, width: Int, height: Int, isTurned: Bool = false) {
        guard width > 0, height > 0 else { return nil }
        self.format = format
        self.width = Double(isTurned ? height : width)
        self.height = Double(isTurned ? width : height)
        self.isTurned = isTurned
        aspectRatio = isTurned ? Double(height) / Double(width) : Double(width) / Double(height)
    }

    /// The header of an image of SVG.
    init(svgWidth width: Double?, height: Double?, viewBoxRatio: Double?) {
        format = .svg
        self.width = width
        self.height = height
        isTurned = false
        if let width, let height, width > 0, height > 0 {
            aspectRatio = width / height
        } else {
            aspectRatio = viewBoxRatio
        }
    }
}
