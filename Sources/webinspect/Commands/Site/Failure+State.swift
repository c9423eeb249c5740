import WebLoader
import WebSite

extension Failure {
    /// A job, or a session, whose state cannot be used.
    init(state error: StateError, of subject: String = "job") {
        self.init(
            subject: subject,
            error.message,
            code: error.code.rawValue,
            status: ExitStatus(error.code)
        )
    }
}
