import WebLoader
import WebSite

extension Failure {
    /// A job whose state cannot be used.
    init(state error: StateError) {
        self.init(
            subject: "job",
            error.message,
            code: error.code.rawValue,
            status: ExitStatus(error.code)
        )
    }
}
