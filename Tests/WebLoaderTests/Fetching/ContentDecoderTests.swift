import HTTPTypes
import Testing
import WebStandards

@testable import WebTransport

struct ContentDecoderTests {
    /// "hello", a thousand times.
    static let text = [UInt8](String(repeating: "hello", count: 1000).utf8)

    /// It in one coding, or in a form of one.
    struct Sample: Sendable, CustomTestStringConvertible {
        let coding: ContentCoding
        let testDescription: String
        let bytes: [UInt8]

        init(_ coding: ContentCoding, _ name: String, _ hexadecimal: String) {
            self.coding = coding
            testDescription = name
            let digits = Array(hexadecimal.utf8).map { $0 < 0x3A ? $0 - 0x30 : $0 - 0x57 }
            bytes = stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        }
    }

    private static let deflated = "edc4a10d00000803b06b492696f0bfe30a5c2b9a6937922449922449923e3b"

    static let samples = [
        Sample(.gzip, "gzip", "1f8b0800000000000203\(deflated)d6aac59288130000"),
        Sample(.deflate, "zlib", "78da\(deflated)a6a21e99"),
        Sample(.deflate, "bare deflate", deflated),
        Sample(.brotli, "brotli", "1b8713f8a5cbd0d8dec46b5140cf0280d4"),
        Sample(.zstd, "zstd", "28b52ffd6488126d00002868656c6c6f01008083be6801d42d04a2"),
    ]

    /// Decodes the pieces of a body.
    private func decode(
        _ pieces: [[UInt8]],
        _ codings: [ContentCoding],
        maximumSize: Int = 1 << 20,
        takesAll: Bool = true
    ) throws(FetchError) -> [UInt8] {
        let decoder = try ContentDecoder(fetched: codings, maximumSize: maximumSize)
        var output: [UInt8] = []
        for piece in pieces {
            var failure: FetchError?
            unsafe piece.withUnsafeBytes { bytes in
                do throws(FetchError) {
                    var rest = unsafe bytes
                    let sink = { (decoded: UnsafeRawBufferPointer) throws(FetchError) in
                        unsafe output += decoded
                        return takesAll
                    }
                    while try unsafe !decoder.decode(fetched: &rest, sink) {}
                } catch {
                    failure = error
                }
            }
            if let failure { throw failure }
        }
        try decoder.finish(fetched: ())
        return output
    }

    private func failure(
        _ bytes: [UInt8],
        _ codings: [ContentCoding],
        maximumSize: Int = 1 << 20
    ) -> FetchError.Code? {
        do throws(FetchError) {
            _ = try decode([bytes], codings, maximumSize: maximumSize)
            return nil
        } catch {
            return error.code
        }
    }

    @Test(arguments: samples)
    func decodesWhereverTheBytesAreCut(sample: Sample) throws {
        #expect(try decode([sample.bytes], [sample.coding]) == Self.text)
        #expect(try decode(sample.bytes.map { [$0] }, [sample.coding]) == Self.text)
        #expect(try decode([sample.bytes], [sample.coding], takesAll: false) == Self.text)
        for cut in sample.bytes.indices {
            let pieces = [Array(sample.bytes[..<cut]), [], Array(sample.bytes[cut...])]
            #expect(try decode(pieces, [sample.coding]) == Self.text)
        }
    }

    @Test(arguments: samples)
    func aStreamThatEndsEarlyIsAnError(sample: Sample) {
        for length in 1..<sample.bytes.count {
            #expect(failure(Array(sample.bytes[..<length]), [sample.coding]) == .contentDecoding, "\(length)")
        }
    }

    /// Some bits, as gzip's time, mean nothing to the content; bare deflate and brotli have no checksum.
    @Test(arguments: samples)
    func noBitCanBeChangedUnnoticedWhereThereIsAChecksum(sample: Sample) {
        let hasChecksum = sample.testDescription != "bare deflate" && sample.coding != .brotli
        for index in sample.bytes.indices {
            for bit in 0..<8 {
                var bytes = sample.bytes
                bytes[index] ^= 1 << bit
                // An error is as good.
                guard let output = try? decode([bytes], [sample.coding]) else { continue }
                #expect(!hasChecksum || output == Self.text, "bit \(bit) of byte \(index)")
            }
        }
    }

    @Test(arguments: samples)
    func noByteIsAnEmptyBody(sample: Sample) throws {
        #expect(try decode([], [sample.coding]) == [])
        #expect(try decode([[], []], [sample.coding]) == [])
    }

    @Test(
        arguments: samples,
        [[0], [0x1F], [0x28, 0xB5, 0x2F], [0x1F, 0x8C, 0xFF], Array("trailing".utf8)]
    )
    func whatFollowsTheStreamIsPassedOver(sample: Sample, garbage: [UInt8]) throws {
        #expect(try decode([sample.bytes + garbage], [sample.coding]) == Self.text)
        #expect(try decode([sample.bytes] + garbage.map { [$0] }, [sample.coding]) == Self.text)
    }

