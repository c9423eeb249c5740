/// Where jobs are kept between two runs of the server, each as a text.
protocol JobStore: Sendable {
    /// All that are kept.
    func jobs() async throws(ServeError) -> [(id: Int64, json: String)]

    /// Keeps a job, in place of what was kept under its number; returns that, a new one for nil.
    func put(_ id: Int64?, _ json: String) async throws(ServeError) -> Int64

    /// Forgets a job, if there is one of that number.
    func delete(_ id: Int64) async throws(ServeError)
}
