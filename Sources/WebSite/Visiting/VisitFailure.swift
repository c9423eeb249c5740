import WebLoader
package import WebStandards

/// Why a URL could not be had.
package struct VisitFailure: Sendable {
    package let url: WebURL
    package let code: String
    package let message: String

    /// What an answer lacks; one of a server lacks what its status says.
    init(_ answer: SiteAnswer) {
        url = answer.url
        code = answer.error?.code.rawValue ?? "http.\(answer.status ?? 0)"
        message = answer.error?.message ?? "the server answers with status \(answer.status ?? 0)"
    }
}
