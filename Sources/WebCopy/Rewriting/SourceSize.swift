/// How wide an image is shown at most, by its `sizes`.
enum SourceSize {
    /// A window that most are not wider than.
    private static let window = 1920.0

    /// The largest of the lengths in CSS pixels, as far as they are written in `px`, `em` or `vw`; the width of a window
    /// where there is none.
    static func largest(_ sizes: String?) -> Double {
        guard let sizes else { return window }
        var largest = 0.0
        for part in sizes.utf8.split(separator: UInt8(ascii: ",")).prefix(64) {
            let words = part.split(whereSeparator: \.isASCIIWhitespace)
            guard let last = words.last else { continue }
            let text = String(decoding: last, as: UTF8.self).lowercased()
            for (unit, factor) in [("px", 1), ("vw", window / 100), ("rem", 16), ("em", 16)] {
                guard text.hasSuffix(unit), let number = Double(text.dropLast(unit.utf8.count)) else {
                    continue
                }
                largest = max(largest, min(number * factor, 100_000))
                break
            }
        }
        return largest > 0 ? largest : window
    }
}
