public import Foundation

/// Makes an empty folder for as long as `body` takes.
public func withTemporaryFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "webloader-\(UUID().uuidString)"
    )
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
        let value = try await body(folder)
        try FileManager.default.removeItem(at: folder)
        return value
    } catch {
        // The first error is the one to report.
        try? FileManager.default.removeItem(at: folder)
        throw error
    }
}
