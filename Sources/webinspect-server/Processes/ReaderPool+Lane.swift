extension ReaderPool {
    /// A class of requests, with readers of its own.
    enum Lane: Sendable {
        /// The entries of the cache.
        case index
        /// The contents of a page.
        case page
        /// The views of pages.
        case view
        /// Recipes.
        case run
        /// The network.
        case load

        /// The maximum number of its readers.
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
