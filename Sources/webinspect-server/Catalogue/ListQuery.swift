/// The selection of the pages in a list, and their order.
struct ListQuery: Hashable, Sendable {
    /// The part of the cache that is shown.
    enum Kind: String, Sendable {
        /// Only pages that people read.
        case pages
        /// Also images, style sheets and the like.
        case all
    }

    /// The property by which the pages are sorted.
    enum Sort: String, Sendable {
        /// The host's name, and then the URL.
        case url
        case title
        /// When they were received.
        case date
        case bytes
        case status
    }

    /// The part of the cache that is shown; ignored for a user's list.
    var kind = Kind.pages
    /// The words that must all match; see ``ListFilter``.
    var filter = ""
    /// The order; `nil` for the order by URL, or a list's own.
    ///
    /// Pages without a value to sort by are last, in either direction.
    var sort: Sort?
    /// Whether the order is reversed; that of the sections stays.
    var isDescending = false
    /// Whether each host has a section, in the order of their names.
    var isGrouped = true
    /// The number of a user's list; `nil` for the pages of the cache.
    var list: Int64?
}
