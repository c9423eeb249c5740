import Testing

@testable import webinspect

/// Values in lines: read back as they were, and with `--csv-safe` no formulas.
struct DelimitedLineTests {
    @Test(arguments: [
        "a", "", "a,b", "\"", "a\"\"b", "a\nb", "a\rb", "a\r\nb", "'a", "=1+1", " ", "a;b", "\t",
    ])
    func valuesAreReadBack(value: String) throws {
        for isSafe in [false, true] where !isSafe || !"=\t".contains(value.prefix(1)) || value.isEmpty {
            let line = DelimitedLine.csv([value, "z", value], isSafe: isSafe)
            #expect(try Self.read(line) == [[value, "z", value]])
        }
    }

    @Test(arguments: [
        ("=1+1", "'=1+1"), ("+a", "'+a"), ("-a", "'-a"), ("@SUM(1)", "'@SUM(1)"), ("\t=1", "'\t=1"),
        ("\r=1", "'\r=1"), (" =1", "' =1"), ("\u{A0}=1", "'\u{A0}=1"), ("\u{FF1D}1", "'\u{FF1D}1"),
        ("\n-2", "'\n-2"), ("-2+3", "'-2+3"), ("+1-cmd", "'+1-cmd"), ("-", "'-"), ("--1", "'--1"),
        ("-5", "-5"), ("+1", "+1"), ("-1,234.50", "-1,234.50"), ("+3%", "+3%"), ("-.5", "-.5"),
        ("a=1", "a=1"),
        ("", ""), (" ", " "),
    ])
    func formulasAreText(value: String, expected: String) throws {
        #expect(try Self.read(DelimitedLine.csv([value], isSafe: true)) == [[expected]])
        let text = String(decoding: DelimitedLine.tsv([value], isSafe: true), as: UTF8.self)
        let spaced = String(
            String.UnicodeScalarView(expected.unicodeScalars.map { $0.value < 0x20 ? " " : $0 })
        )
        #expect(text == "\(spaced)\n")
    }

    @Test func tabsAndLinesOfTSVHoldOneValueEach() {
        let line = DelimitedLine.tsv(["a\tb", "c\nd", "e\r\nf"])
        #expect(String(decoding: line, as: UTF8.self) == "a b\tc d\te  f\n")
    }

    /// Reads CSV strictly: quotes stand around whole values, and are doubled inside.
    private static func read(_ bytes: [UInt8]) throws -> [[String]] {
        var records: [[String]] = [[]]
        var value: [UInt8] = []
        var index = 0
        func next() -> UInt8? { index < bytes.count ? bytes[index] : nil }
        while index < bytes.count {
            if next() == UInt8(ascii: "\"") {
                index += 1
                while let byte = next() {
                    index += 1
                    if byte == UInt8(ascii: "\"") {
                        guard next() == UInt8(ascii: "\"") else { break }
                        index += 1
                    }
                    value.append(byte)
                }
            } else {
                while let byte = next(), byte != UInt8(ascii: ","), byte != 0x0A {
                    try #require(byte != UInt8(ascii: "\"") && byte != 0x0D)
                    value.append(byte)
                    index += 1
                }
            }
            records[records.count - 1].append(String(decoding: value, as: UTF8.self))
            value = []
            let end = try #require(next())
            index += 1
            try #require(end == UInt8(ascii: ",") || end == 0x0A)
            if end == 0x0A, index < bytes.count { records.append([]) }
        }
        return records
    }
}
