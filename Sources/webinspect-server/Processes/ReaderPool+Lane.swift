extension ReaderPool {
    /// A way, with readers of its own.
    enum Lane: Sendable {
        /// What the cache has.
        case index
        /// What is on a page.
        case page
        /// Pages as they are shown.
        case view
        /// Recipes.
        case run
        /// The network.
        case load

        /// How many readers it has at most.
        var width: Int {
            switch self {
            case .index: 1
            case .page: 3
            case .view, .run: 2
            case .load: 4
            }
        }
    }
}
