public import Foundation

/// Makes an empty folder for as long as `body` takes.
public func withTemporaryFolder<Value>(_ body: (URL) async throws -> Value) async throws -> Value {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
        "webloader-\(UUID().uuidString)"
    )
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    do {
        let value = try await body(folder)
        try await remove(folder)
        return value
    } catch {
        // The first error is the one to report.
        try? FileManager.default.removeItem(at: folder)
        throw error
    }
}

/// Removes a folder, also while a file in it goes that was temporary: who is done with one may let go of it later.
private func remove(_ folder: URL) async throws {
    for _ in 0..<100 {
        if (try? FileManager.default.removeItem(at: folder)) != nil { return }
        try await Task.sleep(for: .milliseconds(20))
    }
    try FileManager.default.removeItem(at: folder)
}
