/// The response of the soak's server to a request: what it sends, and where it fails.
struct SoakAnswer {
    enum Step {
        case send([UInt8])
        /// Nothing for a while, or until the other side goes away.
        case pause(milliseconds: Int32)
    }

    var steps: [Step] = []
    var keepsConnection = true

    mutating func send(_ text: String) { steps.append(.send(Array(text.utf8))) }

    /// Answers with a page, a redirect, or a 304 where the client has the page already.
    init(_ request: SoakRequest, _ page: SoakPage) { answer(request, page) }

    private mutating func answer(_ request: SoakRequest, _ page: SoakPage) {
        let caching = SoakCaching(page.number)
        let fields = caching.fields(page)
        if caching == .movedForGood || caching == .moved {
            let status =
                caching == .moved ? [302, 303, 307][page.version % 3] : [301, 308][page.version % 2]
            let target = "Location: /p/\((page.number + 2) % SoakPage.count)"
            return send(status, fields + [target], [])
        }
        if let tags = request["if-none-match"] {
            if fields.contains(where: { $0.hasPrefix("ETag: ") && tags.contains($0.dropFirst(6)) }) {
                return notModified(fields)
            }
        } else if let date = request["if-modified-since"], fields.contains("Last-Modified: \(date)") {
            return notModified(fields)
        }
        var page = page
        if caching != .varying { page.flavour = "-" }
        let body = page.bytes
        let typed = fields + ["Content-Type: \(page.form.rawValue)"]
        if caching == .parts, let part = Self.part(request, fields, body.count) {
            let range = "Content-Range: bytes \(part.lowerBound)-\(part.upperBound - 1)/\(body.count)"
            return send(206, typed + [range], Array(body[part]))
        }
        guard request.method != "HEAD" else {
            return send("HTTP/1.1 200 OK\r\n\(Self.text(typed))Content-Length: \(body.count)\r\n\r\n")
        }
        switch page.version % 4 {
        case 0: send(200, typed, body)
        // A coded page would be another representation than the one that has parts, and needed another tag.
        case 1 where caching != .parts && request["accept-encoding"]?.contains("gzip") ?? false:
            send(200, typed + ["Content-Encoding: gzip"], Gzip.stored(body))
        case 2: sendChunked(typed, body)
        default:
            send("HTTP/1.1 200 OK\r\n\(Self.text(typed))Connection: close\r\n\r\n")
            steps.append(.send(body))
            keepsConnection = false
        }
    }

    private mutating func notModified(_ fields: [String]) {
        send("HTTP/1.1 304 Not Modified\r\n\(Self.text(fields))\r\n")
    }

    mutating func send(_ status: Int, _ fields: [String], _ body: [UInt8]) {
        send("HTTP/1.1 \(status) X\r\n\(Self.text(fields))Content-Length: \(body.count)\r\n\r\n")
        steps.append(.send(body))
    }

    private mutating func sendChunked(_ fields: [String], _ body: [UInt8]) {
        send("HTTP/1.1 200 OK\r\n\(Self.text(fields))Transfer-Encoding: chunked\r\n\r\n")
        for start in stride(from: 0, to: body.count, by: 4000) {
            let chunk = body[start..<min(body.count, start + 4000)]
            steps.append(
                .send(Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8))
            )
        }
        send("0\r\n\r\n")
    }

    private static func text(_ fields: [String]) -> String { fields.map { $0 + "\r\n" }.joined() }

    /// The part of a body that is asked for, by "bytes=FIRST-LAST"; nil for all of it.
    private static func part(_ request: SoakRequest, _ fields: [String], _ count: Int) -> Range<Int>? {
        if let condition = request["if-range"], !fields.contains("ETag: \(condition)") { return nil }
        guard let ends = request["range"]?.dropFirst(6).split(separator: "-"), ends.count == 2,
            let first = Int(ends[0]), let last = Int(ends[1]), first <= last, first < count
        else { return nil }
        return first..<min(count, last + 1)
    }
}
