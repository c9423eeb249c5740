import Synchronization

/// The numbers of holders in this process of the bodies in a program's store, by the bodies' names.
final class KeyedBodyUses: Sendable {
    /// The fate of a body after its last holder released it.
    enum Fate {
        /// No response was stored with it yet: it is removed.
        case new
        /// A response was stored with it: it stays.
        case stored
        /// Its response was replaced or removed: it is removed.
        case unwanted
    }

    private let uses = Mutex<[String: (holders: Int, fate: Fate)]>([:])

    /// Begins a hold; `fate` is that of a body that nobody held.
    func hold(_ name: String, _ fate: Fate) {
        uses.withLock { $0[name, default: (0, fate)].holders += 1 }
    }

    /// Ends a hold.
    ///
    /// - Returns: Whether the body is to be removed now.
    func release(_ name: String) -> Bool {
        uses.withLock { uses in
            guard var use = uses[name] else { return false }
            use.holders -= 1
            uses[name] = use.holders > 0 ? use : nil
            return use.holders <= 0 && use.fate != .stored
        }
    }

    /// The fate of a body that is held; nil for one that is not.
    func fate(_ name: String) -> Fate? { uses.withLock { $0[name]?.fate } }

    /// Changes the fate of a body that is held.
    ///
    /// - Returns: Whether it is held.
    @discardableResult
    func set(_ fate: Fate, of name: String) -> Bool {
        uses.withLock { uses in
            uses[name]?.fate = fate
            return uses[name] != nil
        }
    }
}
