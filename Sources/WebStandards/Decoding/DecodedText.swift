/// The text of a page in UTF-8: its original bytes where they are valid UTF-8, a decoded copy otherwise.
package struct DecodedText: Sendable {
    /// The encoding of the page, and where it was declared.
    package let detection: EncodingDetection

    /// How many U+FFFD stand for bytes that were not in the encoding.
    package let replacementCount: Int

    private let bytes: [UInt8]
    private let start: Int

    /// Decodes bytes.
    package init(_ bytes: [UInt8], _ detection: EncodingDetection) {
        self.detection = detection
        let start = min(detection.byteOrderMarkLength, bytes.count)
        let text = bytes.span.extracting(droppingFirst: start)
        if detection.encoding == .utf8, TextDecoder.isValidUTF8(text) {
            self.bytes = bytes
            self.start = start
            replacementCount = 0
        } else {
            var decoder = TextDecoder(detection.encoding)
            var output: [UInt8] = []
            decoder.decode(text, isLast: true, into: &output)
            self.bytes = output
            self.start = 0
            replacementCount = decoder.replacementCount
        }
    }

    /// The text as a string.
    package var string: String { String(decoding: bytes[start...], as: UTF8.self) }

    /// Calls `body` with the text's bytes.
    package func withUTF8<Value, Failure: Error>(
        _ body: (UnsafeBufferPointer<UInt8>) throws(Failure) -> Value
    ) throws(Failure) -> Value {
        var result: Result<Value, Failure>?
        unsafe bytes.withUnsafeBufferPointer { buffer in
            do throws(Failure) {
                result = .success(try unsafe body(UnsafeBufferPointer(rebasing: buffer[start...])))
            } catch {
                result = .failure(error)
            }
        }
        switch result {
        case .success(let value): return value
        case .failure(let error): throw error
        case nil: return try unsafe body(UnsafeBufferPointer(start: nil, count: 0))
        }
    }
}
