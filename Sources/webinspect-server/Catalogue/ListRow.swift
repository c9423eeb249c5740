/// A page in the list.
struct PageRow: Equatable, Sendable {
    var url: String
    /// The host's name, without the port; empty if the URL has none.
    var host: String
    var title: String?
    var status: Int?
    /// The media type.
    var type: String?
    var bytes: Int?
    /// When it was received and until when it is fresh, in milliseconds since 1970.
    var received: Int64?
    var expires: Int64?
    /// Whether it is what people read.
    var isPage = true
    /// Whether the cache has it; in lists of one's own it need not.
    var isStored = true
    /// Whether its server forbids storing it, and it was kept because that was asked for.
    var isKeptForOfflineUse = false
}

/// A row of the list.
enum ListRow: Equatable, Sendable {
    /// The head of a host's pages, which are not rows if it is not open.
    case section(host: String, count: Int, isOpen: Bool)
    case page(PageRow)
}

/// Some rows of a list, and how many there are of all.
struct ListWindow: Equatable, Sendable {
    /// The version of the catalogue that they are of.
    var version: Int64
    /// How many rows there are, heads of sections among them.
    var total: Int
    /// How many pages there are, those in closed sections among them.
    var pages: Int
    /// Of how many hosts they are.
    var hosts: Int
    /// Which row the first one is.
    var from: Int
    var rows: [ListRow]
    /// How many entries of the cache could not be read.
    var damaged: Int
}

/// Pages that were removed from the list so long ago that they are to go from the disk.
struct DueRemoval: Equatable, Sendable {
    let id: Int64
    let urls: [String]
}
