/// Reads the size of an SVG image from its outermost element.
///
/// It reads no further than that element's tag, and does not replace entities: a size written with them is
/// ignored.
///
/// [SVG 2: the intrinsic sizing properties](https://www.w3.org/TR/SVG2/coords.html#SizingSVGInCSS)
enum SVGHeader {
    static func read(_ file: ImageBytes) -> ImageHeader? {
        var scanner = SVGTagScanner(file.bytes)
        guard let attributes = scanner.rootAttributes() else { return nil }
        var width: Double?
        var height: Double?
        var ratio: Double?
        for (name, value) in attributes {
            switch name {
            case "width": width = length(value)
            case "height": height = length(value)
            case "viewBox": ratio = viewBoxRatio(value)
            default: break
            }
        }
        return ImageHeader(svgWidth: width, height: height, viewBoxRatio: ratio)
    }

    /// An absolute length in CSS pixels; nil for a percentage, and for a unit that depends on a font.
    private static func length(_ text: String) -> Double? {
        let value = text.collapsingASCIIWhitespace
        let digits = value.utf8.prefix {
            $0.isASCIIDigit || $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "+")
        }
        guard let number = Double(String(Substring(digits))), number.isFinite else { return nil }
        let factor: Double
        switch String(asciiLowercasing: value.utf8.dropFirst(digits.count)) {
        case "", "px": factor = 1
        case "in": factor = 96
        case "cm": factor = 96 / 2.54
        case "mm": factor = 96 / 25.4
        case "q": factor = 96 / 101.6
        case "pt": factor = 96.0 / 72
        case "pc": factor = 16
        default: return nil
        }
        let pixels = number * factor
        return pixels.isFinite ? pixels : nil
    }

    /// Width by height of a `viewBox`; nil where it is invalid, or one side is 0.
    private static func viewBoxRatio(_ text: String) -> Double? {
        let words = text.utf8.split { $0.isASCIIWhitespace || $0 == UInt8(ascii: ",") }
        guard words.count == 4, let width = Double(String(Substring(words[2]))),
            let height = Double(String(Substring(words[3]))), width.isFinite, height.isFinite, width > 0,
            height > 0
        else { return nil }
        return width / height
    }
}
