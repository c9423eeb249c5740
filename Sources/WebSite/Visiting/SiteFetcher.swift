package import WebLoader
package import WebStandards
import HTTPTypes
import Synchronization
import WebTransport

/// Makes the requests of a job, one at a time: redirects are not followed, so that each has its turn.
package struct SiteFetcher: Sendable {
    /// A method of a request.
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
    }

    /// What loads.
    package let loader: PageLoader
    private let template: WebRequest
    /// The seeds, one of each origin: one that has a user and a password, if there is one, which are for all of its origin as long as
    /// the job runs.
    private let seeds: [String: WebURL]
    private let lost = LostURLs()

    /// Creates a fetcher.
    ///
    /// - Parameters:
    ///   - loader: What loads: from the network, its cache, or archives.
    ///   - template: What each request has but the URL. What of it is not for everybody is for the seeds' origins.
    ///   - seeds: The URLs that the job was begun with.
    package init(_ loader: PageLoader, template: WebRequest, seeds: some Sequence<WebURL>) {
        self.loader = loader
        self.template = template
        self.seeds = Dictionary(seeds.map { (Self.origin(of: $0), $0) }) { first, next in
            first.includesCredentials ? first : next
        }
    }

    /// Scheme, host and port: what is sent to https: must not go to http: of the same host and port.
    private static func origin(of url: WebURL) -> String { "\(url.scheme)://\(url.schedulingHost)" }

    /// Asks for a URL.
    ///
    /// - Parameters:
    ///   - url: The URL; its fragment does not count.
    ///   - method: The method.
    ///   - wish: How much of the body is wanted.
    ///   - kept: A copy from before: if nothing has changed since then, the answer is a 304; nil to have it in any case.
    /// - Returns: What came of it, never more than once per call.
    package func ask(
        _ url: WebURL,
        _ method: Method = .get,
        _ wish: BodyWish = .whole,
        ifChangedFrom kept: WebResponse? = nil
    ) async -> SiteAnswer {
        let url = url.withoutFragment
        var request = request(url, method)
        if let tag = kept?.headerFields[.eTag] { request.headerFields[.ifNoneMatch] = tag }
        if let date = kept?.headerFields[.lastModified] { request.headerFields[.ifModifiedSince] = date }
        let receiver = ChoosingReceiver(wish, maximumSize: loader.configuration.limits.maximumBodySize)
        do throws(LoadError) {
            let response = try await loader.fetch(request, into: receiver)
            // What is no request of HTTP has no receiver.
            guard response.status != nil, let (head, isCut) = receiver.taken else {
                return answer(request, response, nil)
            }
            var taken = head
            taken.timing = response.timing
            taken.transferSize = response.transferSize
            taken.cacheVerdict = response.cacheVerdict
            return answer(request, taken, nil, isCut: isCut)
        } catch {
            if (error.cause as? FetchError)?.code == .connectionLost { lost.insert(url) }
            if error.code == "load.refused", let (taken, isCut) = receiver.taken, isCut {
                return answer(request, taken, nil, isCut: true)
            }
            return answer(request, receiver.taken?.response, error)
        }
    }

    /// A response with what scripts make of its page in place of it, if the loader runs them.
    package func scripted(_ response: WebResponse) async throws(LoadError) -> WebResponse {
        try await loader.scripted(response, for: request(response.url.withoutFragment, .get))
    }

    /// The same, with how the scripts were run; nil where none were, as of what is no page.
    package func scripted(
        _ response: WebResponse,
        overriding overrides: ContentOverrides
    ) async throws(LoadError) -> (response: WebResponse, rendering: Rendering?) {
        let request = request(response.url.withoutFragment, .get)
        return try await loader.scripted(response, for: request, overriding: overrides)
    }

    private func request(_ url: WebURL, _ method: Method) -> WebRequest {
        var request = template
        request.url = url
        request.httpMethod = method.rawValue
        request.followsRedirects = false
        request.hasOwnConnection = lost.contains(url)
        guard let seed = seeds[Self.origin(of: url)] else {
            request.keepForEverybody()
            return request
        }
        // The state of a job has no passwords.
        if seed.includesCredentials { request.setAuthorization(of: seed) }
        return request
    }

    private func answer(
        _ request: WebRequest,
        _ response: WebResponse?,
        _ error: LoadError?,
        isCut: Bool = false
    ) -> SiteAnswer {
        var error = error
        var redirect: WebURL?
        if error == nil, let response {
            do throws(LoadError) {
                redirect = try PageLoader.redirect(request, response)?.url
            } catch let fault {
                error = fault
            }
        }
        return SiteAnswer(
            url: request.url,
            response: response,
            error: error,
            isCut: isCut,
            redirect: redirect?.withoutFragment,
            redirectFragment: redirect?.fragment,
            signal: Self.signal(response, error)
        )
    }

    /// What an answer says of its host.
    private static func signal(_ response: WebResponse?, _ error: LoadError?) -> HostSignal {
        if let response {
            guard response.source == .network else { return .unasked }
            let isThrottled = response.status == .tooManyRequests || response.status == .serviceUnavailable
            return isThrottled ? .throttled(retryAfter: response.retryAfter(now: .now)) : .answered
        }
        guard let code = (error?.cause as? FetchError)?.code else { return .unasked }
        switch code {
        case .nameResolution, .connection, .connectTimeout, .timeout, .totalTimeout, .tls: return .unreachable
        case .cancelled, .cacheMiss, .unsupportedURL, .invalidRequest, .invalidDataURL, .unavailable:
            return .unasked
        // The host is there, whatever is wrong with this URL of it.
        default: return .answered
        }
    }
}

/// The URLs at which a connection was closed without an answer: the next request for one of them is made once, not again by libcurl.
private final class LostURLs: Sendable {
    private let urls = Mutex<Set<String>>([])

    /// More are not remembered, so that memory is bounded.
    private static let maximumCount = 10_000

    func contains(_ url: WebURL) -> Bool { urls.withLock { !$0.isEmpty && $0.contains(url.href) } }

    func insert(_ url: WebURL) {
        urls.withLock { if $0.count < Self.maximumCount { $0.insert(url.href) } }
    }
}
