@testable import WebLoader
@testable import WebStandards

/// Detects an encoding, and decodes the bytes both as a whole and in pieces.
func fuzzEncoding(_ input: UnsafeBufferPointer<UInt8>) {
    let bytes = Array(input)
    let detection = EncodingDetection.html(bytes.span)
    let whole = decode(bytes, detection.encoding, pieceLength: bytes.count + 1)
    demand(String(validating: whole, as: UTF8.self) != nil, "what was decoded is no UTF-8")
    let length = Int(bytes.first ?? 0) % 7 + 1
    demand(decode(bytes, detection.encoding, pieceLength: length) == whole, "pieces make another text")
}

private func decode(_ bytes: [UInt8], _ encoding: TextEncoding, pieceLength: Int) -> [UInt8] {
    var decoder = TextDecoder(encoding)
    var output: [UInt8] = []
    var start = 0
    repeat {
        let end = min(start + pieceLength, bytes.count)
        decoder.decode(Array(bytes[start..<end]).span, isLast: end == bytes.count, into: &output)
        start = end
    } while start < bytes.count
    return output
}
