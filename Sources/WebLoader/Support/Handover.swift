import Synchronization

/// A value on its way from one thread to another, or to a task.
///
/// A continuation that is resumed before anybody waits for it hands its value over in a way that ThreadSanitizer does not
/// see; a lock it does. So the value goes by this, and the continuation says that it is there.
final class Handover<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)

    /// Puts the value there.
    func put(_ value: Value) {
        self.value.withLock { $0 = value }
    }

    /// Takes the value; nil if it is not there, or was taken.
    func take() -> Value? {
        value.withLock { $0.take() }
    }
}
