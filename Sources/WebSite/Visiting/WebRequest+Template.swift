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
        for name in [HTTPField.Name.authorization, .proxyAuthorization, .cookie] { headerFields[name] = nil }
        mayHaveKeptCredentials = false
    }
}
