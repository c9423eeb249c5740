import WebDatabase
import WebStandards

/// Copies the readable rows of a damaged catalogue, or of one of another version, that the cache cannot provide.
///
/// These are lists, recipes, settings and jobs, and which sections are closed.
///
/// Rows are read from the first one on, and where that fails from the last one back.
final class CatalogueSalvager {
    private let new: Database
    private var count = 0
    /// The number of entries of each list.
    private var lists: [Int64: Int] = [:]

    /// The maximum number of rows that are copied from a table.
    private static let most = 2_000_000

    init(to new: Database) {
        self.new = new
    }

    /// Copies what can be read of a database; returns the number of rows.
    func salvage(_ path: String) -> Int {
        for table in [settings, copyFolds, copyLists, copyEntries, copyRecipes, copyJobs] {
            // An error in one table does not affect the others. Each has a connection of its own, since some damage
            // makes a connection useless.
            guard let old = try? Database(path, .salvaging) else { return count }
            do throws(StateError) {
                try new.execute("BEGIN IMMEDIATE")
                try table(old)
                try new.execute("COMMIT")
            } catch {
                if new.isInTransaction { _ = try? new.execute("ROLLBACK") }
            }
        }
        return count
    }

    /// Calls `body` with the readable rows of a table.
    private func forEachRow(
        _ old: Database,
        _ columns: String,
        of table: String,
        _ body: (Statement) throws(StateError) -> Void
    ) throws(StateError) {
        var last = Int64.min
        var rows = 0
        let select = "SELECT id, \(columns) FROM \(table) WHERE id > ?1 ORDER BY id"
        for direction in ["ASC", "DESC"] {
            guard let statement = try? old.prepare("\(select) \(direction)"),
                (try? statement.bind(1, last)) != nil
            else { continue }
            defer { statement.reset() }
            var end = Int64.max
            while rows < Self.most {
                guard let hasRow = try? statement.step() else { break }
                guard hasRow else { return }
                let id = statement.number(0)
                // A damaged table may have cycles.
                if direction == "ASC" {
                    guard id > last else { break }
                    last = id
                } else {
                    guard id > last, id < end else { return }
                    end = id
                }
                rows += 1
                try body(statement)
            }
        }
    }

    // MARK: - Tables

    private func settings(_ old: Database) throws(StateError) {
        let insert = try new.prepare("INSERT OR REPLACE INTO meta VALUES(?1, ?2)")
        if let text = try? old.value("SELECT value FROM meta WHERE name = 'settings'")?.text,
            text.utf8.count <= Catalogue.mostMemory.settings
        {
            try insert.bind(1, "settings").bind(2, text).run()
            count += 1
        }
        if let number = try? old.value("SELECT value FROM meta WHERE name = 'folds'")?.number, number == 1 {
            try insert.bind(1, "folds").bind(2, 1).run()
        }
    }

    private func copyFolds(_ old: Database) throws(StateError) {
        let host = try new.prepare("INSERT OR IGNORE INTO hosts(name) VALUES(?1)")
        let fold = try new.prepare("INSERT OR IGNORE INTO folds SELECT id FROM hosts WHERE name = ?1")
        guard let name = try? old.prepare("SELECT name FROM hosts WHERE id = ?1") else { return }
        try forEachRow(old, "host", of: "(SELECT host AS id, host FROM folds)") { row throws(StateError) in
            guard (try? name.bind(1, row.number(1)).step()) ?? false else { return }
            let text = name.text(0)
            name.reset()
            guard text.utf8.count <= IndexRow.longest.url else { return }
            try host.bind(1, text).run()
            try fold.bind(1, text).run()
            count += 1
        }
    }

    private func copyLists(_ old: Database) throws(StateError) {
        try forEachRow(old, "name", of: "lists") { row throws(StateError) in
            try addList(row.number(0), row.text(1))
        }
    }

    private func addList(_ id: Int64, _ name: String) throws(StateError) {
        guard id > 0, lists.count < Catalogue.mostLists.count, lists[id] == nil,
            (try? Catalogue.checkName(name)) != nil
        else { return }
        try new.prepare("INSERT OR IGNORE INTO lists VALUES(?1, ?2, 0)").bind(1, id).bind(2, name).run()
        guard new.changes > 0 else { return }
        lists[id] = 0
        count += 1
    }

    private func copyEntries(_ old: Database) throws(StateError) {
        let host = try new.prepare("INSERT OR IGNORE INTO hosts(name) VALUES(?1)")
        let insert = try new.prepare(
            "INSERT OR IGNORE INTO entries SELECT NULL, ?1, ?2, id, ?3 FROM hosts WHERE name = ?4"
        )
        try forEachRow(old, "list, position, url", of: "entries") { row throws(StateError) in
            let list = row.number(1)
            let url = row.text(3)
            guard IndexRow.isURL(url) else { return }
            // Its name is lost.
            if lists[list] == nil { try addList(list, "List \(list)") }
            guard let known = lists[list], known < Catalogue.mostLists.urls else { return }
            let name = IndexedPage.host(of: url)
            try host.bind(1, name).run()
            try insert.bind(1, list).bind(2, row.number(2)).bind(3, url).bind(4, name).run()
            guard new.changes > 0 else { return }
            lists[list] = known + 1
            count += 1
        }
        try new.execute("UPDATE lists SET count = (SELECT count(*) FROM entries WHERE list = lists.id)")
    }

    private func copyRecipes(_ old: Database) throws(StateError) {
        let insert = try new.prepare("INSERT OR IGNORE INTO recipes VALUES(NULL, ?1, ?2, ?3)")
        var copied = 0
        try forEachRow(old, "name, text, changed", of: "recipes") { row throws(StateError) in
            let (name, text) = (row.text(1), row.text(2))
            guard copied < Catalogue.mostMemory.recipes, text.utf8.count <= Catalogue.mostMemory.recipe,
                (try? Catalogue.checkName(name)) != nil
            else { return }
            try insert.bind(1, name).bind(2, text).bind(3, row.number(3)).run()
            copied += 1
            count += 1
        }
    }

    private func copyJobs(_ old: Database) throws(StateError) {
        let insert = try new.prepare("INSERT OR IGNORE INTO jobs VALUES(?1, ?2)")
        var copied = 0
        try forEachRow(old, "value", of: "jobs") { row throws(StateError) in
            let text = row.text(1)
            guard row.number(0) > 0, copied < Catalogue.mostMemory.jobs,
                text.utf8.count <= Catalogue.mostMemory.job
            else { return }
            try insert.bind(1, row.number(0)).bind(2, text).run()
            copied += 1
            count += 1
        }
    }
}
