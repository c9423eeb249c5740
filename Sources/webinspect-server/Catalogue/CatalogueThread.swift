import Synchronization
import WebDatabase
import WebStandards

/// The catalogue on a thread of its own: SQLite waits for the disk and for other processes.
final class CatalogueThread: Sendable {
    private let thread = BlockingWork.serial("webinspect-server.catalogue")
    private let catalogue: Mutex<Catalogue>

    /// Takes a catalogue over.
    init(_ catalogue: sending Catalogue) {
        self.catalogue = Mutex(catalogue)
    }

    /// Does something with the catalogue, after what was asked for before.
    func run<Value: Sendable>(
        _ body: @escaping @Sendable (Catalogue) throws -> Value
    ) async throws(ServeError) -> Value {
        do {
            return try await thread.run { try self.catalogue.withLock { try body($0) } }
        } catch let error as ServeError {
            throw error
        } catch let error as StateError {
            throw ServeError(error.code == .busy ? 503 : 500, error.code.rawValue, error.message)
        } catch {
            throw ServeError(500, "fault", "\(error)")
        }
    }
}
