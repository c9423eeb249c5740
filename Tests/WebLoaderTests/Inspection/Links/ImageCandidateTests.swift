import Testing

@testable import WebDocument

struct ImageCandidateTests {
    /// A `srcset` and what its candidates should be, each as "URL", "URL 640w", "URL 640w 480h" or "URL 2.0x".
    private static let cases: [(String, [String])] = [
        ("", []),
        ("  , ,", []),
        ("a.png", ["a.png"]),
        ("a.png 1x, b.png 2x", ["a.png 1.0x", "b.png 2.0x"]),
        ("a.png 1x,b.png 2x", ["a.png 1.0x", "b.png 2.0x"]),
        ("a.png,b.png", ["a.png,b.png"]),
        ("a.png, b.png", ["a.png", "b.png"]),
        ("a.png,, b.png", ["a.png", "b.png"]),
        (",,a.png 2x", ["a.png 2.0x"]),
        ("\t\n\u{0C}\r a.png\n640w ,\tb.png 1280w", ["a.png 640w", "b.png 1280w"]),
        ("a.png 640w 480h", ["a.png 640w 480h"]),
        ("a.png 480h 640w", ["a.png 640w 480h"]),
        ("data:image/png,1,2 2x, b 1x", ["data:image/png,1,2 2.0x", "b 1.0x"]),
        // Errors leave the candidate out, not the others.
        ("a 480h, b 1x", ["b 1.0x"]),
        ("a 0w, b 1x", ["b 1.0x"]),
        ("a -1w, b +1w, c 1.5w, d 1w", ["d 1w"]),
        ("a 1x 2x, b 1w 1x, c 1x 1w, d 1w 2w, e 1h 1x", []),
        ("a -1x, b 0x, c -0x", ["b 0.0x", "c -0.0x"]),
        ("a .5x, b 1.x, c +1x, d 1e1x, e 1e+1x, f 1E-1x, g 1ex", ["a 0.5x", "d 10.0x", "e 10.0x", "f 0.1x"]),
        ("a infx, b nanx, c 0x10x, d 1e999x", []),
        ("a 1y, b x, c w, d foo", []),
        // Parentheses keep commas and white space.
        ("a foo(1x, b 2x), c 3x", ["c 3.0x"]),
        ("a 1x(, b 2x", []),
        ("a (1x), b 2x", ["b 2.0x"]),
        ("a 99999999999999999999w", ["a 9007199254740992w"]),
        ("\u{A0}a 1x", ["\u{A0}a 1.0x"]),
    ]

    @Test(arguments: cases)
    func candidatesAreParsedAsTheStandardHasIt(attribute: String, expected: [String]) {
        #expect(ImageCandidate.parse(attribute).map(Self.words) == expected)
    }

    private static func words(_ candidate: ImageCandidate) -> String {
        var words = [candidate.reference]
        if let width = candidate.descriptor.width { words.append("\(width)w") }
        if let height = candidate.descriptor.height { words.append("\(height)h") }
        if let density = candidate.descriptor.density { words.append("\(density)x") }
        return words.joined(separator: " ")
    }

    @Test(.timeLimit(.minutes(20)))
    func timeIsLinearInTheAttribute() {
        #expect(ImageCandidate.parse(String(repeating: "a 1x,", count: 400_000)).count == 400_000)
        #expect(ImageCandidate.parse(String(repeating: ",", count: 2_000_000)).isEmpty)
        #expect(ImageCandidate.parse("a " + String(repeating: "(", count: 2_000_000)).isEmpty)
        #expect(ImageCandidate.parse("a" + String(repeating: ",", count: 2_000_000)).count == 1)
    }
}
