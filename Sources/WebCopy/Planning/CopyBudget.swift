import Synchronization

/// The bytes that a copy's resources may have, those that are on their way counted.
final class CopyBudget: Sendable {
    private let rest: Mutex<Int>

    init(bytes: Int) { rest = Mutex(max(0, bytes)) }

    /// Takes bytes; false if there are fewer left, and then for all that follow.
    func take(_ count: Int) -> Bool {
        rest.withLock { rest in
            guard rest >= 0, count <= rest else {
                rest = -1
                return false
            }
            rest -= count
            return true
        }
    }

    /// Gives back the bytes of what was not loaded to its end.
    func giveBack(_ count: Int) {
        rest.withLock { if $0 >= 0 { $0 += count } }
    }

    /// Whether there was more than it has.
    var isExhausted: Bool { rest.withLock { $0 < 0 } }
}
