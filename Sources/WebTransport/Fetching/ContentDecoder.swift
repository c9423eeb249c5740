import CContentCoding

/// Undoes the content codings of a body, piece by piece as it arrives.
///
/// Memory is bounded by the decoders' windows and one buffer per coding, whatever the body contains. A stream
/// that ends early or does not match its checksum is an error. Bytes after the end of a stream are ignored,
/// as in browsers, unless they are another stream of a format that allows several (gzip, Zstandard).
final class ContentDecoder {
    /// Takes decoded bytes; they are valid until it returns.
    typealias Sink = (UnsafeRawBufferPointer) throws(FetchError) -> Void

    /// In the order in which the codings are undone.
    private let stages: [Stage]

    /// Bytes that the coded input may have beyond nine eighths of the maximum decoded size.
    private static let allowance = 64 << 10

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - codings: In the order in which they were applied.
    ///   - maximumSize: Decoded bytes that the caller accepts; bounds the coded bytes too, so that a stream
    ///     that decodes to nothing cannot continue without end.
    /// - Throws: ``FetchError`` if a coding cannot be decoded here.
    init(_ codings: [ContentCoding], maximumSize: Int) throws(FetchError) {
        var stages: [Stage] = []
        let maximumInput = maximumSize +| maximumSize / 8 +| Self.allowance
        for coding in codings.reversed() {
            stages.append(try Stage(coding, maximumInput: maximumInput))
        }
        self.stages = stages
    }

    /// Decodes the next bytes of the body, and passes the decoded bytes to `sink`.
    func decode(_ bytes: UnsafeRawBufferPointer, _ sink: Sink) throws(FetchError) {
        try unsafe decode(bytes, from: 0, sink)
    }

    private func decode(
        _ bytes: UnsafeRawBufferPointer,
        from index: Int,
        _ sink: Sink
    ) throws(FetchError) {
        guard index < stages.count else { return try unsafe sink(bytes) }
        try unsafe stages[index].decode(bytes) { (decoded) throws(FetchError) in
            try unsafe self.decode(decoded, from: index + 1, sink)
        }
    }

    /// Marks the end of the body.
    ///
    /// - Throws: ``FetchError`` if a stream is not at its end.
    func finish() throws(FetchError) {
        for stage in stages { try stage.finish() }
    }
}

/// The decoder of one coding.
@safe private final class Stage {
    private let coding: ContentCoding
    private let maximumInput: Int
    private let decoder: OpaquePointer
    private let buffer: UnsafeMutableRawBufferPointer
    private var inputSize = 0
    private var phase = Phase.start

    private enum Phase {
        /// No byte has arrived; a body without bytes is a valid empty body.
        case start
        case amidStream
        /// At the end of a stream, after the first bytes of what may be the magic number of another one.
        case afterStream(marked: [UInt8])
        /// After the last stream; the rest is ignored.
        case done
    }

    init(_ coding: ContentCoding, maximumInput: Int) throws(FetchError) {
        guard let decoder = unsafe webl_decoder_create(coding.code) else {
            throw FetchError(
                .contentDecoding,
                "\(coding.rawValue) cannot be decoded: its library is not available"
            )
        }
        self.coding = coding
        self.maximumInput = maximumInput
        unsafe self.decoder = decoder
        unsafe buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 16)
    }

    deinit {
        unsafe webl_decoder_free(decoder)
        unsafe buffer.deallocate()
    }

    func decode(_ bytes: UnsafeRawBufferPointer, _ sink: ContentDecoder.Sink) throws(FetchError) {
        inputSize += bytes.count
        guard inputSize <= maximumInput else {
            throw .bodyTooLarge(limit: maximumInput, reached: Int64(inputSize), coding: coding.rawValue)
        }
        var rest = unsafe bytes
        while unsafe !rest.isEmpty {
            switch phase {
            case .start:
                phase = .amidStream
            case .amidStream:
                unsafe rest = try run(rest, sink)
            case .afterStream(var mark):
                mark.append(unsafe rest[0])
                unsafe rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst())
                try unsafe beginNextStream(mark, sink)
            case .done:
                return
            }
        }
    }

    /// Decodes to the end of the bytes or of the stream; returns the remaining bytes.
    private func run(
        _ bytes: UnsafeRawBufferPointer,
        _ sink: ContentDecoder.Sink
    ) throws(FetchError) -> UnsafeRawBufferPointer {
        var rest = unsafe bytes
        while true {
            var (left, room) = unsafe (rest.count, buffer.count)
            let result = unsafe webl_decoder_step(decoder, rest.baseAddress, &left, buffer.baseAddress, &room)
            unsafe rest = UnsafeRawBufferPointer(rebasing: rest.suffix(left))
            let decoded = unsafe UnsafeRawBufferPointer(rebasing: buffer.prefix(buffer.count - room))
            if unsafe !decoded.isEmpty { try unsafe sink(decoded) }
            switch result {
            case WEBL_DECODE_MORE:
                // Free space in the buffer means that there is no more output for these bytes.
                if left == 0, room > 0 { return unsafe rest }
            case WEBL_DECODE_END:
                phase = coding.markLength == 0 ? .done : .afterStream(marked: [])
                return unsafe rest
            case WEBL_DECODE_NO_MEMORY:
                throw FetchError(.contentDecoding, "not enough memory to decode \(coding.rawValue)")
            default:
                throw FetchError(.contentDecoding, "the body is not valid \(coding.rawValue)")
            }
        }
    }

    /// Starts the next stream if its magic number begins here.
    private func beginNextStream(_ mark: [UInt8], _ sink: ContentDecoder.Sink) throws(FetchError) {
        guard coding.isMark(mark) else {
            phase = .done
            return
        }
        guard mark.count == coding.markLength else {
            phase = .afterStream(marked: mark)
            return
        }
        guard unsafe webl_decoder_restart(decoder) != 0 else {
            throw FetchError(.contentDecoding, "not enough memory to decode \(coding.rawValue)")
        }
        phase = .amidStream
        var failure: FetchError?
        unsafe mark.withUnsafeBytes { bytes in
            do throws(FetchError) {
                _ = try unsafe run(bytes, sink)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    func finish() throws(FetchError) {
        switch phase {
        case .start, .afterStream, .done: return
        case .amidStream:
            throw FetchError(.contentDecoding, "the body ends before its \(coding.rawValue) stream does")
        }
    }
}

extension ContentCoding {
    /// The length of the magic number that begins another stream; 0 if a body has at most one stream.
    fileprivate var markLength: Int {
        switch self {
        case .gzip: 2
        case .zstd: 4
        case .deflate, .brotli: 0
        }
    }

    /// Whether the bytes are the magic number of a stream, or a prefix of it.
    fileprivate func isMark(_ bytes: [UInt8]) -> Bool {
        switch self {
        case .gzip: [0x1F, 0x8B].starts(with: bytes)
        // A Zstandard frame, or a skippable frame.
        case .zstd:
            [0x28, 0xB5, 0x2F, 0xFD].starts(with: bytes)
                || bytes[0] & 0xF0 == 0x50 && [0x2A, 0x4D, 0x18].starts(with: bytes.dropFirst())
        case .deflate, .brotli: false
        }
    }
}
