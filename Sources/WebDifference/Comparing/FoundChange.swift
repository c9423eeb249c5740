/// A change before it is written: with tree items in place of paths, and with whole texts.
struct FoundChange {
    /// A place in one of the pages.
    struct Place {
        /// The element; -1 where there is none.
        var element: Int32
        /// The text or value; nil where the change has none on this side.
        var text: String?
        /// The tree item that determines its position among other changes.
        var order: Int32
        /// The line of a place without an element; 0 if it is unknown.
        var line = 0
    }

    var kind: PageDifference.Kind
    var operation: PageDifference.Operation
    var old: Place
    var new: Place
    /// The part of the element that changed; empty for the element itself.
    var name = ""
    /// The words that differ, if the texts have more words than those.
    var changed: (old: String, new: String)?

    /// The change in the opposite direction.
    var mirrored: FoundChange {
        var mirrored = self
        (mirrored.old, mirrored.new) = (new, old)
        mirrored.operation = operation.mirrored
        mirrored.changed = changed.map { ($0.new, $0.old) }
        return mirrored
    }
}

extension PageDifference.Operation {
    /// The operation in the opposite direction.
    var mirrored: Self {
        switch self {
        case .added: .removed
        case .removed: .added
        case .changed: .changed
        case .moved: .moved
        }
    }
}
