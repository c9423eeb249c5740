/// The counts of a check: pages, links, and links by result.
package struct CheckSummary: Equatable, Sendable {
    /// How many pages and style sheets were read.
    package var pages = 0
    /// How many links were judged: each line of the output.
    package var links = 0
    package var ok = 0
    package var broken = 0
    package var unknown = 0
    package var skipped = 0
    /// How many of the links that are ok redirect permanently.
    package var moved = 0
    /// How many of the broken links the baseline does not have; all of them without a baseline.
    package var new = 0
    /// How many seeds could not be read.
    package var failedSeeds = 0

    /// The counts by their names in the database.
    static var names: [(name: String, path: any WritableKeyPath<CheckSummary, Int> & Sendable)] {
        [
            ("pages", \.pages), ("links", \.links), ("ok", \.ok), ("broken", \.broken),
            ("unknown", \.unknown),
            ("skipped", \.skipped), ("moved", \.moved), ("new", \.new), ("failed_seeds", \.failedSeeds),
        ]
    }

    /// Counts a link.
    mutating func add(_ link: CheckedLink, isNew: Bool) {
        links += 1
        switch link.result {
        case .ok: ok += 1
        case .broken:
            broken += 1
            if isNew { new += 1 }
        case .unknown: unknown += 1
        case .skipped: skipped += 1
        }
        if link.isMoved { moved += 1 }
    }
}
