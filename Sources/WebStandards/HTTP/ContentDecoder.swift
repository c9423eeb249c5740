import CContentCoding

/// Undoes the content codings of a body, piece by piece as it arrives.
///
/// Memory is bounded by the decoders' windows and one buffer per coding, whatever the body contains. A stream
/// that ends early or does not match its checksum is an error. Bytes after the end of a stream are ignored,
/// as in browsers, unless they are another stream of a format that allows several (gzip, Zstandard).
package final class ContentDecoder {
    /// Takes decoded bytes, which are valid until it returns; returns whether it takes more now.
    package typealias Sink = (UnsafeRawBufferPointer) -> Bool

    /// In the order in which the codings are undone.
    private let stages: [Stage]

    /// Bytes that the coded input may have beyond nine eighths of the maximum decoded size.
    private static var allowance: Int { 64 << 10 }

    /// Creates a decoder.
    ///
    /// - Parameters:
    ///   - codings: In the order in which they were applied.
    ///   - maximumSize: Decoded bytes that the caller accepts; bounds the coded bytes too, so that a stream
    ///     that decodes to nothing cannot continue without end.
    /// - Throws: ``ContentCodingError`` if a coding cannot be decoded here.
    package init(_ codings: [ContentCoding], maximumSize: Int) throws(ContentCodingError) {
        var stages: [Stage] = []
        let maximumInput = maximumSize +| maximumSize / 8 +| Self.allowance
        for coding in codings.reversed() {
            stages.append(try Stage(coding, maximumInput: maximumInput))
        }
        self.stages = stages
    }

    /// Decodes the next bytes of the body, and passes the decoded bytes to `sink` until it takes no more.
    ///
    /// - Parameters:
    ///   - bytes: The bytes; what is left of them is to be decoded yet.
    ///   - sink: Takes what they decode to, some 64 KiB at once.
    /// - Returns: Whether all is decoded. If not, call it again, though nothing may be left of the bytes: what was taken
    ///   may decode to more.
    /// - Throws: ``ContentCodingError`` if the bytes are damaged or too many.
    package func decode(
        _ bytes: inout UnsafeRawBufferPointer,
        _ sink: Sink
    ) throws(ContentCodingError) -> Bool {
        guard let first = stages.first else { return true }
        unsafe first.input = bytes
        defer { unsafe (bytes, first.input) = (first.input, UnsafeRawBufferPointer(start: nil, count: 0)) }
        while let decoded = unsafe try next(from: stages.count - 1) {
            guard unsafe sink(decoded) else { return false }
        }
        return true
    }

    /// The next bytes that a stage decodes; nil if the bytes so far decode to no more.
    private func next(from index: Int) throws(ContentCodingError) -> UnsafeRawBufferPointer? {
        while true {
            if let decoded = unsafe try stages[index].next() { return unsafe decoded }
            guard index > 0, let more = unsafe try next(from: index - 1) else { return nil }
            unsafe stages[index].input = more
        }
    }

    /// Marks the end of the body.
    ///
    /// - Throws: ``ContentCodingError`` if a stream is not at its end.
    package func finish() throws(ContentCodingError) {
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

    /// The bytes to decode, which must stay valid until all of them are decoded.
    var input = unsafe UnsafeRawBufferPointer(start: nil, count: 0)

    /// Whether the consumed input may decode to more bytes than the buffer had room for.
    private var mayHaveMore = false

    private enum Phase {
        /// No byte has arrived; a body without bytes is a valid empty body.
        case start
        case amidStream
        /// At the end of a stream, after the first bytes of what may be the magic number of another one.
        case afterStream(marked: [UInt8])
        /// After the last stream; the rest is ignored.
        case done
    }

    init(_ coding: ContentCoding, maximumInput: Int) throws(ContentCodingError) {
        guard let decoder = unsafe webl_decoder_create(coding.code) else {
            throw .unavailable(coding)
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

    /// The next decoded bytes, valid until it is called again; nil if ``input`` decodes to no more.
    func next() throws(ContentCodingError) -> UnsafeRawBufferPointer? {
        guard unsafe inputSize + input.count <= maximumInput else {
            throw .tooLarge(coding, limit: maximumInput, reached: unsafe inputSize + input.count)
        }
        while unsafe !input.isEmpty || mayHaveMore {
            switch phase {
            case .start:
                phase = .amidStream
            case .amidStream:
                let decoded = unsafe try run(&input)
                if unsafe !decoded.isEmpty { return unsafe decoded }
            case .afterStream(var mark):
                mark.append(unsafe input[0])
                unsafe take(1, of: &input)
                try beginNextStream(mark)
            case .done:
                unsafe take(input.count, of: &input)
            }
        }
        return nil
    }

    private func take(_ count: Int, of bytes: inout UnsafeRawBufferPointer) {
        inputSize += count
        unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(count))
    }

    /// Decodes bytes until the buffer is full, or to the end of them or of the stream; what is left of them stays.
    private func run(
        _ bytes: inout UnsafeRawBufferPointer
    ) throws(ContentCodingError) -> UnsafeRawBufferPointer {
        var (left, room) = unsafe (bytes.count, buffer.count)
        let result = unsafe webl_decoder_step(decoder, bytes.baseAddress, &left, buffer.baseAddress, &room)
        unsafe take(bytes.count - left, of: &bytes)
        // Free space in the buffer means that there is no more output for these bytes.
        mayHaveMore = result == WEBL_DECODE_MORE && room == 0
        switch result {
        case WEBL_DECODE_MORE: break
        case WEBL_DECODE_END: phase = coding.markLength == 0 ? .done : .afterStream(marked: [])
        case WEBL_DECODE_NO_MEMORY: throw .noMemory(coding)
        default: throw .damaged(coding)
        }
        return unsafe UnsafeRawBufferPointer(rebasing: buffer.prefix(buffer.count - room))
    }

    /// Starts the next stream if its magic number begins here.
    private func beginNextStream(_ mark: [UInt8]) throws(ContentCodingError) {
        guard coding.isMark(mark) else {
            phase = .done
            return
        }
        guard mark.count == coding.markLength else {
            phase = .afterStream(marked: mark)
            return
        }
        guard unsafe webl_decoder_restart(decoder) != 0 else {
            throw .noMemory(coding)
        }
        phase = .amidStream
        // A magic number decodes to nothing, and its bytes were counted when they came.
        inputSize -= mark.count
        var failure: ContentCodingError?
        unsafe mark.withUnsafeBytes { bytes in
            do throws(ContentCodingError) {
                var bytes = unsafe bytes
                _ = unsafe try run(&bytes)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    func finish() throws(ContentCodingError) {
        switch phase {
        case .start, .afterStream, .done: return
        case .amidStream:
            throw .truncated(coding)
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
