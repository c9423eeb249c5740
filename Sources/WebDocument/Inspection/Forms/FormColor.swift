import WebStandards

/// The value of a colour field: a CSS colour as `#rrggbb`, black if the text is not a colour.
///
/// [Update a colour well control
/// colour](https://html.spec.whatwg.org/multipage/input.html#update-a-color-well-control-color), for hexadecimal
/// colours, names, `rgb()`, `hsl()` and `hwb()`; those of other colour spaces are black. Transparency is discarded.
struct FormColor {
    /// The colour as `#rrggbb`.
    let text: String

    init(_ text: String) {
        self.text = "#\(Self.hexadecimal(Self.trimmed(text)) ?? "000000")"
    }

    private static func trimmed(_ text: String) -> String {
        var scanner = FieldScanner(String(asciiLowercasing: text.utf8))
        scanner.trim(while: \.isASCIIWhitespace)
        return scanner.text(scanner.position..<scanner.end)
    }

    /// The six digits; nil for what is no colour.
    private static func hexadecimal(_ text: String) -> String? {
        if text.utf8.first == UInt8(ascii: "#") { return digits(Array(text.utf8.dropFirst())) }
        if let open = text.utf8.firstIndex(of: UInt8(ascii: "(")), text.utf8.last == UInt8(ascii: ")") {
            let inner = text[text.utf8.index(after: open)...].dropLast()
            return function(String(text[..<open]), String(inner)).map(digits)
        }
        if text == "transparent" { return "000000" }
        let words = names.split(separator: " ")
        guard let index = words.firstIndex(where: { $0 == text }), index.isMultiple(of: 2) else { return nil }
        return String(words[index + 1])
    }

    /// The digits of `#rgb`, `#rgba`, `#rrggbb` and `#rrggbbaa` as six.
    private static func digits(_ bytes: [UInt8]) -> String? {
        guard bytes.allSatisfy({ $0.isASCIIDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 }) else {
            return nil
        }
        switch bytes.count {
        case 3, 4: return String(decoding: bytes.prefix(3).flatMap { [$0, $0] }, as: UTF8.self)
        case 6, 8: return String(decoding: bytes.prefix(6), as: UTF8.self)
        default: return nil
        }
    }

