import CArchive
import WebStandards

/// Decodes the body of an HTTP message as it was sent to its payload, without chunks and content codings.
///
/// It also accepts bodies whose chunks or coding were removed but whose fields were not, as real archives contain them.
@safe final class PayloadDecoder {
    /// A problem of a body.
    struct Problem: Equatable {
        let code: ArchiveFinding.Code
        let message: String
    }

    private(set) var problem: Problem?
    /// Takes the body without its chunks.
    var onEntity: ((UnsafeRawBufferPointer) -> Void)?
    /// Whether the body's fields say that it is in chunks, and it is.
    private(set) var isChunked = false
    /// Bytes of the body that came.
    private var size = 0

    /// Whether all came that the body's fields tell of.
    var hasAll: Bool {
        isChunked ? dechunker.isComplete : contentLength.map { size >= $0 } ?? false
    }
    private var contentLength: Int?
    private var expectedSize: Int?
    /// The bytes of a coding without a magic number, until they decode to something: they may be stored without it.
    private var held: [UInt8] = []
    private static let mostHeld = 1 << 20

    private var dechunker = Dechunker()
    private var codings: [ContentCoding] = []
    private var decoder: ContentDecoder?
    private var hasBegun = false
    private var hasOutput = false
    private var isDone = false

    // A body in gzip of a moderate size is decoded at once.
    private var collected: [UInt8] = []
    private var isCollecting = false
    private var inflater: OpaquePointer?
    private var scratch: UnsafeMutableRawBufferPointer
    private static let mostCollected = 8 << 20
    private static let mostScratch = 32 << 20

    init() {
        unsafe scratch = .allocate(byteCount: 0, alignment: 64)
    }

    deinit {
        unsafe webl_inflater_free(inflater)
        unsafe scratch.deallocate()
    }

    /// Begins a body.
    ///
    /// - Parameters:
    ///   - framing: The framing that its fields specify; `nil` if it has none.
    ///   - size: The number of its bytes that follow; `nil` if not known.
    func begin(_ framing: BodyFraming?, size: Int?) {
        problem = nil
        dechunker = Dechunker()
        decoder = nil
        (hasBegun, hasOutput, isDone) = (false, false, false)
        collected.removeAll(keepingCapacity: true)
        isChunked = framing?.isChunked ?? false
        codings = framing?.codings ?? []
        contentLength = framing?.contentLength
        self.size = 0
        expectedSize = size
        held.removeAll(keepingCapacity: true)
        if framing?.hasTooManyCodings ?? false {
            problem = Problem(code: .compression, message: "the body has too many content codings")
        }
        isCollecting = codings == [.gzip] && size ?? Int.largestBounded <= Self.mostCollected
    }

    /// Takes the next bytes of the body.
    ///
    /// - Parameters:
    ///   - piece: The bytes.
    ///   - sink: Receives the decoded bytes.
    /// - Returns: Whether it accepts more; false after damage, and once the sink accepts no more.
    /// - Throws: Any error that the sink throws.
    func take(_ piece: UnsafeRawBufferPointer, _ sink: RecordReader.Sink) throws(ArchiveError) -> Bool {
        guard unsafe !piece.isEmpty else { return !isDone }
        size += piece.count
        if !hasBegun {
            hasBegun = true
            if isChunked { isChunked = Dechunker.isLikely(piece, isWhole: piece.count == expectedSize) }
        }
        guard isChunked else { return unsafe try takeEntity(piece, sink) }
        let goesOn = unsafe try dechunker.take(piece) { data throws(ArchiveError) in
            unsafe try takeEntity(data, sink)
        }
        if dechunker.isDamaged, problem == nil {
            problem = Problem(code: .chunked, message: "the body is not in chunks as it should be")
        }
        return goesOn
    }

    private func takeEntity(
        _ bytes: UnsafeRawBufferPointer,
        _ sink: RecordReader.Sink
    ) throws(ArchiveError) -> Bool {
        unsafe onEntity?(bytes)
        // The digest is of all of it, whatever becomes of its coding.
        if isDone { return unsafe onEntity != nil }
        if isCollecting {
            unsafe collected.append(contentsOf: bytes)
            return true
        }
        return unsafe try decode(bytes, sink)
    }

    private func decode(
        _ bytes: UnsafeRawBufferPointer,
        _ sink: RecordReader.Sink
    ) throws(ArchiveError) -> Bool {
        guard problem == nil else { return end() }
        if !hasOutput, decoder == nil, let last = codings.last, !last.mayBegin(bytes) {
            // The coding was undone before it was stored.
            codings = []
        }
        if codings.isEmpty {
            hasOutput = true
            return unsafe try sink(bytes) || end()
        }
        if !hasOutput, codings.last == .deflate || codings.last == .brotli, held.count <= Self.mostHeld {
            unsafe held += bytes
        }
        var failure: ArchiveError?
        let isWhole: Bool
        do throws(ContentCodingError) {
            let decoder =
                if let decoder { decoder } else {
                    try ContentDecoder(codings, maximumSize: Int.largestBounded)
                }
            self.decoder = decoder
            var rest = unsafe bytes
            isWhole = unsafe try decoder.decode(&rest) { piece in
                hasOutput = unsafe hasOutput || !piece.isEmpty
                do throws(ArchiveError) {
                    return unsafe try sink(piece)
                } catch {
                    failure = error
                    return false
                }
            }
        } catch {
            if unsafe try takeHeld(sink) { return true }
            problem = Problem(code: .compression, message: error.message)
            return end()
        }
        if let failure { throw failure }
        return isWhole || end()
    }

