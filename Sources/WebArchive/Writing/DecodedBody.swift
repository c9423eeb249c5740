import Glibc
import HTTPTypes
import WebStandards

/// The body of an exchange without its content coding.
struct DecodedBody {
    private let body: ArchivedBody
    private let codings: [ContentCoding]

    /// Bytes that a body may decode to.
    private static let maximumSize = 1 << 40

    /// The body; nil if it is not known.
    ///
    /// One in a coding that nobody knows stays as it is, as in browsers.
    init?(of exchange: ArchivedExchange) {
        guard let body = exchange.body else { return nil }
        self.body = body
        let fields = exchange.responseFields.lazy
            .filter { $0.name.isEqualIgnoringASCIICase(to: "Content-Encoding") }
            .map { HTTPField(name: .contentEncoding, value: String(decoding: $0.value, as: UTF8.self)) }
        codings = (try? ContentCoding.codings(in: HTTPFields(received: fields))).flatMap { $0 } ?? []
    }

    /// Passes the body's bytes to a closure; it may be read more than once.
    ///
    /// - Throws: ``ArchiveError/Code/body`` if it cannot be decoded; what the closure throws.
    func read(_ sink: (UnsafeRawBufferPointer) throws(ArchiveError) -> Void) throws(ArchiveError) {
        _ = try unsafe readWhileWanted { piece throws(ArchiveError) in
            unsafe try sink(piece)
            return true
        }
    }

    /// The first bytes, at most so many; no more is decoded.
    func head(_ maximumLength: Int) throws(ArchiveError) -> [UInt8] {
        var head: [UInt8] = []
        _ = try unsafe readWhileWanted { piece throws(ArchiveError) in
            unsafe head.append(contentsOf: piece.prefix(maximumLength - head.count))
            return head.count < maximumLength
        }
        return head
    }

    /// Passes the body's bytes to a closure, until that wants no more; returns whether that took all.
    private func readWhileWanted(_ sink: RecordReader.Sink) throws(ArchiveError) -> Bool {
        guard !codings.isEmpty else { return unsafe try readCoded(sink) }
        let decoder = try ContentDecoder(archived: codings, maximumSize: Self.maximumSize)
        let isWhole = try unsafe readCoded { piece throws(ArchiveError) in
            var piece = unsafe piece
            var (isDone, isWanted) = (false, true)
            while !isDone, isWanted {
                isDone = unsafe try decoder.decode(
                    archived: &piece,
                    { decoded throws(ArchiveError) in
                        isWanted = unsafe try sink(decoded)
                        return isWanted
                    }
                )
            }
            return isWanted
        }
        if isWhole { try decoder.finish(archived: ()) }
        return isWhole
    }

    private func readCoded(_ sink: RecordReader.Sink) throws(ArchiveError) -> Bool {
        switch body {
        case .bytes(let bytes):
            return unsafe try pass(bytes, to: sink)
        case .file(let descriptor, let count):
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 64 << 10, alignment: 1)
            defer { unsafe buffer.deallocate() }
            var offset = 0
            while offset < count {
                let got = unsafe pread(
                    descriptor,
                    buffer.baseAddress,
                    min(buffer.count, count - offset),
                    offset
                )
                if got < 0, errno == EINTR { continue }
                guard got > 0 else { throw ArchiveError(.unreadable, "the file of a body cannot be read") }
                guard unsafe try sink(UnsafeRawBufferPointer(rebasing: buffer[..<got])) else { return false }
                offset += got
            }
            return true
        }
    }
}
