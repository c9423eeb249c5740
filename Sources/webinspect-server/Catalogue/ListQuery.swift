/// Which pages a list has, and in which order.
struct ListQuery: Hashable, Sendable {
    /// What of the cache is shown.
    enum Kind: String, Sendable {
        /// What people read.
        case pages
        /// Also images, style sheets and the like.
        case all
    }

    /// What the pages are in the order of.
    enum Sort: String, Sendable {
        /// The host's name, and then the URL.
        case url
        case title
        /// When they were received.
        case date
        case bytes
        case status
    }

    /// What of the cache is shown; of a list of one's own it is all.
    var kind = Kind.pages
    /// Words, all of which must be there; see ``ListFilter``.
    var filter = ""
    /// The order; nil is by URL, or a list's own.
    ///
    /// Pages that have nothing to be in the order of are last, in either direction.
    var sort: Sort?
    /// Whether the order is the other way round; that of the sections stays.
    var isDescending = false
    /// Whether each host has a section, in the order of their names.
    var isGrouped = true
    /// The number of a list of one's own.
    var list: Int64?
}