    /// Three parts of 0 to 1 as digits.
    private static func digits(_ parts: [Double]) -> String {
        parts.map { part in
            let byte = UInt8(clamping: Int(bounded: (min(max(part, 0), 1) * 255).rounded()))
            return (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }.joined()
    }

    // MARK: - Functions

    /// Red, green and blue of a function, each of 0 to 1.
    private static func function(_ name: String, _ arguments: String) -> [Double]? {
        let words = arguments.utf8.split {
            $0.isASCIIWhitespace || $0 == UInt8(ascii: ",") || $0 == UInt8(ascii: "/")
        }
        .map { String(Substring($0)) }
        guard words.count == 3 || words.count == 4 else { return nil }
        if name == "rgb" || name == "rgba" {
            let parts = words.prefix(3).map { part($0, of: 255) }
            guard let red = parts[0], let green = parts[1], let blue = parts[2] else { return nil }
            return [red, green, blue]
        }
        guard let hue = hue(words[0]), let second = part(words[1], of: 100),
            let third = part(words[2], of: 100)
        else { return nil }
        switch name {
        case "hsl", "hsla":
            return rgb(hue: hue, saturation: min(max(second, 0), 1), lightness: min(max(third, 0), 1))
        case "hwb":
            let (white, black) = (max(second, 0), max(third, 0))
            if white + black >= 1 { return Array(repeating: white / (white + black), count: 3) }
            return rgb(hue: hue, saturation: 1, lightness: 0.5).map { $0 * (1 - white - black) + white }
        default: return nil
        }
    }

    /// A number or a percentage as a part of its range.
    private static func part(_ text: String, of range: Double) -> Double? {
        if text == "none" { return 0 }
        if text.utf8.last == UInt8(ascii: "%") {
            return InputValue(String(text.dropLast()), .number).map { $0.number / 100 }
        }
        return InputValue(text, .number).map { $0.number / range }
    }

    /// An angle in degrees, 0 to 360.
    private static func hue(_ text: String) -> Double? {
        if text == "none" { return 0 }
        let units: [(String, Double)] = [("deg", 1), ("grad", 0.9), ("rad", 180 / .pi), ("turn", 360)]
        let unit = units.first { text.hasSuffix($0.0) }
        guard let number = InputValue(String(text.dropLast(unit?.0.utf8.count ?? 0)), .number)?.number else {
            return nil
        }
        let degrees = (number * (unit?.1 ?? 1)).truncatingRemainder(dividingBy: 360)
        return degrees < 0 ? degrees + 360 : degrees
    }

    /// [HSL to sRGB](https://drafts.csswg.org/css-color/#hsl-to-rgb).
    private static func rgb(hue: Double, saturation: Double, lightness: Double) -> [Double] {
        [0.0, 8, 4].map { shift in
            let place = (shift + hue / 30).truncatingRemainder(dividingBy: 12)
            let reach = saturation * min(lightness, 1 - lightness)
            return lightness - reach * max(-1, min(place - 3, 9 - place, 1))
        }
    }

    /// [Named colours](https://drafts.csswg.org/css-color/#named-colors), each with its digits.
    private static let names = """
        aliceblue f0f8ff antiquewhite faebd7 aqua 00ffff aquamarine 7fffd4 azure f0ffff beige f5f5dc \
        bisque ffe4c4 black 000000 blanchedalmond ffebcd blue 0000ff blueviolet 8a2be2 brown a52a2a \
        burlywood deb887 cadetblue 5f9ea0 chartreuse 7fff00 chocolate d2691e coral ff7f50 \
        cornflowerblue 6495ed cornsilk fff8dc crimson dc143c cyan 00ffff darkblue 00008b \
        darkcyan 008b8b darkgoldenrod b8860b darkgray a9a9a9 darkgreen 006400 darkgrey a9a9a9 \
        darkkhaki bdb76b darkmagenta 8b008b darkolivegreen 556b2f darkorange ff8c00 \
        darkorchid 9932cc darkred 8b0000 darksalmon e9967a darkseagreen 8fbc8f darkslateblue 483d8b \
        darkslategray 2f4f4f darkslategrey 2f4f4f darkturquoise 00ced1 darkviolet 9400d3 \
        deeppink ff1493 deepskyblue 00bfff dimgray 696969 dimgrey 696969 dodgerblue 1e90ff \
        firebrick b22222 floralwhite fffaf0 forestgreen 228b22 fuchsia ff00ff gainsboro dcdcdc \
        ghostwhite f8f8ff gold ffd700 goldenrod daa520 gray 808080 green 008000 greenyellow adff2f \
        grey 808080 honeydew f0fff0 hotpink ff69b4 indianred cd5c5c indigo 4b0082 ivory fffff0 \
        khaki f0e68c lavender e6e6fa lavenderblush fff0f5 lawngreen 7cfc00 lemonchiffon fffacd \
        lightblue add8e6 lightcoral f08080 lightcyan e0ffff lightgoldenrodyellow fafad2 \
        lightgray d3d3d3 lightgreen 90ee90 lightgrey d3d3d3 lightpink ffb6c1 lightsalmon ffa07a \
        lightseagreen 20b2aa lightskyblue 87cefa lightslategray 778899 lightslategrey 778899 \
        lightsteelblue b0c4de lightyellow ffffe0 lime 00ff00 limegreen 32cd32 linen faf0e6 \
        magenta ff00ff maroon 800000 mediumaquamarine 66cdaa mediumblue 0000cd mediumorchid ba55d3 \
        mediumpurple 9370db mediumseagreen 3cb371 mediumslateblue 7b68ee mediumspringgreen 00fa9a \
        mediumturquoise 48d1cc mediumvioletred c71585 midnightblue 191970 mintcream f5fffa \
        mistyrose ffe4e1 moccasin ffe4b5 navajowhite ffdead navy 000080 oldlace fdf5e6 olive 808000 \
        olivedrab 6b8e23 orange ffa500 orangered ff4500 orchid da70d6 palegoldenrod eee8aa \
        palegreen 98fb98 paleturquoise afeeee palevioletred db7093 papayawhip ffefd5 \
        peachpuff ffdab9 peru cd853f pink ffc0cb plum dda0dd powderblue b0e0e6 purple 800080 \
        rebeccapurple 663399 red ff0000 rosybrown bc8f8f royalblue 4169e1 saddlebrown 8b4513 \
        salmon fa8072 sandybrown f4a460 seagreen 2e8b57 seashell fff5ee sienna a0522d silver c0c0c0 \
        skyblue 87ceeb slateblue 6a5acd slategray 708090 slategrey 708090 snow fffafa \
        springgreen 00ff7f steelblue 4682b4 tan d2b48c teal 008080 thistle d8bfd8 tomato ff6347 \
        turquoise 40e0d0 violet ee82ee wheat f5deb3 white ffffff whitesmoke f5f5f5 yellow ffff00 \
        yellowgreen 9acd32
        """
}
