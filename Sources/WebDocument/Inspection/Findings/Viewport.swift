/// Reads the content of a viewport's `meta` element.
///
/// <https://drafts.csswg.org/css-viewport/#viewport-meta>
enum Viewport {
    /// Whether people cannot enlarge the page to twice its size.
    static func blocksZoom(_ content: String) -> Bool {
        for property in content.utf8.split(whereSeparator: {
            $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: ";")
        }) {
            let parts = property.split(separator: UInt8(ascii: "="), maxSplits: 1)
            guard parts.count == 2 else { continue }
            let name = String(asciiLowercasing: parts[0]).collapsingASCIIWhitespace
            let value = String(asciiLowercasing: parts[1]).collapsingASCIIWhitespace
            if name == "user-scalable", value == "no" || value == "0" { return true }
            if name == "maximum-scale", let scale = Double(value), scale < 2 { return true }
        }
        return false
    }
}
