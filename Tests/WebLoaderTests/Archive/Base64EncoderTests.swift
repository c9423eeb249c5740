import Testing

@testable import WebArchive
@testable import WebStandards

struct Base64EncoderTests {
    @Test(
        "Pieces of any length are the Base64 of the whole, in lines that are whole",
        arguments: [nil, 4, 76]
    )
    func encodes(lineLength: Int?) {
        for count in [0, 1, 2, 3, 56, 57, 58, 114, 500] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }
            for length in [1, 2, 3, 57, 100, 1000] {
                var encoder = Base64Encoder(lineLength: lineLength)
                var output: [UInt8] = []
                for start in stride(from: 0, to: count, by: length) {
                    encoder.encode(bytes[start..<min(count, start + length)], into: &output)
                }
                encoder.finish(into: &output)
                let text = String(decoding: output, as: UTF8.self)
                guard let lineLength else {
                    #expect(text == Base64.encode(bytes))
                    continue
                }
                let lines = text.split(separator: "\r\n", omittingEmptySubsequences: true)
                #expect(lines.joined() == Base64.encode(bytes))
                #expect(lines.dropLast().allSatisfy { $0.utf8.count == lineLength })
                #expect(text.isEmpty || text.hasSuffix("\r\n"))
            }
        }
    }
}
