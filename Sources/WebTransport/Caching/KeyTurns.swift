import Synchronization

/// Turns, for each key by itself, in the order in which they were asked for.
final class KeyTurns: Sendable {
    /// Who waits, for each key whose turn somebody has.
    private let waiting = Mutex<[CacheKey: Queue<CheckedContinuation<Void, Never>>]>([:])

    /// Waits for a turn; ``end(_:)`` ends it.
    func begin(_ key: CacheKey) async {
        await withCheckedContinuation { continuation in
            let isFree = waiting.withLock { waiting in
                guard waiting[key] != nil else {
                    waiting[key] = Queue()
                    return true
                }
                waiting[key]?.append(continuation)
                return false
            }
            if isFree { continuation.resume() }
        }
    }

    /// Ends a turn.
    func end(_ key: CacheKey) {
        let next = waiting.withLock { waiting in
            guard let next = waiting[key]?.popFirst() else {
                waiting[key] = nil
                return nil as CheckedContinuation<Void, Never>?
            }
            return next
        }
        next?.resume()
    }
}
