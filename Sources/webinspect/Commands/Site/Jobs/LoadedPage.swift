import WebLoader

/// A response that jobs are to be done on.
struct LoadedPage: Sendable {
    /// The name of the page: the source as it was given, "-" for HTML.
    let name: String
    var response: WebResponse
    /// When it was captured, of an archive's page.
    var date: Timestamp?
    /// Its HTML if it was given as text, whose declarations of an encoding do not count.
    var html: String?

    init(name: String, _ response: WebResponse, date: Timestamp? = nil, html: String? = nil) {
        self.name = name
        self.response = response
        self.date = date
        self.html = html
        forgetTimes()
    }

    /// Forgets how long things took: the same page gives the same line.
    private mutating func forgetTimes() {
        response.timing = LoadTiming()
        response.redirects = response.redirects.map { redirect in
            WebResponse.Redirect(
                url: redirect.url,
                status: redirect.status,
                headerFields: redirect.headerFields,
                timing: LoadTiming(),
                source: redirect.source
            )
        }
    }

    /// The URL that answered; nil for HTML without one.
    var url: String? { response.url == .aboutBlank ? nil : response.url.description }
}
