import Synchronization

/// The number of a port, which is known once it is taken.
final class PortBox: Sendable {
    private let number = Atomic<Int>(0)

    var port: Int { number.load(ordering: .relaxed) }

    func set(_ port: Int) { number.store(port, ordering: .relaxed) }
}
