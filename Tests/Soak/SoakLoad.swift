import HTTPTypes
import TestSupport
import WebLoader

/// One load of the soak: its request, its options and the action on its result, all derived from its number.
struct SoakLoad: Sendable {
    /// The action that is performed.
    enum Action: Sendable {
        case load, inspect, fetch
        case extract(SoakRecipe)
    }

    let number: Int
    let page: Int
    let flavour: String
    let request: WebRequest
    let action: Action
    /// Whether the time-out is one that the server's pauses meet.
    let isHurried: Bool
    /// When it is cancelled: after so many milliseconds, 0 for at once; nil for never.
    let cancellation: Int?
    /// The part that is asked for, nil for all.
    let part: ClosedRange<Int>?

    init(_ number: Int, ports: [Int]) throws(WebURLError) {
        var generator = SeededGenerator(seed: UInt64(number) &* 0x9E37_79B9)
        func one(of count: Int) -> Bool { Int.random(in: 0..<count, using: &generator) == 0 }
        self.number = number
        // Some pages are asked for more often than others.
        let page =
            one(of: 3)
            ? Int.random(in: 0..<40, using: &generator)
            : Int.random(in: 0..<SoakPage.count, using: &generator)
        self.page = page
        let port = ports[page % ports.count]
        var request = WebRequest(url: try WebURL("http://127.0.0.1:\(port)/p/\(page)"))
        request.cachePolicy =
            one(of: 3)
            ? CachePolicy.allCases.randomElement(using: &generator) ?? .useProtocolCachePolicy
            : .useProtocolCachePolicy
        isHurried = one(of: 8)
        request.timeoutInterval = isHurried ? .milliseconds(150) : .seconds(60)
        let flavour = one(of: 2) ? "sweet" : "sour"
        self.flavour = flavour
        request.setValue(flavour, forHTTPHeaderField: "X-Flavour")
        var part: ClosedRange<Int>?
        switch Int.random(in: 0..<60, using: &generator) {
        case 0: request.httpMethod = "HEAD"
        case 1:
            request.httpMethod = "POST"
            request.httpBody = Array("a=b".utf8)
        case 2..<10 where SoakCaching(page) == .parts:
            let first = Int.random(in: 0..<300, using: &generator)
            let last = first + Int.random(in: 0..<2000, using: &generator)
            request.setValue("bytes=\(first)-\(last)", forHTTPHeaderField: "Range")
            part = first...last
        case 10: request.setValue("no-store", forHTTPHeaderField: "Cache-Control")
        case 11: request.setValue("max-stale=100", forHTTPHeaderField: "Cache-Control")
        case 12: request.setValue("\"\(page)-0\"", forHTTPHeaderField: "If-None-Match")
        case 13: request.storesResponse = false
        case 14: request.keepsForOfflineUse = true
        default: break
        }
        self.part = part
        self.request = request
        if request.httpMethod == "GET", part == nil, one(of: 40) {
            action = .extract(SoakRecipe.allCases.randomElement(using: &generator) ?? .title)
        } else {
            action = one(of: 5) ? .inspect : one(of: 6) ? .fetch : .load
        }
        cancellation = one(of: 14) ? (one(of: 2) ? 0 : Int.random(in: 1..<20, using: &generator)) : nil
    }
}