    /// Passes on what did not decode to anything as it is, if it may have been stored without its coding.
    private func takeHeld(_ sink: RecordReader.Sink) throws(ArchiveError) -> Bool {
        guard !hasOutput, !held.isEmpty, held.count <= Self.mostHeld else { return false }
        codings = []
        decoder = nil
        let bytes = held
        var failure: ArchiveError?
        unsafe bytes.withUnsafeBytes { bytes in
            do throws(ArchiveError) {
                _ = unsafe try decode(bytes, sink)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return true
    }

    private func end() -> Bool {
        isDone = true
        return unsafe onEntity != nil
    }

    /// Ends the body, and sets ``problem`` if it has one.
    ///
    /// - Parameters:
    ///   - isCut: Whether it is known to be incomplete, so that its early end is no damage.
    ///   - sink: Receives the remaining decoded bytes.
    /// - Throws: Any error that the sink throws.
    func finish(isCut: Bool, _ sink: RecordReader.Sink) throws(ArchiveError) {
        if isCollecting, !isDone { unsafe try finishCollected(sink) }
        if isCut {
            problem = nil
            return
        }
        if isChunked, hasBegun, !dechunker.isComplete, problem == nil, !isDone {
            problem = Problem(code: .chunked, message: "the body ends before its last chunk")
        }
        guard problem == nil, !isDone, let decoder else { return }
        do throws(ContentCodingError) {
            try decoder.finish()
        } catch {
            if unsafe try !takeHeld(sink) {
                problem = Problem(code: .compression, message: error.message)
            }
        }
    }

    // MARK: - gzip at once

    private func finishCollected(_ sink: RecordReader.Sink) throws(ArchiveError) {
        isCollecting = false
        let bytes = collected
        var failure: ArchiveError?
        unsafe bytes.withUnsafeBytes { bytes in
            do throws(ArchiveError) {
                let used = unsafe try inflate(bytes, sink)
                let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[used...])
                // Bytes behind the last member are ignored, as by browsers.
                if !isDone, unsafe !rest.isEmpty, used == 0 || ContentCoding.gzip.mayBegin(rest) {
                    _ = unsafe try decode(rest, sink)
                }
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
    }

    /// Decodes the members that can be decoded at once; returns how many bytes they have.
    private func inflate(
        _ bytes: UnsafeRawBufferPointer,
        _ sink: RecordReader.Sink
    ) throws(ArchiveError) -> Int {
        if unsafe inflater == nil { unsafe inflater = webl_inflater_create() }
        guard let inflater = unsafe inflater, problem == nil else { return 0 }
        if unsafe scratch.isEmpty { resizeScratch(1 << 20) }
        var used = 0
        while used < bytes.count, !isDone {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[used...])
            guard ContentCoding.gzip.mayBegin(rest) else { break }
            var taken = rest.count
            var made = unsafe scratch.count
            switch unsafe webl_inflate_whole(inflater, rest.baseAddress, &taken, scratch.baseAddress, &made) {
            case WEBL_INFLATE_END:
                used += taken
                hasOutput = hasOutput || made > 0
                let piece = unsafe UnsafeRawBufferPointer(rebasing: scratch[..<made])
                if unsafe try !sink(piece) { _ = end() }
            case WEBL_INFLATE_NO_ROOM where unsafe scratch.count < Self.mostScratch:
                unsafe resizeScratch(scratch.count * 2)
            default:
                return used
            }
        }
        return used
    }

    private func resizeScratch(_ size: Int) {
        unsafe scratch.deallocate()
        unsafe scratch = .allocate(byteCount: size, alignment: 64)
    }
}

extension ContentCoding {
    /// Whether bytes may begin a stream of it, as far as that can be seen.
    @safe func mayBegin(_ bytes: UnsafeRawBufferPointer) -> Bool {
        let magic: [UInt8] =
            switch self {
            case .gzip: [0x1F, 0x8B]
            case .zstd: [0x28, 0xB5, 0x2F, 0xFD]
            case .deflate, .brotli: []
            }
        return unsafe bytes.starts(with: magic.prefix(bytes.count))
    }
}

/// The framing of an HTTP message's body that the message's fields specify.
struct BodyFraming {
    var isChunked = false
    /// The content codings, in the order in which they were applied; empty if one of them is unknown.
    var codings: [ContentCoding] = []
    var hasTooManyCodings = false
    /// The number of bytes of the body as it was sent; `nil` if not specified.
    var contentLength: Int?

    /// The same with the content codings left on.
    var withoutCodings: BodyFraming { BodyFraming(isChunked: isChunked, contentLength: contentLength) }
}
