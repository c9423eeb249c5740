import Testing

@testable import WebDocument

/// Colours as fields have them.
@Suite(.timeLimit(.minutes(20)))
struct FormColorTests {
    @Test(
        "A colour is six digits",
        arguments: [
            ("#AbCdEf", "#abcdef"), ("#abc", "#aabbcc"), ("#abcd", "#aabbcc"), ("#11223344", "#112233"),
            (" \n#abc\t", "#aabbcc"), ("red", "#ff0000"), ("RebeccaPurple", "#663399"),
            ("aliceblue", "#f0f8ff"), ("yellowgreen", "#9acd32"), ("transparent", "#000000"),
            ("rgb(1, 2, 3)", "#010203"), ("rgb(1 2 3)", "#010203"), ("rgba(1,2,3,.5)", "#010203"),
            ("rgb(1 2 3 / 50%)", "#010203"), ("rgb(100% 50% 0%)", "#ff8000"),
            ("RGB(300, -5, 1.6)", "#ff0002"), ("rgb(none 1 2)", "#000102"),
            ("hsl(120, 100%, 50%)", "#00ff00"), ("hsl(120deg 100% 25%)", "#008000"),
            ("hsl(0.5turn 100 50)", "#00ffff"), ("hsl(-120 100% 50%)", "#0000ff"),
            ("hsla(480, 100%, 50%, 1)", "#00ff00"), ("hsl(200grad 100% 50%)", "#00ffff"),
            ("hsl(0rad 100% 50%)", "#ff0000"), ("hsl(none 0% 100%)", "#ffffff"),
            ("hwb(0 0% 0%)", "#ff0000"), ("hwb(120 50% 0%)", "#80ff80"), ("hwb(0 100% 100%)", "#808080"),
        ]
    )
    func colors(text: String, expected: String) {
        #expect(FormColor(text).text == expected)
    }

    @Test(
        "What is no colour is black",
        arguments: [
            "", "nosuch", "f0f8ff", "#", "#ab", "#abcde", "#ggg", "#abcdefabc", "#ááá", "rgb()", "rgb(1 2)",
            "rgb(1 2 3 4 5)", "rgb(a b c)", "rgb(1 2 3", "hsl(x 1% 1%)", "hsl(1 x 1%)", "nosuch(1 2 3)",
            "lab(50 0 0)", "(1 2 3)", "red blue", "hsl(infdeg 1% 1%)", "rgb(nan 255 255)", "rgb(0x1 2 3)",
            ")", "é",
        ]
    )
    func noColors(text: String) {
        #expect(FormColor(text).text == "#000000")
    }

    @Test(arguments: ["rgb(1e308 1e308 1e308)", "hsl(1e308 1e308% 1e308%)", "hwb(1e308 1e308 1e308)"])
    func hugeNumbersAreTaken(text: String) {
        #expect(FormColor(text).text.utf8.count == 7)
    }
}
