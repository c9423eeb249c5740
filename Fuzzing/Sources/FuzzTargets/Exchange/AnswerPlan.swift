import HTTPTypes

@testable import WebLoader

/// The server's response to one request, as the input determines it.
struct AnswerPlan {
    /// The lines of the interim responses and of the final one, without line ends.
    var lines: [String] = []
    /// The body as it is sent.
    var body: [UInt8] = []
    /// The offset of the body in the representation.
    var start = 0
    /// The number of bytes of the representation that the body covers.
    var count = 0
    /// Seconds before the first line, and before each piece of the body.
    var delay = 0.0
    var pieceDelay = 0.0
    var pieceLength = Int.max
    /// The failure with which the connection ends, and the number of bytes of the body before it; `nil` if it ends
    /// normally.
    var failure: FetchError.Code?
    var failurePosition = -1
    var isVerified = true
    var cookies: [SentCookie] = []

    private static let delays = [0, 0, 0, 0, 0.5, 1, 4, 29, 61, 301, 100_000]
    private static let lengths = [0, 1, 31, 32, 33, 64, 100, 320, 1000, 5000]
    private static let failures: [FetchError.Code] = [
        .connectionLost, .connection, .nameResolution, .timeout, .tls, .connectTimeout, .malformedResponse,
        .certificateExpired, .addressRefused,
    ]

    init(_ request: WebRequest, serial: Int, _ source: ByteSource, _ server: inout ServerState) {
        let hostile = HostileFields(source: source, now: server.now, serial: serial)
        if source.isOne(of: 8) { delay = source.pick(Self.delays) }
        for _ in 0..<(source.isOne(of: 12) ? source.number(below: 20) : 0) {
            lines += ["HTTP/1.1 \(source.pick([100, 102, 103, 199]))", "Link: </a>", ""]
        }
        var status = 200
        var fields: [(String, String)] = []
        switch source.number(below: 16) {
        case 0...5: (status, fields) = honest(request, source, &server)
        case 6, 7:
            status = source.pick([301, 302, 303, 307, 308])
            fields.append(("Location", hostile.location()))
            if source.isOne(of: 4) { fields.append(("Location", hostile.location())) }
            if source.isOne(of: 2) { fields.append(("Cache-Control", "max-age=60")) }
        case 8:
            failure = source.pick(Self.failures)
            if source.isOne(of: 2) { failurePosition = source.number(below: 100) }
            count = source.pick(Self.lengths)
        case 9: (status, fields) = (304, [("ETag", source.pick(["\"v\"", "\"w\"", "W/\"v\""]))])
        case 10:
            status = 206
            start = source.pick([0, 1, 10, 32, 100, 1000])
            count = max(1, source.pick(Self.lengths))
            let end = start + count + source.pick([0, 0, 0, 1, 100])
            fields.append(
                (
                    "Content-Range",
                    "bytes \(start)-\(end - 1)/\(source.isOne(of: 2) ? "*" : "\(end + source.pick([0, 0, 50]))")"
                )
            )
            fields.append(("ETag", source.pick(["\"v\"", "\"w\"", "W/\"v\""])))
        case 11:
            status = source.pick([500, 502, 503, 504, 429, 408])
            if source.isOne(of: 2) { fields.append(("Retry-After", hostile.value("Retry-After"))) }
            count = source.pick(Self.lengths)
        case 12: count = source.pick([262_144, 262_145, 300_000, 5000])
        default:
            status =
                source.isOne(of: 2)
                ? 100 + source.number(below: 250) * 4
                : source.pick([200, 203, 204, 205, 404, 410, 416, 501, 999])
            count = source.pick(Self.lengths)
        }
        if !source.isOne(of: 3) {
            fields.append(
                (
                    "Cache-Control",
                    source.isOne(of: 2) ? hostile.value("Cache-Control") : source.pick(Self.lifetimes)
                )
            )
        }
        if !source.isOne(of: 3) {
            fields.append(("Date", HTTPDate(secondsSince1970: server.now / 1000).description))
        }
        for _ in 0..<max(0, source.number(below: 12) - 5) {
            let name = source.pick(HostileFields.names)
            fields.append((name, hostile.value(name)))
        }
        for number in 0..<(source.isOne(of: 4) ? source.number(below: 4) : 0) {
            let (field, cookie) = hostile.cookie(number, from: request.url)
            fields.append(("Set-Cookie", field))
            cookies.append(cookie)
        }
        if source.isOne(of: 6) {
            fields.append(("Strict-Transport-Security", hostile.strictTransportSecurity()))
            isVerified = !source.isOne(of: 4)
        }
        fields.insert(("X-Serial", "\(serial)"), at: 0)
        lines.append("\(source.isOne(of: 8) ? "HTTP/2" : "HTTP/1.1") \(status) x")
        lines += fields.map { "\($0.0): \($0.1)" }
        if source.isOne(of: 12) {
            let odd = source.pick([" folded", hostile.raw(), "\tx", ":", "X"])
            // An empty line would end the head.
            if !odd.isEmpty { lines.append(odd) }
            // RFC 9112, section 5.2: such a line continues the value before it.
            if odd.first == " " || odd.first == "\t", let last = fields.last, last.0 == "Set-Cookie",
                let index = cookies.indices.last
            {
                cookies[index].goOn(after: last.1, with: odd)
            }
        }
        lines.append("")
        start = 0
        body = MarkedBody.bytes(serial, 0..<count)
        if status != 206, source.isOne(of: 8) {
            lines.insert("Content-Encoding: \(source.pick(["gzip", "x-gzip"]))", at: lines.count - 1)
            body = source.isOne(of: 4) ? body + hostile.source.text(9) : Gzip.stored(body)
        }
        if source.isOne(of: 4) {
            let length = source.isOne(of: 3) ? body.count + source.pick([1, -1, 100]) : body.count
            lines.insert("Content-Length: \(length)", at: lines.count - 1)
        }
        if source.isOne(of: 4) {
            pieceLength = source.pick([1000, 1, 32, 100, 70_000])
            if body.count / pieceLength > 200 { pieceLength = 10_000 }
            pieceDelay = source.pick(Self.delays)
        }
    }

