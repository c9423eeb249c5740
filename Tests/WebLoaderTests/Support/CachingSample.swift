import HTTPTypes

@testable import WebStandards
@testable import WebTransport

/// The subject of the tests of caching decisions: a response received at one second, and requests for it.
enum CachingSample {
    /// The second at which stored responses were received: Tue, 14 Nov 2023 22:13:20 GMT.
    static let received: Int64 = 1_700_000_000
    static let date = "Tue, 14 Nov 2023 22:13:20 GMT"
    static let minuteEarlier = "Tue, 14 Nov 2023 22:12:20 GMT"
    static let minuteLater = "Tue, 14 Nov 2023 22:14:20 GMT"

    static func timestamp(_ seconds: Int64) -> Timestamp {
        Timestamp(millisecondsSince1970: seconds * 1000)
    }

    static func stored(
        _ fields: [(String, String)],
        status: Int = 200,
        requested: Int64 = received,
        received: Int64 = received,
        body: String = "0123456789"
    ) -> StoredResponse {
        StoredResponse(
            key: "http://a.test/",
            varyingFields: [],
            requestTime: timestamp(requested),
            responseTime: timestamp(received),
            status: status,
            httpVersion: "1.1",
            headerFields: HTTPFields(lines: fields),
            body: .bytes(Array(body.utf8))
        )
    }

    static func request(
        _ policy: CachePolicy = .useProtocolCachePolicy,
        _ fields: [(String, String)] = [],
        method: String = "GET"
    ) throws -> WebRequest {
        var request = WebRequest(url: try WebURL("http://a.test/"), cachePolicy: policy)
        request.headerFields = HTTPFields(lines: fields)
        request.httpMethod = method
        return request
    }

    static func decide(
        _ request: WebRequest,
        _ stored: StoredResponse?,
        after seconds: Int64 = 30
    ) -> CacheDecision {
        CacheDecision.decide(request, stored: stored, now: timestamp(received + seconds))
    }
}

extension StoredBody {
    /// All of it; nil where it cannot be read.
    var all: [UInt8]? { try? bytes(0..<count) }
}
