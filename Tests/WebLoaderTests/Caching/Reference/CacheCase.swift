import HTTPTypes

@testable import WebTransport

/// A random request and a random stored response, for this library and for the reference.
struct CacheCase: CustomStringConvertible {
    static let url = "http://a.test/"

    var request: ReferenceCache.Request
    var stored: ReferenceCache.Stored
    var now: Int64

    init(_ random: inout SeededSequence) {
        let responseTime = 1_700_000_000 + Int64(random.next(1_000_000))
        var response = ReferenceCache.Response()
        response.status =
            random.one(of: 3)
            ? random.pick([
                201, 203, 204, 299, 300, 301, 302, 303, 307, 308, 400, 403, 404, 405, 410, 414, 416, 418, 451,
                500,
                501, 503, 599, 103, 304,
            ]) : 200
        response.fields = Self.responseFields(&random, responseTime)
        var original = ReferenceCache.Request()
        original.fields = Self.selectingFields(&random)
        stored = ReferenceCache.Stored(
            request: original,
            response: response,
            requestTime: responseTime - Int64(random.pick([0, 0, 1, 5, 60, -3])),
            responseTime: responseTime
        )
        request = ReferenceCache.Request()
        request.method = random.pick([
            "GET", "GET", "GET", "GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "X",
        ])
        request.fields = Self.requestFields(&random, responseTime)
        now =
            responseTime
            + Int64(random.pick([0, 1, 5, 9, 10, 11, 30, 59, 60, 61, 100, 3600, 86_400, -4, -100]))
    }

    var description: String {
        func text(_ fields: ReferenceFields) -> String {
            fields.lines.map { "\($0.name): \($0.value)" }.joined(separator: "; ")
        }
        return
            "\(request.method) [\(text(request.fields))], for [\(text(stored.request.fields))] \(stored.response.status) "
            + "[\(text(stored.response.fields))], sent \(stored.requestTime), received \(stored.responseTime), now \(now)"
    }

    // MARK: - As this library has them

    func webRequest(_ policy: CachePolicy = .useProtocolCachePolicy) throws -> WebRequest {
        try Self.webRequest(request, policy)
    }

    private static func webRequest(
        _ request: ReferenceCache.Request,
        _ policy: CachePolicy
    ) throws -> WebRequest {
        var made = WebRequest(url: try WebURL(url), cachePolicy: policy)
        made.httpMethod = request.method
        made.headerFields = HTTPFields(lines: request.fields.lines)
        return made
    }

    func webResponse() throws -> WebResponse {
        WebResponse(
            url: try WebURL(Self.url),
            status: .init(code: stored.response.status),
            headerFields: HTTPFields(lines: stored.response.fields.lines),
            body: Array("body".utf8),
            source: .network
        )
    }

    func storedResponse() throws -> StoredResponse {
        let fields = HTTPFields(lines: stored.response.fields.lines)
        return StoredResponse(
            key: Self.url,
            varyingFields: VaryingFields.of(
                try Self.webRequest(stored.request, .useProtocolCachePolicy),
                fields
            ),
            requestTime: CachingSample.timestamp(stored.requestTime),
            responseTime: CachingSample.timestamp(stored.responseTime),
            status: stored.response.status,
            headerFields: fields,
            body: .bytes(Array("body".utf8))
        )
    }

    // MARK: - Fields

    private static func responseFields(
        _ random: inout SeededSequence,
        _ responseTime: Int64
    ) -> ReferenceFields {
        var fields = ReferenceFields()
        if !random.one(of: 4) {
            fields.append("Date", date(&random, near: responseTime, [0, 0, 0, -1, -7, -60, 5, -4000]))
        }
        for _ in 0..<random.pick([0, 1, 1, 1, 2]) {
            fields.append("Cache-Control", responseDirectives(&random))
        }
        for _ in 0..<random.pick([0, 0, 1, 1, 2]) where random.one(of: 2) {
            fields.append("Expires", date(&random, near: responseTime, [0, 10, 60, 3600, -60, 9_999_999]))
        }
        if random.one(of: 2) {
            fields.append(
                "Last-Modified",
                date(&random, near: responseTime, [-100, -1000, -99_999_999, 0, 50])
            )
        }
        if random.one(of: 2) { fields.append("ETag", random.pick(["\"a\"", "W/\"a\"", "\"b\""])) }
        for _ in 0..<random.pick([0, 0, 0, 1, 1, 2]) {
            fields.append(
                "Age",
                random.pick(["0", "3", "10", "100, 5", "-1", "x", "", "99999999999999999999", "1.5", ",7"])
            )
        }
        for _ in 0..<random.pick([0, 0, 0, 1, 2]) {
            fields.append("Vary", random.pick(["X-A", "x-a, X-B", "*", "X-A, *", "", " X-B ,, ", "X-C"]))
        }
        if random.one(of: 9) { fields.append("Pragma", random.pick(["no-cache", "x, No-Cache", "x"])) }
        if random.one(of: 9) {
            fields.append("Content-Location", random.pick([url, "http://b.test/", "http://a.test/other"]))
        }
        return fields
    }

