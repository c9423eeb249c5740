import Foundation
import Testing
import WebLoaderFoundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Foundation's types and the library's, made of each other.
struct BridgeTests {
    @Test(arguments: [
        "https://example.com/a?b=c#d", "file:///a%20b", "http://xn--bcher-kva.example/", "mailto:a@b",
    ])
    func urlsGoBothWays(text: String) throws {
        let url = try #require(URL(string: text))
        let bridged = try WebURL(url)
        #expect(bridged.href == text)
        #expect(URL(bridged) == url)
    }

    @Test func whatIsNoURLForABrowserIsAnError() throws {
        #expect(throws: WebURLError.self) { try WebURL(try #require(URL(string: "a/b"))) }
        #expect(throws: WebURLError.self) { try WebURL(try #require(URL(string: "http://h:99999/"))) }
    }

    @Test(arguments: [0, 1.5, -1.25, 253_402_300_799.999, 1e300, -1e300, .infinity, .nan])
    func datesAreTakenAsFarAsTheyGo(seconds: Double) {
        let timestamp = Timestamp(Date(timeIntervalSince1970: seconds))
        if abs(seconds) < 1e9 { #expect(Date(timestamp).timeIntervalSince1970 == seconds) }
        #expect(Timestamp(Date(timestamp)) == timestamp)
    }

    @Test func requestsGoBothWays() throws {
        var request = URLRequest(url: try #require(URL(string: "http://h/a")))
        request.httpMethod = "POST"
        request.httpBody = Data("x=1".utf8)
        request.cachePolicy = .reloadIgnoringLocalCacheData
        request.timeoutInterval = 2.5
        request.setValue("b", forHTTPHeaderField: "X-A")
        let bridged = try WebRequest(request)
        #expect(bridged.url.href == "http://h/a")
        #expect(bridged.httpMethod == "POST")
        #expect(bridged.httpBody == Array("x=1".utf8))
        #expect(bridged.cachePolicy == .reloadIgnoringLocalCacheData)
        #expect(bridged.timeoutInterval == .milliseconds(2500))
        #expect(bridged.value(forHTTPHeaderField: "x-a") == "b")
        let back = try #require(URLRequest(bridged))
        #expect(back.url == request.url)
        #expect(back.httpMethod == "POST")
        #expect(back.httpBody == request.httpBody)
        #expect(back.cachePolicy == request.cachePolicy)
        #expect(back.timeoutInterval == 2.5)
        #expect(back.value(forHTTPHeaderField: "X-A") == "b")
    }

    @Test(arguments: [.infinity, -1, .nan, 1e300] as [Double])
    func timeOutsThatAreNoneAreTaken(seconds: Double) throws {
        var request = URLRequest(url: try #require(URL(string: "http://h/")))
        request.timeoutInterval = seconds
        #expect(try WebRequest(request).timeoutInterval >= .zero)
    }

    @Test func responsesHaveFoundationsForm() throws {
        var response = WebResponse(url: try WebURL("http://h/"), status: 404, body: [1, 2], source: .network)
        response.headerFields[.contentType] = "text/plain"
        #expect(response.data == Data([1, 2]))
        #expect(response.httpURLResponse?.statusCode == 404)
        #expect(response.httpURLResponse?.value(forHTTPHeaderField: "Content-Type") == "text/plain")
        response.status = nil
        #expect(response.httpURLResponse == nil)
    }

    @Test func dataBecomesAPage() async throws {
        let data = Data("<title>T</title><a href=b>x</a>".utf8)
        let base = try #require(URL(string: "http://h/a/"))
        let parsed = try ParsedPage(data: data, mimeType: "text/html", baseURL: base)
        #expect(parsed.links.first?.url?.href == "http://h/a/b")
        let page = try await PageLoader().loadData(
            data,
            mimeType: "text/html",
            textEncodingName: nil,
            baseURL: base
        )
        #expect(page.title == "T")
    }
}
