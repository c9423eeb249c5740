/// Does something, and ends what it was done with, whether it succeeds or not.
func ending<Value>(
    _ end: () async -> Void,
    after body: () async throws -> Value
) async throws -> Value {
    do {
        let value = try await body()
        await end()
        return value
    } catch {
        await end()
        throw error
    }
}