    private static func responseDirectives(_ random: inout SeededSequence) -> String {
        let seconds = seconds(&random)
        return random.list(random.pick([1, 1, 2, 3])) { random in
            random.pick([
                "max-age=\(seconds)", "Max-Age=\"\(seconds)\"", "max-age", "s-maxage=\(seconds)", "no-cache",
                "no-store",
                "must-revalidate", "proxy-revalidate", "private", "public", "immutable", "must-understand",
                "no-cache=\"Set-Cookie\"", "no-cache=\"a, b\"", "private=\"x\"", "no-cache=\"\"",
                "no-transform", "unknown=1",
                "stale-while-revalidate=\(seconds)", "stale-if-error=\(seconds)", "x=\"max-age=9, no-store\"",
                "",
            ])
        }.joined(separator: random.pick([",", ", ", " , ,"]))
    }

    private static func requestFields(
        _ random: inout SeededSequence,
        _ responseTime: Int64
    ) -> ReferenceFields {
        var fields = selectingFields(&random)
        if random.one(of: 2) {
            let seconds = seconds(&random)
            let directives = random.list(random.pick([1, 1, 2])) { random in
                random.pick([
                    "max-age=\(seconds)", "max-stale", "max-stale=\(seconds)", "min-fresh=\(seconds)",
                    "no-cache", "no-store",
                    "only-if-cached", "stale-if-error=\(seconds)", "unknown",
                ])
            }
            fields.append("Cache-Control", directives.joined(separator: ", "))
        }
        if random.one(of: 7) { fields.append("Pragma", "no-cache") }
        if random.one(of: 6) {
            fields.append("If-None-Match", random.pick(["*", "\"a\"", "W/\"a\"", "\"b\", \"c\"", "\"x\""]))
        }
        if random.one(of: 6) {
            fields.append("If-Modified-Since", date(&random, near: responseTime, [-1000, 0, 100]))
        }
        if random.one(of: 20) { fields.append("If-Match", "\"a\"") }
        return fields
    }

    private static func selectingFields(_ random: inout SeededSequence) -> ReferenceFields {
        var fields = ReferenceFields()
        for name in ["X-A", "X-B"] where random.one(of: 3) {
            fields.append(name, random.pick(["1", "1", "2"]))
        }
        if random.one(of: 8) { fields.append("Authorization", random.pick(["Basic YTpi", "Basic Yzpk"])) }
        return fields
    }

    private static func seconds(_ random: inout SeededSequence) -> String {
        random.pick([
            "0", "1", "9", "10", "11", "60", "100", "3600", "86400", "2147483647", "2147483648",
            "99999999999999999999", "-1", "1.5",
            "x", "010", "",
        ])
    }

    /// A date some seconds from a moment, in one of the formats, or none.
    static func date(_ random: inout SeededSequence, near moment: Int64, _ distances: [Int64]) -> String {
        let date = moment + random.pick(distances)
        switch random.next(12) {
        case 0: return ReferenceDate.formatRFC850(date)
        case 1: return ReferenceDate.formatASCTime(date)
        case 2: return ReferenceDate.format(date).lowercased()
        case 3:
            return random.pick([
                "0", "-1", "soon", "", "Sun, 31 Feb 2023 00:00:00 GMT", "2023-01-01T00:00:00Z",
            ])
        default: return ReferenceDate.format(date)
        }
    }
}
