import HTTPTypes
import WebStandards

extension WebRequest {
    /// Creates a GET request from a template.
    ///
    /// - Parameters:
    ///   - url: The URL to request.
    ///   - template: The request whose fields and settings are copied; `nil` to use the defaults.
    ///   - sites: The sites that the template's credentials are meant for, by any of their URLs.
    init(url: WebURL, like template: WebRequest?, ofSitesOf sites: [WebURL]) {
        self = template ?? WebRequest(url: url)
        self.url = url
        httpMethod = "GET"
        httpBody = nil
        guard !sites.contains(where: { $0.isSameOrigin(as: url) }) else { return }
        keepForEverybody()
    }

    /// Adds the user and the password of a URL, unless the request has an Authorization field or omits it.
    mutating func setAuthorization(of url: WebURL) {
        guard headerFields[.authorization] == nil, !omittedFields.contains(.authorization) else { return }
        let parts = [url.username, url.password].map { PercentDecoding.decode(Array($0.utf8).span) }
        let credentials = parts[0] + [UInt8(ascii: ":")] + parts[1]
        headerFields[.authorization] = "Basic \(Base64.encode(credentials))"
    }
}