    private static let lifetimes = [
        "max-age=60", "max-age=0", "no-cache", "no-store", "max-age=60, stale-while-revalidate=600",
        "max-age=10, must-revalidate",
        "max-age=0, stale-if-error=600", "private, max-age=3600", "max-age=31536000, immutable", "public",
    ]

    /// Answers like a correct server: with validators, parts and "not modified".
    private mutating func honest(
        _ request: WebRequest,
        _ source: ByteSource,
        _ server: inout ServerState
    ) -> (Int, [(String, String)]) {
        let path = request.url.path
        if source.isOne(of: 6) { server.versions[path, default: 0] += 1 }
        let version = server.versions[path, default: 0]
        count = Self.lengths[(version + path.utf8.count + 6) % Self.lengths.count]
        let tag = "\(version % 3 == 2 ? "W/" : "")\"v\(version)\""
        var fields: [(String, String)] = []
        if version % 5 != 4 { fields.append(("ETag", tag)) }
        if version % 2 == 0 {
            fields.append(
                (
                    "Last-Modified",
                    HTTPDate(secondsSince1970: 1_600_000_000 + Int64(version) * 1000).description
                )
            )
        }
        if source.isOne(of: 4) {
            fields.append(
                ("Vary", source.pick(["X-A", "Accept-Language", "Cookie", "*", "X-A, Authorization"]))
            )
        }
        if let condition = request.headerFields[.ifNoneMatch], condition.contains(tag) {
            count = 0
            return (304, fields)
        }
        if request.httpMethod == "GET", let range = request.headerFields[.range].flatMap({ ByteRange($0) }),
            !source.isOne(of: 4)
        {
            guard let positions = range.positions(of: Int64(count)) else {
                let length = count
                count = 0
                return (416, fields + [("Content-Range", "bytes */\(length)")])
            }
            let length = source.isOne(of: 4) ? nil : Int64(count)
            start = Int(positions.lowerBound)
            count = positions.count
            fields.append(
                ("Content-Range", ContentRange(positions: positions, completeLength: length).description)
            )
            return (206, fields)
        }
        return (200, fields)
    }

    /// Replaces the bytes of a part with those at the place that its Content-Range names.
    mutating func place(_ serial: Int, by fields: HTTPFields) {
        guard let range = fields[values: .contentRange].first.flatMap({ ContentRange($0) }) else { return }
        start = Int(min(range.positions.lowerBound, 1 << 40))
        body = MarkedBody.bytes(serial, start..<start + count)
    }
}

/// The state of the server between requests.
struct ServerState {
    /// Milliseconds since 1970.
    var now: Int64 = 0
    var versions: [String: Int] = [:]
}
