import Testing

@testable import WebStandards

/// Every entry of every index, decoded and encoded.
@Suite(.enabled(if: EncodingFixtures.arePresent, Comment(rawValue: EncodingFixtures.absence)))
struct EncodingIndexTests {
    /// An encoding with an index, and how a pointer of it is written in bytes; nil where it cannot be.
    struct Layout: Sendable, CustomTestStringConvertible {
        var encoding: TextEncoding
        var index: String
        var bytes: @Sendable (Int) -> [UInt8]?

        var testDescription: String { "\(encoding), index \(index)" }

        /// A layout of pairs, `cells` to a leading byte.
        init(_ encoding: TextEncoding, _ index: String, _ bytes: @escaping @Sendable (Int) -> [Int]?) {
            self.encoding = encoding
            self.index = index
            self.bytes = { bytes($0)?.map { UInt8(truncatingIfNeeded: $0) } }
        }
    }

    static let multiByte: [Layout] = [
        Layout(.gb18030, "gb18030") { [$0 / 190 + 0x81, $0 % 190 + ($0 % 190 < 0x3F ? 0x40 : 0x41)] },
        Layout(.gbk, "gb18030") { [$0 / 190 + 0x81, $0 % 190 + ($0 % 190 < 0x3F ? 0x40 : 0x41)] },
        Layout(.big5, "big5") { [$0 / 157 + 0x81, $0 % 157 + ($0 % 157 < 0x3F ? 0x40 : 0x62)] },
        Layout(.eucKR, "euc-kr") { [$0 / 190 + 0x81, $0 % 190 + 0x41] },
        Layout(.shiftJIS, "jis0208") {
            [$0 / 188 + ($0 / 188 < 0x1F ? 0x81 : 0xC1), $0 % 188 + ($0 % 188 < 0x3F ? 0x40 : 0x41)]
        },
        Layout(.eucJP, "jis0208") { $0 < 94 * 94 ? [$0 / 94 + 0xA1, $0 % 94 + 0xA1] : nil },
        Layout(.eucJP, "jis0212") { [0x8F, $0 / 94 + 0xA1, $0 % 94 + 0xA1] },
        Layout(.iso2022JP, "jis0208") {
            $0 < 94 * 94 ? [0x1B, 0x24, 0x42, $0 / 94 + 0x21, $0 % 94 + 0x21, 0x1B, 0x28, 0x42] : nil
        },
    ]

    static let singleByte = TextEncoding.allCases.filter {
        $0.rawValue >= TextEncoding.ibm866.rawValue && $0.rawValue <= TextEncoding.xMacCyrillic.rawValue
    }

    @Test(arguments: multiByte)
    func everyPointerDecodesToItsScalarValue(layout: Layout) throws {
        let index = try #require(try EncodingFixtures.indexes()[layout.index])
        var count = 0
        for (pointer, value) in index.enumerated() {
            guard let bytes = layout.bytes(pointer) else { continue }
            let result = DecodingResult(bytes, layout.encoding)
            if let value {
                count += 1
                #expect(result.text.unicodeScalars.map(\.value) == [value], "pointer \(pointer)")
                #expect(result.replacementCount == 0)
            } else if layout.encoding == .shiftJIS, (8836...10715).contains(pointer) {
                #expect(result.text.unicodeScalars.map(\.value) == [UInt32(0xE000 - 8836 + pointer)])
            } else if layout.encoding == .big5, [1133, 1135, 1164, 1166].contains(pointer) {
                #expect(result.text.unicodeScalars.count == 2)
            } else {
                #expect(result.replacementCount == 1, "pointer \(pointer)")
                #expect(result.text.unicodeScalars.first?.value == 0xFFFD)
            }
        }
        let limit = layout.encoding == .eucJP || layout.encoding == .iso2022JP ? 94 * 94 : index.count
        #expect(count == index.prefix(limit).count { $0 != nil })
    }

    @Test func singleByteEncodingsAreTwentyEight() {
        #expect(Self.singleByte.count == 28)
    }

