import WebStandards

/// The jobs that the catalogue remembers.
struct KeptJobs: JobStore {
    let catalogue: CatalogueThread

    func jobs() async throws(ServeError) -> [(id: Int64, json: String)] {
        try await catalogue.run { try $0.jobs() }
    }

    func put(_ id: Int64?, _ json: String) async throws(ServeError) -> Int64 {
        try await catalogue.run { try $0.putJob(id, json) }
    }

    func delete(_ id: Int64) async throws(ServeError) {
        try await catalogue.run { try $0.deleteJob(id) }
    }
}
