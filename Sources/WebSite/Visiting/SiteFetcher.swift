package import WebLoader
package import WebStandards
import HTTPTypes
import Synchronization
import WebTransport

/// Makes the requests of a job, one at a time: redirects are not followed, so that each is queued.
package struct SiteFetcher: Sendable {
    /// The method of a request.
    package enum Method: String, Sendable {
        case get = "GET"
        case head = "HEAD"
    }

    /// The loader of the requests.
    package let loader: PageLoader
    private let template: WebRequest
    /// The seeds, one for each origin, preferably with a user and a password, which are used for all of the origin
    /// while the job runs.
    private let seeds: [String: WebURL]
    private let lost = LostURLs()

    /// Creates a fetcher.
    ///
    /// - Parameters:
    ///   - loader: The loader of the requests: from the network, its cache, or archives.
    ///   - template: The template of each request; private parts of it are only sent to the seeds' origins.
    ///   - seeds: The URLs that the job was begun with.
    package init(_ loader: PageLoader, template: WebRequest, seeds: some Sequence<WebURL>) {
        self.loader = loader
        self.template = template
        self.seeds = Dictionary(seeds.map { (Self.origin(of: $0), $0) }) { first, next in
            first.includesCredentials ? first : next
        }
    }

    /// Returns scheme, host and port: credentials for https: must not be sent to http: of the same host and port.
    private static func origin(of url: WebURL) -> String { "\(url.scheme)://\(url.schedulingHost)" }

    /// Requests a URL.
    ///
    /// - Parameters:
    ///   - url: The URL; its fragment is ignored.
    ///   - method: The method.
    ///   - wish: How much of the body is wanted.
    ///   - kept: A copy from before: if it has not changed, the answer is a 304; `nil` for an unconditional request.
    /// - Returns: The answer to a single request.
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
            // Requests of other schemes than http and https bypass the receiver.
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

    /// Returns the response with the rendered page, if the loader runs scripts.
    package func scripted(_ response: WebResponse) async throws(LoadError) -> WebResponse {
        try await loader.scripted(response, for: request(response.url.withoutFragment, .get))
    }

    /// Returns the same, with how the scripts were run; `nil` if no scripts were run, for example if the response is
    /// not a page.
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

    /// Returns the signal of an answer about its host.
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
        // The host was reached, whatever is wrong with this URL.
        default: return .answered
        }
    }
}

/// The URLs at which a connection was closed without an answer: libcurl must not repeat the next request for one of
/// them by itself.
private final class LostURLs: Sendable {
    private let urls = Mutex<Set<String>>([])

    /// The maximum number of URLs, so that memory is bounded.
    private static let maximumCount = 10_000

    func contains(_ url: WebURL) -> Bool { urls.withLock { !$0.isEmpty && $0.contains(url.href) } }

    func insert(_ url: WebURL) {
        urls.withLock { if $0.count < Self.maximumCount { $0.insert(url.href) } }
    }
}
