import HTTPTypes
import WebStandards

extension WebRequest {
    /// A GET request like another one.
    ///
    /// - Parameters:
    ///   - url: What is asked for.
    ///   - template: The request whose fields and settings it has; nil for none.
    ///   - sites: The sites for which the template's credentials are meant, by any of their URLs.
    init(url: WebURL, like template: WebRequest?, ofSitesOf sites: [WebURL]) {
        self = template ?? WebRequest(url: url)
        self.url = url
        httpMethod = "GET"
        httpBody = nil
        guard !sites.contains(where: { $0.isSameOrigin(as: url) }) else { return }
        keepForEverybody()
    }

    /// Gives it the user and the password of a URL, unless it has an Authorization.
    mutating func setAuthorization(of url: WebURL) {
        guard headerFields[.authorization] == nil, !omittedFields.contains(.authorization) else { return }
        let parts = [url.username, url.password].map { PercentDecoding.decode(Array($0.utf8).span) }
        let credentials = parts[0] + [UInt8(ascii: ":")] + parts[1]
        headerFields[.authorization] = "Basic \(Base64.encode(credentials))"
    }
}
