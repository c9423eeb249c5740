import WebDatabase
import WebStandards

/// The tables of a check beside those of its frontier, in the same database: links whose targets are not known yet, pages that were
/// read, and how many links there were.
///
/// A link is in the database only as long as it waits: what became of it is in the output.
final class MentionTable {
    /// A link that waits.
    struct Mention {
        /// The number of its page; nil for one that is on none.
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
    /// The URLs of pages that were asked for lately.
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

    /// More links than this of one page share numbers with those of others, and may be lost.
    private static let linksOfPage: Int64 = 1 << 24

    /// Keeps a link until its target is known.
    ///
    /// - Parameters:
    ///   - mention: The link.
    ///   - target: The row of its target.
    ///   - index: Which link of its page it is.
    /// - Throws: ``StateError``.
    func add(_ mention: Mention, target: Int64, index: Int) throws(StateError) {
        let number = (mention.page ?? 0) *| Self.linksOfPage +| Int64(Int(bounded: index))
        try insert.bind(1, target).bind(2, number).bind(3, mention.page)
        try insert.bind(4, mention.line.map { Int64($0) }).bind(5, mention.column.map { Int64($0) })
        try insert.bind(6, mention.kind).bind(7, mention.fragment).run()
    }

    /// The links that wait for a target, which are forgotten.
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

    /// The fragments of the links that wait for a target.
    func fragments(target: Int64) throws(StateError) -> [String] {
        var fragments: [String] = []
        try needs.bind(1, target)
        while try needs.step() { fragments.append(needs.text(0)) }
        return fragments
    }

    // MARK: - Pages

    /// Enters a page; nil if it was read before.
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

    /// The URL of a page.
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

    /// What was counted.
    func tallies() throws(StateError) -> [String: Int] {
        var tallies: [String: Int] = [:]
        let select = try frontier.database.prepare("SELECT name, number FROM tallies")
        while try select.step() { tallies[select.text(0)] = Int(bounded: select.number(1)) }
        return tallies
    }

    /// Writes a number that changed, within the open transaction.
    func setTally(_ name: String, _ number: Int) throws(StateError) {
        try setTally.bind(1, name).bind(2, Int64(number)).run()
    }

    /// Keeps a line of a report that is written at the end, by the place of its link.
    func add(line: [UInt8], of link: CheckedLink) throws(StateError) {
        try insertLine.bind(1, link.page).bind(2, link.line.map { Int64($0) })
        try insertLine.bind(3, link.column.map { Int64($0) }).bind(4, line).run()
    }

    /// Calls `body` with each line that was kept, in the order of their places; it throws what ends it.
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
