extension SoakAnswer {
    /// How an answer fails.
    enum Fault: CaseIterable {
        case nothing, halfHead, halfBody, halfChunks, badChunk, shortLength, twoLengths, noGzip, halfGzip
        case brokenGzip, cutWithoutLength, stall, dribble, hang, serverError, badGateway, retrySoon, retryLate
        case tooManyRequests, redirectLoop, redirectElsewhere, redirectNowhere, unaskedNotModified
        case otherNotModified, manyInterims, someInterims, hugeHead, manyFields, hugeBody, garbage, noContent
        case nulInField, hostileNumbers
    }

    /// Fails in place of a page, or on the way of sending it.
    init(_ request: SoakRequest, _ page: SoakPage, _ fault: Fault) {
        self.init(request, page)
        let good = steps
        let fields =
            "Content-Type: text/html\r\nCache-Control: max-age=3600\r\nETag: \"\(page.number)-\(page.version)\"\r\n"
        let body = page.bytes
        // The fields of a truncated page that HTTP cannot distinguish from a complete one: it is marked, and must never
        // be stored.
        let marked = "HTTP/1.1 200 OK\r\nX-Fault: cut\r\nCache-Control: no-store\r\n"
        steps = []
        keepsConnection = false
        switch fault {
        case .nothing: break
        case .halfHead: send("HTTP/1.1 200 OK\r\nX: y")
        case .halfBody:
            send("HTTP/1.1 200 OK\r\n\(fields)Content-Length: \(body.count)\r\n\r\n")
            steps.append(.send(Array(body.dropLast(body.count / 2))))
        case .halfChunks:
            send("HTTP/1.1 200 OK\r\n\(fields)Transfer-Encoding: chunked\r\n\r\n40\r\n")
            steps.append(.send(Array(body.prefix(64)) + Array("\r\n40\r\n".utf8)))
        case .badChunk:
            send("HTTP/1.1 200 OK\r\n\(fields)Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\nxyz\r\n")
        case .shortLength:
            send("\(marked)Content-Length: \(body.count / 2)\r\n\r\n")
            steps.append(.send(body))
        case .twoLengths: send("HTTP/1.1 200 OK\r\n\(fields)Content-Length: 1\r\nContent-Length: 2\r\n\r\nab")
        case .noGzip: send("HTTP/1.1 200 OK\r\n\(fields)Content-Encoding: gzip\r\n\r\nno gzip")
        case .halfGzip:
            send("HTTP/1.1 200 OK\r\n\(fields)Content-Encoding: gzip\r\n\r\n")
            steps.append(.send(Gzip.stored(body).dropLast(12 + body.count / 3)))
        case .brokenGzip:
            var coded = Gzip.stored(body)
            coded[coded.count - 6] ^= 1
            send(
                "HTTP/1.1 200 OK\r\n\(fields)Content-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n"
            )
            steps.append(.send(coded))
        case .cutWithoutLength:
            send("\(marked)\r\n")
            steps.append(.send(Array(body.dropLast(body.count / 2))))
        case .stall:
            steps = good.prefix(1) + [.pause(milliseconds: 300)] + good.dropFirst()
        case .dribble: steps = good.flatMap { [.pause(milliseconds: 2), $0] }
        case .hang: steps = [.pause(milliseconds: 500)] + good
        case .serverError: send(500, ["Cache-Control: max-age=3600"], Array("error".utf8))
        case .badGateway: send(502, [], Array("error".utf8))
        case .retrySoon: send(503, ["Retry-After: 0"], [])
        case .retryLate: send(503, ["Retry-After: 120"], [])
        case .tooManyRequests: send(429, ["Retry-After: Sat, 03 Jan 2015 00:00:00 GMT"], [])
        case .redirectLoop: send(302, ["Location: \(request.path)"], [])
        case .redirectElsewhere: send(302, ["Location: ftp://127.0.0.1/"], [])
        case .redirectNowhere: send(302, ["Location: http://[/"], [])
        case .unaskedNotModified:
            // Of one that asks, it would be an answer.
            guard request["if-none-match"] == nil, request["if-modified-since"] == nil else { break }
            send("HTTP/1.1 304 Not Modified\r\n\r\n")
        case .otherNotModified: send("HTTP/1.1 304 Not Modified\r\nETag: \"other\"\r\n\r\n")
        case .manyInterims: send(String(repeating: "HTTP/1.1 103 Early Hints\r\n\r\n", count: 20))
        case .someInterims:
            steps = [.send(Array("HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n".utf8))] + good
        case .hugeHead: send("HTTP/1.1 200 OK\r\nX: \(String(repeating: "x", count: 300_000))\r\n\r\n")
        case .manyFields: send("HTTP/1.1 200 OK\r\n\(String(repeating: "X: y\r\n", count: 2000))\r\n")
        case .hugeBody:
            send("HTTP/1.1 200 OK\r\n\(fields)\r\n")
            steps += Array(repeating: .send([UInt8](repeating: 120, count: 100_000)), count: 15)
        case .garbage: send("no HTTP at all\r\n\r\n")
        case .noContent:
            send("HTTP/1.1 204 No Content\r\n\r\n")
            keepsConnection = true
        case .nulInField: send("HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n")
        case .hostileNumbers: steps = good.prefix(1).map(Self.withHostileNumbers) + good.dropFirst()
        }
    }

    /// A head with numbers that nobody can count with, in fields that make it no other answer.
    private static func withHostileNumbers(_ step: Step) -> Step {
        guard case .send(let head) = step, let end = head.firstIndex(of: 0x0A) else { return step }
        let fields = """
            Set-Cookie: a=b; Max-Age=-9223372036854775808\r
            Set-Cookie: b=c; Max-Age=9223372036854775807\r
            Set-Cookie: c=d; Expires=Fri, 31 Dec 9999 23:59:59 GMT\r
            Retry-After: 99999999999999999999999\r
            Keep-Alive: timeout=18446744073709551616, max=-1\r
            Link: </a>; rel=next; x=1e999\r

            """
        // Of a part it is the place that it is from.
        let isPart = head.starts(with: "HTTP/1.1 206".utf8)
        let range = isPart ? "" : "Content-Range: bytes 0-9223372036854775806/9223372036854775807\r\n"
        return .send(Array(head[...end]) + Array((fields + range).utf8) + Array(head[(end + 1)...]))
    }
}
