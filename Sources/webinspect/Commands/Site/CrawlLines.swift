import WebLoader
import WebSite

/// Writes a line of JSON for each page of a crawl, before the crawl remembers that the page is done: a kill repeats a
/// line rather than losing one.
actor CrawlLines {
    private let stop: StopRequest
    /// Why a line could not be written, which ends the crawl.
    private(set) var failure: Failure?

    init(_ stop: StopRequest) {
        self.stop = stop
    }

    /// Writes the line of a page; returns whether it is written.
    func write(_ page: CrawledPage) -> Bool {
        guard failure == nil else { return false }
        do throws(Failure) {
            try Output.write(Self.json(page).lineInOrder)
            return true
        } catch {
            failure = error
            stop.ask(.now)
            return false
        }
    }

    private static func json(_ found: CrawledPage) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("url", .string(found.url.withoutCredentials.href)), .init("depth", JSONValue(found.depth)),
        ]
        switch found.result {
        case .success(let page):
            let response = page.response
            members += [
                .init("status", JSONValue(response.status.map { Int($0.code) })),
                .init("type", JSONValue(response.contentType?.essence)),
                .init("bytes", JSONValue(response.body.count)), .init("title", JSONValue(page.title)),
            ]
        case .failure(let error):
            members.append(
                .init("error", ["code": .string(error.code.rawValue), "message": .string(error.message)])
            )
        }
        return .object(members)
    }
}
