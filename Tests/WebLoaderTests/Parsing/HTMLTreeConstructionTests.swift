import CLibXML2
import Testing

@testable import WebDocument

/// The tree builder against html5lib's cases and Chromium's.
@Suite(.enabled(if: HTMLConformanceData.isPresent, HTMLConformanceData.absence))
struct HTMLTreeConstructionTests {
    static let cases = HTMLConformanceData.treeCases(in: "tree-construction")
    static let chromiumCases = HTMLConformanceData.treeCases(in: "chromium")

    /// Whether a case of html5lib's expects a comment where the standard has had a processing instruction since 2026.
    static func isOutdated(_ testCase: HTMLConformanceData.TreeCase) -> Bool {
        testCase.data.contains(/<\?(?!xml|#)/) && testCase.tree.contains("<!-- ?")
    }

    @Test func everyCaseIsRead() {
        #expect(HTMLConformanceData.isCount(Self.cases.count { $0.scripting != true }, ofPart: 1212))
        #expect(HTMLConformanceData.isCount(Self.cases.count { $0.scripting != false }, ofPart: 1199))
        #expect(HTMLConformanceData.isCount(Self.cases.count(where: Self.isOutdated), ofPart: 3))
        #expect(Self.chromiumCases.isEmpty || Self.chromiumCases.count == 125)
    }

    @Test(arguments: cases)
    func buildsTheTree(_ testCase: HTMLConformanceData.TreeCase) throws {
        try build(testCase, isOutdated: Self.isOutdated(testCase))
    }

    @Test(arguments: chromiumCases)
    func buildsChromiumsTree(_ testCase: HTMLConformanceData.TreeCase) throws {
        try build(testCase, isOutdated: false)
    }

    private func build(_ testCase: HTMLConformanceData.TreeCase, isOutdated: Bool) throws {
        for scripting in [false, true] where testCase.scripting == nil || testCase.scripting == scripting {
            var options = HTMLParser.Options()
            options.scripting = scripting
            options.fragmentContext = testCase.fragment.map { HTMLFragmentContext(named: $0) }
            let tree = try HTMLTreeSample.tree(of: testCase.data, options: options)
            #expect(
                (tree == testCase.tree) == !isOutdated,
                "scripting \(scripting)"
            )
            let pushed = try HTMLTreeSample.tree(of: testCase.data, options: options, pieceLength: 1)
            #expect(pushed == tree, "in pieces of a byte")
        }
    }
}

/// Trees as text.
enum HTMLTreeSample {
    /// Parses, whole or in pieces; the caller frees.
    static func parse(
        _ html: String,
        options: HTMLParser.Options = HTMLParser.Options(),
        pieceLength: Int? = nil
    ) throws -> ParsedHTML {
        var html = html
        return try html.withUTF8 { bytes in
            guard let pieceLength else { return try unsafe HTMLParser.parse(utf8: bytes, options: options) }
            var parser = try HTMLParser(options: options)
            var start = 0
            while start < bytes.count {
                let end = min(start + pieceLength, bytes.count)
                try unsafe parser.push(UnsafeBufferPointer(rebasing: bytes[start..<end]))
                start = end
            }
            return try parser.finish()
        }
    }

    /// The tree in the format of the html5lib tests.
    static func tree(
        of html: String,
        options: HTMLParser.Options = HTMLParser.Options(),
        pieceLength: Int? = nil
    ) throws -> String {
        let parsed = try parse(html, options: options, pieceLength: pieceLength)
        defer { parsed.free() }
        return tree(of: parsed)
    }

    static func tree(of parsed: ParsedHTML) -> String {
        var dump = HTMLTreeDump()
        dump.append(childrenOf: parsed.fragmentRoot ?? parsed.documentNode)
        var text = String(decoding: dump.bytes, as: UTF8.self)
        while text.utf8.last == UInt8(ascii: "\n") { text.removeLast() }
        return text
    }
}
