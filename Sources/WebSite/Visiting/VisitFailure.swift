import WebLoader
package import WebStandards

/// The reason why a URL could not be loaded.
package struct VisitFailure: Sendable {
    package let url: WebURL
    package let code: String
    package let message: String

    /// Creates the failure of an answer: its error, otherwise its status.
    init(_ answer: SiteAnswer) {
        url = answer.url
        code = answer.error?.code.rawValue ?? "http.\(answer.status ?? 0)"
        message = answer.error?.message ?? "the server answers with status \(answer.status ?? 0)"
    }
}
