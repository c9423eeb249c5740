import HTTPTypes

@testable import WebLoader

/// One load of a history: the request, the kind of load, and when it is cancelled.
struct HistoryRequest {
    enum Kind { case fetch, load, observedLoad, stream }

    var request: WebRequest
    var kind: Kind
    /// The seconds after which its task is cancelled; `nil` if it is not cancelled.
    var cancelling: Double?
    /// The number of the question that its delegate answers with no; -1 if it refuses nothing.
    var refused = -1

    init(_ source: ByteSource, now: Int64) {
        request = WebRequest(url: HistoryURL.make(source))
        kind = source.pick([.fetch, .fetch, .fetch, .load, .observedLoad, .stream])
        let choices = source.byte()
        if choices & 3 == 3 { request.cachePolicy = source.pick(CachePolicy.allCases) }
        if choices & 4 != 0 { fields(source, now) }
        if choices & 0x18 == 0x18 {
            request.httpMethod = source.pick(["HEAD", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "X"])
            if request.httpMethod == "POST" || source.isOne(of: 4) { request.httpBody = source.text(2) }
        }
        if choices & 0x60 == 0x60 {
            request.followsRedirects = !source.isOne(of: 4)
            request.storesResponse = !source.isOne(of: 3)
            request.keepsForOfflineUse = source.isOne(of: 2)
        }
        if choices & 0x80 != 0 {
            request.timeoutInterval = source.pick([
                .seconds(60), .zero, .seconds(1), .seconds(Int64.max), .seconds(-1), .seconds(Int64.min),
                .nanoseconds(1),
            ])
            if source.isOne(of: 4) { cancelling = source.pick([0, 0.25, 1, 5, 100]) }
            if source.isOne(of: 4) { refused = source.number(below: 3) }
        }
    }

    private mutating func fields(_ source: ByteSource, _ now: Int64) {
        let hostile = HostileFields(source: source, now: now, serial: 0)
        for _ in 0...source.number(below: 3) {
            let (name, value): (String, String) =
                switch source.number(below: 12) {
                case 0, 1: ("Range", range(source, hostile))
                case 2: ("Authorization", source.pick(["Basic a", "Basic b"]))
                case 3: ("X-A", source.pick(["1", "2"]))
                case 4: ("Cache-Control", Self.directives(source, hostile))
                case 5:
                    ("If-None-Match", source.pick(["\"v\"", "*", "W/\"v\"", "\"v0\"", "\"v1\", \"v\"", "x"]))
                case 6: ("If-Modified-Since", hostile.date())
                case 7:
                    (
                        "If-Range",
                        source.isOne(of: 2) ? hostile.date() : source.pick(["\"v\"", "\"v0\"", "W/\"v0\""])
                    )
                case 8:
                    (
                        "Accept-Language",
                        source.pick(["en", "de", "en, de;q=0.5", "de;q=0.9, en;q=0.1", "*", "en;q=x"])
                    )
                case 9: ("Cookie", "own=1")
                case 10:
                    (
                        source.pick(["If-Match", "If-Unmodified-Since", "Pragma"]),
                        source.pick(["\"v\"", "no-cache", "*"])
                    )
                default:
                    (source.pick(["Accept", "User-Agent", "Origin", "Referer"]), source.pick(["x", "*/*"]))
                }
            request.setValue(value, forHTTPHeaderField: name)
        }
        if source.isOne(of: 8) { request.omittedFields.insert(.acceptLanguage) }
    }

    private func range(_ source: ByteSource, _ hostile: HostileFields) -> String {
        switch source.number(below: 6) {
        case 0...2: "bytes=\(source.pick(["0-", "0-9", "10-19", "32-63", "-10", "20-", "0-99", "100-999"]))"
        case 3: "bytes=\(hostile.number())-\(hostile.number())"
        case 4: "bytes=-\(hostile.number())"
        default: source.pick(["bytes=0-1,5-6", "items=0-1", "bytes=5-1", "bytes=-", "BYTES=0-0"])
        }
    }

    private static func directives(_ source: ByteSource, _ hostile: HostileFields) -> String {
        (0...source.number(below: 2)).map { _ in
            let name = source.pick([
                "no-cache", "no-store", "max-age", "max-stale", "min-fresh", "only-if-cached",
                "stale-if-error", "max-stale=",
            ])
            return ["no-cache", "no-store", "only-if-cached"].contains(name) || source.isOne(of: 4)
                ? name : "\(name)=\(hostile.number())"
        }.joined(separator: ", ")
    }
}
