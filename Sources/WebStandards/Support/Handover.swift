import Synchronization

/// A value that is passed from one thread to another, or to a task.
///
/// ThreadSanitizer does not see how a continuation that is resumed before the wait passes its value; it does
/// see a lock. So the value is passed by this, and the continuation only signals it.
package final class Handover<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    package init() {}

    /// Puts the value there.
    package func put(_ value: Value) {
        self.value.withLock { $0 = value }
    }

    /// Takes the value; nil if it is not there, or was taken.
    package func take() -> Value? {
        value.withLock { $0.take() }
    }
}
