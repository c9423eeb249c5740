import Glibc
import WebArchive

/// The bytes that a transfer sends and receives, as on the wire, for an ``ExchangeRecorder``.
///
/// The driver's thread fills it; after the end of the transfer, the caller takes the exchange, so it is Sendable.
final class ExchangeRecording: @unchecked Sendable {
    private let request: WebRequest
    private let temporaryFolder: String
    private var date = Timestamp.now

    /// The last head that was sent: libcurl sends a request again if a reused connection has been closed.
    private var sentHead: [UInt8] = []
    private var reason = ""
    private var fields: [(name: String, value: [UInt8])] = []
    private var status: Int?

    private var body: [UInt8] = []
    private var file: TemporaryFile?
    private var count = 0

    /// Set when the transfer ends.
    var connection: IncomingResponse.Connection?

    /// Bytes of a body that are kept in memory.
    private static let maximumInMemory = 1 << 20

    init(_ request: WebRequest, temporaryFolder: String) {
        self.request = request
        self.temporaryFolder = temporaryFolder
    }

    // MARK: - Request

    /// Begins with the request; before that, it waited for its turn.
    func begin() { date = .now }

    /// Takes a part of a request's head.
    func takeSent(_ bytes: UnsafeRawBufferPointer) {
        // Another one, as after a proxy's CONNECT.
        if sentHead.suffix(4).elementsEqual(Self.endOfHead) { sentHead = [] }
        unsafe sentHead.append(contentsOf: bytes)
    }

    private static let endOfHead: [UInt8] = [0x0D, 0x0A, 0x0D, 0x0A]

    // MARK: - Response

    /// Takes a line of the response's head.
    func takeLine(_ bytes: UnsafeRawBufferPointer) {
        var line = unsafe Array(bytes)[...]
        while let last = line.last, last == 0x0A || last == 0x0D { line.removeLast() }
        if line.starts(with: "HTTP/".utf8) {
            // Of an interim response nothing stays.
            fields = []
            let words = line.split(separator: 0x20, maxSplits: 2)
            reason = words.count < 3 ? "" : String(decoding: words[2], as: UTF8.self)
        } else if line.first?.isHTTPTabOrSpace == true {
            // A folded line; no archive should have those.
            guard let last = fields.indices.last else { return }
            fields[last].value += [0x20] + Self.trimmed(line)
        } else if let colon = line.firstIndex(of: 0x3A) {
            let name = String(decoding: line[..<colon], as: UTF8.self)
            fields.append((name, Array(Self.trimmed(line[(colon + 1)...]))))
        }
    }

    /// Notes that the head is complete.
    func endHead(_ status: Int) { self.status = status }

    /// Takes a piece of the body without its transfer coding.
    func takeBody(_ bytes: UnsafeRawBufferPointer) throws(FetchError) {
        unsafe body.append(contentsOf: bytes)
        guard count + body.count > Self.maximumInMemory else { return }
        do throws(File.Failure) {
            if file == nil { file = try TemporaryFile(".webloader-body-", in: Directory(temporaryFolder)) }
            try file?.file.write(body)
        } catch {
            throw FetchError(
                ArchiveError(.unwritable, "\(temporaryFolder) cannot take a large body: \(error.text)")
            )
        }
        count += body.count
        body.removeAll(keepingCapacity: true)
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var bytes = bytes
        while let last = bytes.last, last.isHTTPTabOrSpace { bytes.removeLast() }
        while let first = bytes.first, first.isHTTPTabOrSpace { bytes.removeFirst() }
        return bytes
    }

    // MARK: - The end

    /// Passes the exchange to a recorder, unless no head of a response was received.
    ///
    /// - Parameters:
    ///   - failure: The error that ended the transfer early; `nil` if there was none.
    ///   - recorder: Receives the exchange.
    /// - Throws: ``FetchError`` if it cannot be recorded.
    func end(_ failure: FetchError?, _ recorder: any ExchangeRecorder) throws(FetchError) {
        guard let status else { return }
        var exchange = ArchivedExchange(url: request.url, date: date, status: status)
        exchange.address = connection?.remoteAddress
        exchange.version = connection?.httpVersion ?? "1.1"
        exchange.method = request.httpMethod
        exchange.requestFields = sentFields()
        exchange.requestBody = request.httpBody ?? []
        exchange.reason = reason
        exchange.responseFields = fields
        exchange.truncated = failure?.truncation
        exchange.timing = connection?.timing
        if let descriptor = file?.file.descriptor {
            exchange.body = .file(descriptor: descriptor, count: count)
        } else {
            exchange.body = .bytes(body)
        }
        do throws(ArchiveError) {
            // The file is open as long as this is.
            try withExtendedLifetime(self) { () throws(ArchiveError) in try recorder.record(exchange) }
        } catch {
            throw FetchError(error)
        }
    }

    /// The fields that were sent; if libcurl did not tell, those that it was given.
    private func sentFields() -> [(name: String, value: [UInt8])] {
        guard !sentHead.isEmpty else {
            let given = request.headerFields.map { ($0.name.rawName, Array($0.value.utf8)) }
            return [("Host", Array((request.url.host ?? "").utf8))] + given
        }
        return sentHead.split(separator: 0x0A).dropFirst().compactMap { line in
            guard let colon = line.dropFirst().firstIndex(of: 0x3A) else { return nil }
            let value = line[(colon + 1)...].filter { $0 != 0x0D }
            return (String(decoding: line[..<colon], as: UTF8.self), Array(Self.trimmed(value[...])))
        }
    }
}
