import Testing

@testable import WebDocument

/// The tokenizer against html5lib's cases: tokens and parse errors, the input whole and split at every byte.
@Suite(.enabled(if: HTMLConformanceData.isPresent, HTMLConformanceData.absence))
struct HTMLTokenizerTests {
    static let cases = HTMLConformanceData.tokenizerCases()

    /// The data predates processing instructions: it has comments, and this error, for them.
    static let outdatedError = "unexpected-question-mark-instead-of-tag-name"

    @Test func everyCaseIsRead() {
        #expect(HTMLConformanceData.isCount(Self.cases.count, ofPart: 4634))
        let outdated = Self.cases.count { $0.errors.contains { $0.contains(Self.outdatedError) } }
        #expect(HTMLConformanceData.isCount(outdated, ofPart: 25))
    }

    @Test(arguments: cases.filter { testCase in !testCase.errors.contains { $0.contains(outdatedError) } })
    func givesTokensAndErrors(_ testCase: HTMLConformanceData.TokenizerCase) throws {
        // The data's columns count UTF-16 units, ours scalar values.
        let countsAlike = testCase.input.unicodeScalars.allSatisfy { $0.value < 0x10000 }
        let whole = try Self.tokens(of: testCase, inPieces: false)
        #expect(whole.tokens == testCase.output)
        #expect(!countsAlike || whole.errors == testCase.errors)
        let pieces = try Self.tokens(of: testCase, inPieces: true)
        #expect(pieces.tokens == testCase.output)
        #expect(pieces.errors == whole.errors)
    }

    private static func tokens(
        of testCase: HTMLConformanceData.TokenizerCase,
        inPieces: Bool
    ) throws -> (tokens: [String], errors: [String]) {
        var bytes = Array(testCase.input.utf8)
        let count = bytes.count
        bytes.append(0)
        var characters = HTMLInputStreamErrors()
        for byte in bytes.dropLast() { characters.take(byte) }
        let (tokens, errors) = try unsafe bytes.withUnsafeBufferPointer { buffer in
            let all = unsafe HTMLBytes(try #require(buffer.baseAddress), count: count)
            var tokenizer = HTMLTokenizer(
                sink: try RecordedTokens.make(),
                input: all,
                maximumAttributes: 100,
                reportsErrors: true
            )
            tokenizer.state = state(named: testCase.state)
            if let name = testCase.lastStartTag {
                tokenizer.lastStartTag = try name.withHTMLBytes { (bytes) throws(HTMLParserError) in
                    try tokenizer.names.atom(bytes, readable: bytes.count)
                }
            }
            for end in inPieces ? Array(0..<count) : [] {
                tokenizer.input = all.slice(0, end)
                try tokenizer.run()
            }
            tokenizer.input = all
            tokenizer.isFinal = true
            try tokenizer.run()
            return (tokenizer.sink.tokens, tokenizer.reports.errors)
        }
        let shown = (errors + characters.errors).map { "\($0.line):\($0.column) \($0.code.rawValue)" }
        return (tokens, shown.sorted())
    }

    private static func state(named name: String) -> HTMLTokenizerState {
        switch name {
        case "RCDATA state": .rcdata
        case "RAWTEXT state": .rawtext
        case "Script data state": .scriptData
        case "PLAINTEXT state": .plaintext
        case "CDATA section state": .cdataSection
        default: .data
        }
    }
}
