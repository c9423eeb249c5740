public import Foundation
public import WebStandards

#if canImport(FoundationNetworking)
public import FoundationNetworking
#endif

extension WebRequest {
    /// Creates the same request: URL, method, body, fields, cache policy and time-out.
    ///
    /// A body that is a stream is omitted. A time-out that is not a number, or not positive, means no time-out.
    ///
    /// - Throws: ``/WebStandards/WebURLError`` if the request has no URL, or one that is invalid for a browser.
    public init(_ request: URLRequest) throws(WebURLError) {
        guard let url = request.url else { throw WebURLError(.missingSchemeNonRelativeURL, at: 0) }
        self.init(
            url: try WebURL(url),
            cachePolicy: CachePolicy(rawValue: UInt(request.cachePolicy.rawValue)) ?? .useProtocolCachePolicy,
            timeoutInterval: Duration(boundedSeconds: request.timeoutInterval)
        )
        httpMethod = request.httpMethod ?? "GET"
        httpBody = request.httpBody.map { Array($0) }
        for (name, value) in request.allHTTPHeaderFields ?? [:] {
            setValue(value, forHTTPHeaderField: name)
        }
    }
}

extension URLRequest {
    /// The same request: URL, method, body, fields, cache policy and time-out; nil if Foundation does not take its URL.
    public init?(_ request: WebRequest) {
        guard let url = URL(request.url) else { return nil }
        self.init(url: url)
        cachePolicy =
            URLRequest.CachePolicy(rawValue: .init(request.cachePolicy.rawValue)) ?? .useProtocolCachePolicy
        timeoutInterval = request.timeoutInterval.inSeconds
        httpMethod = request.httpMethod
        httpBody = request.httpBody.map { Data($0) }
        for (name, value) in request.allHTTPHeaderFields { setValue(value, forHTTPHeaderField: name) }
    }
}

extension WebResponse {
    /// The body.
    public var data: Data { Data(body) }

    /// The response as Foundation represents it; `nil` if it has no status, or if Foundation does not accept its URL.
    ///
    /// Fields of the same name are joined with ", ".
    public var httpURLResponse: HTTPURLResponse? {
        guard let status, let url = URL(url) else { return nil }
        var fields: [String: String] = [:]
        for field in headerFields {
            let name = field.name.rawName
            fields[name] = fields[name].map { "\($0), \(field.value)" } ?? field.value
        }
        return HTTPURLResponse(url: url, statusCode: status.code, httpVersion: nil, headerFields: fields)
    }
}