    @Test(arguments: singleByte)
    func everyByteDecodesToItsScalarValueAndBack(encoding: TextEncoding) throws {
        let name = encoding == .iso8859Part8I ? "iso-8859-8" : encoding.name.lowercased()
        let index = try #require(try EncodingFixtures.indexes()[name])
        #expect(index.count == 128)
        for (pointer, value) in index.enumerated() {
            let bytes = [UInt8(0x80 + pointer)]
            let result = DecodingResult(bytes, encoding)
            #expect(result.text.unicodeScalars.map(\.value) == [value ?? 0xFFFD])
            #expect(result.replacementCount == (value == nil ? 1 : 0))
            if value != nil { #expect(encodedBytes(result.text.unicodeScalars, encoding) == bytes) }
        }
        for byte in UInt8(0)..<0x80 {
            #expect(DecodingResult([byte], encoding).bytes == [byte])
            #expect(encodedBytes([Unicode.Scalar(byte)], encoding) == [byte])
        }
    }

    /// The encoded form of a scalar value of an index decodes to that scalar value, and uses the pointer that the
    /// standard names.
    @Test(arguments: multiByte.filter { $0.index != "jis0212" })
    func everyScalarValueOfAnIndexIsEncoded(layout: Layout) throws {
        let index = try #require(try EncodingFixtures.indexes()[layout.index])
        var pointers: [UInt32: Int] = [:]
        let lastWins: Set<UInt32> = [0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345]
        for case (let pointer, let value?) in index.enumerated() {
            if layout.encoding == .big5, pointer < (0xA1 - 0x81) * 157 { continue }
            if layout.encoding == .shiftJIS, (8272...8835).contains(pointer) { continue }
            if pointers[value] == nil || layout.encoding == .big5 && lastWins.contains(value) {
                pointers[value] = pointer
            }
        }
        // The one character that has a byte of its own, and the ones that go elsewhere.
        if layout.encoding == .gbk { pointers[0x20AC] = nil }
        for (value, pointer) in pointers {
            let scalar = try #require(Unicode.Scalar(value))
            let expected = try #require(layout.bytes(pointer))
            #expect(encodedBytes([scalar], layout.encoding) == expected, "U+\(String(value, radix: 16))")
        }
        #expect(pointers.count > 6000)
    }

    @Test func everyFourByteCharacterOfGB18030DecodesAndIsEncoded() throws {
        let ranges = try EncodingFixtures.ranges()
        #expect(ranges.count == 207)
        var bytes: [UInt8] = []
        var expected: [UInt32] = []
        var range = 0
        for pointer in Array(UInt32(0)...39419)
            + Array(stride(from: UInt32(189000), through: 1_237_575, by: 97))
        {
            while range + 1 < ranges.count, ranges[range + 1][0] <= pointer { range += 1 }
            let value = pointer == 7457 ? 0xE7C7 : ranges[range][1] + pointer - ranges[range][0]
            expected.append(value)
            bytes.append(UInt8(pointer / 12600 + 0x81))
            bytes.append(UInt8(pointer % 12600 / 1260 + 0x30))
            bytes.append(UInt8(pointer % 1260 / 10 + 0x81))
            bytes.append(UInt8(pointer % 10 + 0x30))
        }
        let result = DecodingResult(bytes, .gb18030)
        #expect(result.replacementCount == 0)
        let scalars = Array(result.text.unicodeScalars)
        let isDecoded = scalars.lazy.map(\.value).elementsEqual(expected)
        #expect(isDecoded)
        // Eighteen of them are private use that keeps the two bytes it had in 2005.
        var shorter = 0
        for (index, scalar) in scalars.enumerated() {
            let encoded = encodedBytes([scalar], .gb18030)
            if encoded.count == 2 {
                shorter += 1
            } else if encoded != Array(bytes[index * 4..<index * 4 + 4]) {
                shorter = -1
            }
        }
        #expect(shorter == 18)
    }
}
