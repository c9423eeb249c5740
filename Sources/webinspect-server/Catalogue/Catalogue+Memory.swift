import WebDatabase
import WebStandards

/// The stored state of the app: folds, recipes, settings, jobs.
extension Catalogue {
    /// The maximum number of recipes; the maximum bytes of a recipe, of the settings, of a job; the maximum of jobs.
    static let mostMemory = (recipes: 1000, recipe: 1 << 20, settings: 64 << 10, job: 1 << 20, jobs: 10_000)

    // MARK: - Folds

    /// Returns which sections are closed.
    func foldedSections() throws(StateError) -> Folds {
        if let folds { return folds }
        let isClosed = try statement("SELECT value FROM meta WHERE name = 'folds'").firstNumber() == 1
        var folds = Folds(isClosedByDefault: isClosed)
        try statement("SELECT host FROM folds").forEachRow { row throws(StateError) in
            guard let host = row.identifier(0), folds.exceptions.insert(host).inserted else {
                throw damaged("the folds")
            }
        }
        self.folds = folds
        return folds
    }

    /// Closes or opens a section.
    ///
    /// - Parameters:
    ///   - host: The name of the section's host; `nil` for all sections, also future ones.
    ///   - isClosed: Whether it is to be closed.
    /// - Throws: ``StateError``.
    func setFold(host: String?, isClosed: Bool) throws {
        try change {
            guard let host else {
                try statement("DELETE FROM folds").run()
                let put = "INSERT OR REPLACE INTO meta VALUES('folds', ?1)"
                try statement(put).bind(1, isClosed ? 1 : 0).run()
                return ((), .folds)
            }
            guard let id = try hostID(host) else { return ((), .nothing) }
            let isDefault = try foldedSections().isClosedByDefault == isClosed
            let change =
                isDefault
                ? "DELETE FROM folds WHERE host = ?1" : "INSERT OR IGNORE INTO folds VALUES(?1)"
            try statement(change).bind(1, Int64(id)).run()
            return ((), changes > 0 ? .folds : .nothing)
        }
    }

    // MARK: - Recipes

    /// Returns the recipes, sorted by name.
    ///
    /// - Throws: ``StateError``.
    func recipes() throws -> [(name: String, text: String, changed: Int64)] {
        try read {
            var recipes: [(name: String, text: String, changed: Int64)] = []
            let select = "SELECT name, text, changed FROM recipes ORDER BY name LIMIT ?1"
            let most = Int64(Self.mostMemory.recipes)
            try statement(select).bind(1, most).forEachRow { row throws(StateError) in
                recipes.append((row.text(0), row.text(1), row.number(2)))
            }
            return recipes
        }
    }

    /// Stores a recipe, replacing one of the same name.
    ///
    /// - Throws: ``StateError``; ``ServeError`` if it is too long, or there are too many.
    func putRecipe(name: String, text: String, now: Int64) throws {
        try Self.checkName(name)
        let most = Self.mostMemory
        guard text.utf8.count <= most.recipe else {
            throw ServeError(413, "limit.recipe", "a recipe has at most \(most.recipe) bytes")
        }
        try change {
            let put = """
                INSERT INTO recipes(name, text, changed) VALUES(?1, ?2, ?3)
                ON CONFLICT(name) DO UPDATE SET text = ?2, changed = ?3
                """
            try statement(put).bind(1, name).bind(2, text).bind(3, now).run()
            let count = try statement("SELECT count(*) FROM recipes").firstNumber() ?? 0
            guard count <= Int64(most.recipes) else {
                throw ServeError(413, "limit.recipes", "there are \(most.recipes) recipes already")
            }
            return ((), .nothing)
        }
    }

    /// Deletes a recipe, if there is one of that name.
    ///
    /// - Throws: ``StateError``.
    func deleteRecipe(name: String) throws {
        try change {
            try statement("DELETE FROM recipes WHERE name = ?1").bind(1, name).run()
            return ((), .nothing)
        }
    }

    // MARK: - Settings

    /// Returns the settings of the app: an object, empty at first.
    ///
    /// - Throws: ``StateError``.
    func settings() throws -> JSONValue {
        let text = try read {
            try statement("SELECT value FROM meta WHERE name = 'settings'").first { $0.text(0) } ?? ""
        }
        guard let value = try? JSONValue(parsing: text.utf8), case .object = value else { return .object([]) }
        return value
    }

    /// Stores the settings of the app, replacing the previous ones.
    ///
    /// - Throws: ``StateError``; ``ServeError`` if the value is not an object, or too long.
    func setSettings(_ value: JSONValue) throws {
        guard case .object = value else {
            throw ServeError(400, "settings.invalid", "settings are an object")
        }
        let text = String(decoding: value.serialized(sortingNames: false), as: UTF8.self)
        guard text.utf8.count <= Self.mostMemory.settings else {
            throw ServeError(413, "limit.settings", "settings have at most \(Self.mostMemory.settings) bytes")
        }
        try change {
            try statement("INSERT OR REPLACE INTO meta VALUES('settings', ?1)").bind(1, text).run()
            return ((), .nothing)
        }
    }

    // MARK: - Jobs

    /// Returns the jobs, as the texts that ``putJob(_:_:)`` received, in the order of their creation.
    ///
    /// - Throws: ``StateError``.
    func jobs() throws -> [(id: Int64, json: String)] {
        try read {
            var jobs: [(id: Int64, json: String)] = []
            let select = "SELECT id, value FROM jobs ORDER BY id LIMIT \(Self.mostMemory.jobs)"
            try statement(select).forEachRow { row throws(StateError) in
                jobs.append((row.number(0), row.text(1)))
            }
            return jobs
        }
    }

    /// Stores a job, replacing the stored text of its number; a job that was deleted is not stored again.
    ///
    /// - Parameters:
    ///   - id: Its number; `nil` for a new job.
    ///   - json: The text to store.
    /// - Returns: Its number.
    /// - Throws: ``StateError``; ``ServeError`` if it is too long, or there are too many.
    @discardableResult
    func putJob(_ id: Int64?, _ json: String) throws -> Int64 {
        let most = Self.mostMemory
        guard json.utf8.count <= most.job else {
            throw ServeError(413, "limit.job", "a job has at most \(most.job) bytes")
        }
        return try change {
            // A job that another server has removed is not restored.
            let put =
                id == nil
                ? "INSERT INTO jobs(id, value) VALUES(?1, ?2)" : "UPDATE jobs SET value = ?2 WHERE id = ?1"
            try statement(put).bind(1, id).bind(2, json).run()
            guard try statement("SELECT count(*) FROM jobs").firstNumber() ?? 0 <= Int64(most.jobs) else {
                throw ServeError(413, "limit.jobs", "there are \(most.jobs) jobs already")
            }
            return (id ?? lastRowID, .nothing)
        }
    }

    /// Deletes a job, if there is one of that number.
    ///
    /// - Throws: ``StateError``.
    func deleteJob(_ id: Int64) throws {
        try change {
            try statement("DELETE FROM jobs WHERE id = ?1").bind(1, id).run()
            return ((), .nothing)
        }
    }
}
