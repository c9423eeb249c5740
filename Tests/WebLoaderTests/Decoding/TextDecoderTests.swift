import Testing

@testable import WebStandards

@Suite struct TextDecoderTests {
    private func isValidUTF8(_ bytes: [UInt8]) -> Bool {
        TextDecoder.isValidUTF8(bytes.span)
    }

    @Test(arguments: DecodingSample.all)
    func bytesMeanText(sample: DecodingSample) {
        let result = DecodingResult(sample.bytes, sample.encoding)
        #expect(result == DecodingResult(bytes: Array(sample.text.utf8), replacementCount: sample.errors))
    }

    @Test(arguments: DecodingSample.all)
    func pieceSizesMakeNoDifference(sample: DecodingSample) {
        let count = sample.bytes.count
        let whole = DecodingResult(sample.bytes, sample.encoding)
        for first in 0...count {
            for second in first...count {
                #expect(DecodingResult(sample.bytes, sample.encoding, splits: [first, second]) == whole)
            }
        }
        #expect(DecodingResult(sample.bytes, sample.encoding, splits: Array(0...count)) == whole)
    }

    /// Behind any other bytes, a sample means the same: in the ASCII path, across a word, and across a chunk.
    @Test(arguments: DecodingSample.all)
    func positionMakesNoDifference(sample: DecodingSample) {
        guard ![.replacement, .utf16BE, .utf16LE].contains(sample.encoding) else { return }
        for length in [1, 7, 8, 9, 15, 16, 17, 31, 16 * 1024 - 3, 16 * 1024 - 2, 16 * 1024 - 1] {
            let text = String(repeating: "x", count: length)
            let result = DecodingResult(Array(text.utf8) + sample.bytes, sample.encoding)
            #expect(result.bytes == Array((text + sample.text).utf8))
            #expect(result.replacementCount == sample.errors)
        }
    }

    @Test(arguments: TextEncoding.allCases)
    func decoderStartsAfreshAfterTheLastPiece(encoding: TextEncoding) {
        for sample in DecodingSample.all where sample.encoding == encoding {
            var decoder = TextDecoder(encoding)
            var output: [UInt8] = []
            for _ in 0..<2 { decoder.decode(sample.bytes.span, isLast: true, into: &output) }
            #expect(output == Array((sample.text + sample.text).utf8))
            #expect(decoder.replacementCount == 2 * sample.errors)
        }
    }

    @Test(arguments: TextEncoding.allCases)
    func anyBytesBecomeWellFormedUTF8(encoding: TextEncoding) {
        // A plain generator with a fixed start, so that a failure can be run again.
        var state: UInt64 = 0x9E37_79B9_7F4A_7C15
        var bytes: [UInt8] = []
        for index in 0..<100_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let byte = UInt8(truncatingIfNeeded: state >> 56)
            // Escape sequences are too rare for chance alone.
            bytes.append(index % 7 == 0 && byte < 0x40 ? 0x1B : byte)
        }
        let whole = DecodingResult(bytes, encoding)
        #expect(String(validating: whole.bytes, as: UTF8.self) != nil)
        let splits = Array(stride(from: 0, to: bytes.count, by: 4093))
        let isSame = DecodingResult(bytes, encoding, splits: splits) == whole
        #expect(isSame)
    }

    @Test(
        arguments: TextEncoding.allCases,
        [0x00, 0x1B, 0x30, 0x7F, 0x80, 0x81, 0xD8, 0xFE, 0xFF] as [UInt8]
    )
    func runsOfOneByteFitTheRoom(encoding: TextEncoding, byte: UInt8) {
        let bytes = [UInt8](repeating: byte, count: 50_001)
        let result = DecodingResult(bytes, encoding)
        #expect(result.bytes.count <= 3 * bytes.count + 3)
        #expect(String(validating: result.bytes, as: UTF8.self) != nil)
    }

    @Test func outputIsAppended() {
        var decoder = TextDecoder(.windows1252)
        var output = Array("€".utf8)
        decoder.decode([0x80].span, isLast: true, into: &output)
        #expect(output == Array("€€".utf8))
    }

    @Test(.timeLimit(.minutes(20)))
    func manySmallPiecesTakeLinearTime() {
        var decoder = TextDecoder(.shiftJIS)
        var output: [UInt8] = []
        for _ in 0..<200_000 {
            decoder.decode([0x93].span, isLast: false, into: &output)
            decoder.decode([0xFA].span, isLast: false, into: &output)
        }
        decoder.decode([UInt8]().span, isLast: true, into: &output)
        #expect(output.count == 600_000)
    }

    @Test func validityIsThatOfTheDecoder() {
        for sample in DecodingSample.all {
            let expected = DecodingResult(sample.bytes, .utf8).replacementCount == 0
            #expect(isValidUTF8(sample.bytes) == expected)
            for length in [0, 1, 5, 8, 15, 16, 17, 33] {
                let ascii = [UInt8](repeating: 0x78, count: length)
                #expect(isValidUTF8(ascii + sample.bytes + ascii) == expected)
            }
        }
    }

    @Test func everyScalarValueIsValidAndNoOtherSequence() {
        var all: [UInt8] = []
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value) else { continue }
            all.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
        }
        #expect(isValidUTF8(all))
        // All pairs that start a longer sequence, completed.
        for first in UInt8(0x80)...0xFF {
            for second in UInt8.min...UInt8.max {
                for bytes in [[first, second], [first, second, 0x80], [first, second, 0x80, 0xBF]] {
                    let isValid = String(validating: bytes, as: UTF8.self) != nil
                    #expect(isValidUTF8(bytes) == isValid)
                    #expect(isValidUTF8(bytes + [0x41, 0x41, 0x41]) == isValid)
                }
            }
        }
    }
}
