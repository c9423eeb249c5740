/// A change before it is written: with items of the trees in place of paths, and texts as a whole.
struct FoundChange {
    /// A place in one of the pages.
    struct Place {
        /// The element; -1 where there is none.
        var element: Int32
        /// The text or value; nil where the change has none on this side.
        var text: String?
        /// The item that says where it stands among others.
        var order: Int32
        /// The line, where no element says it; 0 for none.
        var line = 0
    }

    var kind: PageDifference.Kind
    var operation: PageDifference.Operation
    var old: Place
    var new: Place
    /// What of the element changed; empty for the element itself.
    var name = ""
    /// The words that differ, where old and new have more.
    var changed: (old: String, new: String)?

    /// The same for the other direction.
    var mirrored: FoundChange {
        var mirrored = self
        (mirrored.old, mirrored.new) = (new, old)
        mirrored.operation = operation.mirrored
        mirrored.changed = changed.map { ($0.new, $0.old) }
        return mirrored
    }
}

extension PageDifference.Operation {
    /// The operation that the other direction has.
    var mirrored: Self {
        switch self {
        case .added: .removed
        case .removed: .added
        case .changed: .changed
        case .moved: .moved
        }
    }
}