    @Test(arguments: samples.filter { $0.coding == .gzip || $0.coding == .zstd })
    func severalStreamsInARowAreOneBody(sample: Sample) throws {
        let twice = sample.bytes + sample.bytes
        #expect(try decode([twice], [sample.coding]) == Self.text + Self.text)
        #expect(try decode(twice.map { [$0] }, [sample.coding]) == Self.text + Self.text)
        #expect(failure(Array(twice.dropLast()), [sample.coding]) == .contentDecoding)
        #expect(try decode([twice + [0, 0]], [sample.coding]) == Self.text + Self.text)
    }

    @Test func zstandardFramesMayBeSkipped() throws {
        let frame: [UInt8] = [0x5A, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]
        let zstd = Self.samples[4].bytes
        #expect(try decode([frame + zstd + frame + zstd], [.zstd]) == Self.text + Self.text)
    }

    @Test func zstandardMayNotAskForALargeWindow() {
        let sample = Sample(.zstd, "128 MiB", "28b52ffd00886d00002868656c6c6f01008083be6801")
        #expect(failure(sample.bytes, [.zstd]) == .contentDecoding)
    }

    @Test func codingsAreUndoneFromTheLastToTheFirst() throws {
        // gzip, whose bytes stand uncompressed in a gzip and that in a zlib stream.
        let gzip = Self.samples[0].bytes
        let stored = [0x78, 0x01] + Self.stored(gzip)
        #expect(try decode([stored + Self.adler32(gzip)], [.gzip, .deflate]) == Self.text)
        #expect(failure(stored + Self.adler32(gzip), [.deflate, .gzip]) == .contentDecoding)
    }

    @Test func theInnerCodingMayEndEarlyToo() {
        let gzip = Array(Self.samples[0].bytes.dropLast(3))
        #expect(
            failure([0x78, 0x01] + Self.stored(gzip) + Self.adler32(gzip), [.gzip, .deflate])
                == .contentDecoding
        )
    }

    /// Empty blocks of deflate, which decode to nothing: they are bounded all the same.
    @Test func aStreamThatDecodesToNothingEnds() {
        let blocks = [UInt8](repeating: 0, count: 5).enumerated().map { $0.offset < 3 ? 0 : UInt8(0xFF) }
        let endless = Array(repeatElement(blocks, count: 100_000).joined())
        #expect(failure([0x78, 0x01] + endless, [.deflate], maximumSize: 1000) == .bodyTooLarge)
    }

    private static func stored(_ bytes: [UInt8]) -> [UInt8] {
        let count = UInt16(bytes.count)
        let length = [UInt8(truncatingIfNeeded: count), UInt8(truncatingIfNeeded: count >> 8)]
        return [1] + length + length.map { ~$0 } + bytes
    }

    private static func adler32(_ bytes: [UInt8]) -> [UInt8] {
        var (a, b): (UInt32, UInt32) = (1, 0)
        for byte in bytes {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        return [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: (b << 16 | a) >> $0) }
    }

    // MARK: - Which codings

    @Test(
        "The field names the codings",
        arguments: [
            ([], []), ([""], []), (["identity"], []), (["gzip"], [.gzip]), (["x-gzip"], [.gzip]),
            (["GZip"], [.gzip]),
            ([" gzip ,\tbr"], [.gzip, .brotli]), (["gzip", "identity, zstd"], [.gzip, .zstd]),
            ([",,gzip,"], [.gzip]),
            (["gzip, gzip, gzip, gzip, gzip"], [.gzip, .gzip, .gzip, .gzip, .gzip]),
            (["utf-8"], nil), (["gzip, frobnicate"], nil), (["compress"], nil), (["gzip;q=1"], nil),
            (["none"], nil),
        ] as [([String], [ContentCoding]?)]
    )
    func codings(values: [String], expected: [ContentCoding]?) throws {
        let fields = HTTPFields(lines: values.map { ("Content-Encoding", $0) })
        #expect(try ContentCoding.codings(of: fields) == expected)
    }

    @Test func thereAreNotAnyNumberOfThem() {
        let fields = HTTPFields(lines: [("Content-Encoding", "gzip, gzip, gzip, gzip, gzip, gzip")])
        let error = #expect(throws: FetchError.self) { try ContentCoding.codings(of: fields) }
        #expect(error?.code == .contentDecoding)
        #expect(error?.limit == 5)
    }

    @Test func offersWhatItHas() {
        #expect(ContentCoding.acceptEncoding == "gzip, deflate, br, zstd")
    }
}
