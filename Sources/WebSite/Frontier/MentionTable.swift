import WebDatabase
import WebStandards

/// The tables of a check in the database of its frontier: links whose targets are not known yet, pages that were read,
/// and the counts of links.
///
/// A link is in the database only while it waits: its result is in the output.
final class MentionTable {
    /// A link that waits for its target.
    struct Mention {
        /// The number of its page; `nil` if it is not on a page.
        var page: Int64?
        var line: Int?
        var column: Int?
        var kind: String
        var fragment: String?
    }

    static let tables = """
        CREATE TABLE IF NOT EXISTS mentions(target INTEGER NOT NULL, number INTEGER NOT NULL, page INTEGER, line INTEGER,
            place INTEGER, kind TEXT NOT NULL, fragment TEXT, PRIMARY KEY(target, number)) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS pages(id INTEGER PRIMARY KEY, hash INTEGER NOT NULL, url TEXT NOT NULL);
        CREATE INDEX IF NOT EXISTS pages_by_hash ON pages(hash);
        CREATE TABLE IF NOT EXISTS tallies(name TEXT PRIMARY KEY, number INTEGER NOT NULL) WITHOUT ROWID;
        CREATE TABLE IF NOT EXISTS lines(id INTEGER PRIMARY KEY, page TEXT, line INTEGER, place INTEGER, text BLOB NOT NULL);
        """

    private let frontier: Frontier
    private let insert, select, remove, needs: Statement
    private let insertPage, pageByHash, pageURL: Statement
    private let setTally, insertLine: Statement
    /// The URLs of recently used pages.
    private var pageURLs: [Int64: String] = [:]

    init(_ frontier: Frontier) throws(StateError) {
        self.frontier = frontier
        let database = frontier.database
        try database.execute(Self.tables)
        insert = try database.prepare("INSERT OR IGNORE INTO mentions VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)")
        select = try database.prepare(
            "SELECT page, line, place, kind, fragment FROM mentions WHERE target = ?1 ORDER BY number"
        )
        remove = try database.prepare("DELETE FROM mentions WHERE target = ?1")
        needs = try database.prepare(
            "SELECT DISTINCT fragment FROM mentions WHERE target = ?1 AND fragment IS NOT NULL"
        )
        insertPage = try database.prepare("INSERT INTO pages(hash, url) VALUES(?1, ?2)")
        pageByHash = try database.prepare("SELECT id, url FROM pages WHERE hash = ?1")
        pageURL = try database.prepare("SELECT url FROM pages WHERE id = ?1")
        setTally = try database.prepare("INSERT OR REPLACE INTO tallies VALUES(?1, ?2)")
        insertLine = try database.prepare("INSERT INTO lines(page, line, place, text) VALUES(?1, ?2, ?3, ?4)")
    }

    // MARK: - Links that wait

    /// The range of numbers for the links of a page; further links share numbers with those of other pages, and may be
    /// lost.
    private static let linksOfPage: Int64 = 1 << 24

    /// Stores a link until its target is known.
    ///
    /// - Parameters:
    ///   - mention: The link.
    ///   - target: The row of its target.
    ///   - index: The index of the link on its page.
    /// - Throws: ``StateError``.
    func add(_ mention: Mention, target: Int64, index: Int) throws(StateError) {
        let number = (mention.page ?? 0) *| Self.linksOfPage +| Int64(Int(bounded: index))
        try insert.bind(1, target).bind(2, number).bind(3, mention.page)
        try insert.bind(4, mention.line.map { Int64($0) }).bind(5, mention.column.map { Int64($0) })
        try insert.bind(6, mention.kind).bind(7, mention.fragment).run()
    }

    /// Removes and returns the links that wait for a target.
    func take(target: Int64) throws(StateError) -> [Mention] {
        var mentions: [Mention] = []
        try select.bind(1, target)
        while try select.step() {
            mentions.append(
                Mention(
                    page: select.optionalNumber(0),
                    line: select.optionalNumber(1).map { Int(bounded: $0) },
                    column: select.optionalNumber(2).map { Int(bounded: $0) },
                    kind: select.text(3),
                    fragment: select.optionalText(4)
                )
            )
        }
        if !mentions.isEmpty { try remove.bind(1, target).run() }
        return mentions
    }

    /// Returns the fragments of the links that wait for a target.
    func fragments(target: Int64) throws(StateError) -> [String] {
        var fragments: [String] = []
        try needs.bind(1, target)
        while try needs.step() { fragments.append(needs.text(0)) }
        return fragments
    }

    // MARK: - Pages

    /// Adds a page and returns its number; `nil` if it was read before.
    func enter(page url: String) throws(StateError) -> Int64? {
        let hash = frontier.hash.hash(url)
        var isKnown = false
        try pageByHash.bind(1, hash)
        while try pageByHash.step() { isKnown = isKnown || pageByHash.text(1) == url }
        guard !isKnown else { return nil }
        try insertPage.bind(1, hash).bind(2, url).run()
        let id = frontier.database.lastRowID
        remember(id, url)
        return id
    }

    /// Returns the URL of a page.
    func url(ofPage id: Int64) throws(StateError) -> String? {
        if let known = pageURLs[id] { return known }
        guard try pageURL.bind(1, id).step() else { return nil }
        let url = pageURL.text(0)
        pageURL.reset()
        remember(id, url)
        return url
    }

    private func remember(_ id: Int64, _ url: String) {
        if pageURLs.count >= 256 { pageURLs.removeAll(keepingCapacity: true) }
        pageURLs[id] = url
    }

    // MARK: - Numbers and lines

    /// Returns the stored counts.
    func tallies() throws(StateError) -> [String: Int] {
        var tallies: [String: Int] = [:]
        let select = try frontier.database.prepare("SELECT name, number FROM tallies")
        while try select.step() { tallies[select.text(0)] = Int(bounded: select.number(1)) }
        return tallies
    }

    /// Stores a count that changed, within the open transaction.
    func setTally(_ name: String, _ number: Int) throws(StateError) {
        try setTally.bind(1, name).bind(2, Int64(number)).run()
    }

    /// Stores a line of a report that is written at the end, by the place of its link.
    func add(line: [UInt8], of link: CheckedLink) throws(StateError) {
        try insertLine.bind(1, link.page).bind(2, link.line.map { Int64($0) })
        try insertLine.bind(3, link.column.map { Int64($0) }).bind(4, line).run()
    }

    /// Calls `body` with each stored line, in the order of their places; returns the error that `body` threw, which
    /// ends the iteration.
    func forEachLine<Failure: Error>(_ body: ([UInt8]) throws(Failure) -> Void) throws(StateError) -> Failure?
    {
        let select = try frontier.database.prepare("SELECT text FROM lines ORDER BY page, line, place, id")
        while try select.step() {
            do throws(Failure) {
                try body(select.optionalBytes(0) ?? [])
            } catch {
                return error
            }
        }
        return nil
    }
}
