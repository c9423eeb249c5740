import HTTPTypes
import WebLoader

/// Notifies URLs of events, by a POST of their JSON.
///
/// Only hosts of the public internet are notified, unless the user says otherwise: a name in a list may come
/// to mean an address in somebody else's network, and a redirect may name any host. Redirects are not
/// followed.
struct WatchWebhook: Sendable {
    /// How long it may take, in seconds.
    private static let maximumSeconds = 30

    private let loader: PageLoader

    init(_ line: LineOptions, isLocal: Bool) {
        var fetching = CurlFetcher.Configuration()
        if isLocal {
            if let proxy = line.loading.connection.proxy {
                fetching.proxy = proxy.isEmpty ? .none : .server(proxy)
            }
        } else {
            fetching.allowedAddresses = .publicInternet
        }
        fetching.certificateAuthorityFile = line.loading.connection.certificateAuthority
        var configuration = PageLoader.Configuration()
        configuration.fetcher = CurlFetcher(configuration: fetching)
        configuration.cacheDirectory = nil
        configuration.limits.maximumTime = .seconds(Self.maximumSeconds)
        configuration.limits.maximumBodySize = 1 << 20
        loader = PageLoader(configuration: configuration)
    }

    /// Posts an event to a URL; returns the reason if that failed, without the URL's path, which may be a
    /// secret.
    func send(_ url: WebURL, _ event: JSONValue) async -> String? {
        var request = WebRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = event.lineInOrder
        request.headerFields[.contentType] = "application/json"
        request.followsRedirects = false
        request.storesResponse = false
        let host = "the webhook at \(url.hostAndPort)"
        do throws(LoadError) {
            let response = try await loader.fetch(request)
            guard let status = response.status?.code, !(200..<300 ~= status) else { return nil }
            return "\(host) answered with HTTP status \(status)"
        } catch {
            let hint = error.code == "network.address" ? "; see --local-webhook" : ""
            return "\(host) was not told: \(error.message)\(hint) (\(error.code.rawValue))"
        }
    }
}
