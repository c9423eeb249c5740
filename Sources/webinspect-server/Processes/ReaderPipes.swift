import CServer
import Glibc
import WebStandards

/// One end of each of the three pipes between this process and a reader; they are non-blocking on this side.
struct ReaderPipes {
    /// The maximum bytes of standard error that are stored: its end.
    private static let maximumErrorLength = 2 << 10
    private static let maximumErrorPieces = 16
    private static let pieceLength = 64 << 10

    /// The reader's standard streams; -1 for one that is closed.
    private(set) var input: Int32 = -1
    private(set) var output: Int32 = -1
    private(set) var error: Int32 = -1
    private var errorText: [UInt8] = []

    /// The result of reading from the reader.
    enum Reading {
        case bytes(ArraySlice<UInt8>)
        case nothing
        case end
    }

    /// Creates three pipes, which no other process inherits.
    ///
    /// - Returns: The ends for this process, and those for the reader.
    static func make() throws(ServeError) -> (own: ReaderPipes, other: ReaderPipes) {
        var (own, other) = (ReaderPipes(), ReaderPipes())
        var code = connect(&other.input, &own.input)
        if code == 0 { code = connect(&own.output, &other.output) }
        if code == 0 { code = connect(&own.error, &other.error) }
        guard code == 0 else {
            own.close()
            other.close()
            let reason = File.Failure(errno: code).text
            throw ServeError(503, "process.start", "there are no pipes for a reader: \(reason)")
        }
        for descriptor in [own.input, own.output, own.error] { _ = fcntl(descriptor, F_SETFL, O_NONBLOCK) }
        return (own, other)
    }

    private static func connect(_ reading: inout Int32, _ writing: inout Int32) -> Int32 {
        var ends: [Int32] = [-1, -1]
        let code = unsafe webl_pipe(&ends)
        (reading, writing) = (ends[0], ends[1])
        return code
    }

    mutating func close() {
        Self.close(&input)
        Self.close(&output)
        Self.close(&error)
    }

    /// Closes the reader's standard input: no more requests follow.
    mutating func closeInput() { Self.close(&input) }

    private static func close(_ descriptor: inout Int32) {
        if descriptor >= 0 { _ = Glibc.close(descriptor) }
        descriptor = -1
    }

    // MARK: - Reading and writing

    /// Waits until the reader sends something, or, with `toWrite`, can receive something; at most the given seconds.
    func wait(toWrite: Bool, seconds: Double) {
        let (reading, writing) = (Int16(truncatingIfNeeded: POLLIN), Int16(truncatingIfNeeded: POLLOUT))
        var descriptors = [
            pollfd(fd: output, events: reading, revents: 0), pollfd(fd: error, events: reading, revents: 0),
            pollfd(fd: toWrite ? input : -1, events: writing, revents: 0),
        ]
        // Rounded up, so that the last millisecond is not spent without waiting.
        let milliseconds = Int32(clamping: Int(bounded: (max(0, seconds) * 1000).rounded(.up)))
        _ = unsafe poll(&descriptors, 3, milliseconds)
    }

    /// Writes as many of some bytes as the reader can receive at once, and removes those.
    ///
    /// All are removed if the reader no longer reads.
    mutating func write(_ bytes: inout ArraySlice<UInt8>) {
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(input, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if count < 0, errno == EAGAIN {
                return
            } else if count == 0 || errno != EINTR {
                bytes = []
            }
        }
    }

    /// Reads one piece of what is available on standard output.
    func read() -> Reading { Self.read(output) }

    /// Reads some pieces of what is available on standard error, which may be endless.
    mutating func readError() {
        for _ in 0..<Self.maximumErrorPieces {
            switch Self.read(error) {
            case .bytes(let bytes): errorText = (errorText + bytes).suffix(Self.maximumErrorLength)
            case .nothing: return
            case .end: return Self.close(&error)
            }
        }
    }

    /// The end of the text received on standard error.
    var lastError: String { String(decoding: errorText, as: UTF8.self).trimmingASCIIWhitespace }

    private static func read(_ descriptor: Int32) -> Reading {
        guard descriptor >= 0 else { return .nothing }
        var code: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: pieceLength) { buffer, count in
            let got = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
            code = got < 0 ? errno : 0
            count = max(0, got)
        }
        if !bytes.isEmpty { return .bytes(bytes[...]) }
        return code == EAGAIN || code == EINTR ? .nothing : .end
    }
}
