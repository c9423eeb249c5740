import WebDatabase
import WebStandards

/// Lists of one's own: a name, and URLs in an order.
extension Catalogue {
    /// The most lists, and the most URLs in one.
    static let mostLists = (count: 1000, urls: 100_000)
    /// The longest name of a list or a recipe, in scalars.
    static let longestName = 200

    /// The lists, in the order in which they were made.
    ///
    /// - Throws: ``StateError``.
    func lists() throws -> [(id: Int64, name: String, count: Int)] {
        try read {
            var lists: [(id: Int64, name: String, count: Int)] = []
            let select = "SELECT id, name, count FROM lists ORDER BY id LIMIT \(Self.mostLists.count)"
            try statement(select).forEachRow { row throws(StateError) in
                lists.append((row.number(0), row.text(1), max(0, Int(bounded: row.number(2)))))
            }
            return lists
        }
    }

    /// Makes a list; one that is there already stays as it is.
    ///
    /// - Returns: The number of the list of that name.
    /// - Throws: ``StateError``; ``ServeError`` if there are too many, or that is no name.
    func createList(name: String) throws -> Int64 {
        try Self.checkName(name)
        return try change {
            if let known = try list(named: name) { return (known, .nothing) }
            let count = try statement("SELECT count(*) FROM lists").firstNumber() ?? 0
            guard count < Int64(Self.mostLists.count) else {
                throw ServeError(413, "limit.lists", "there are \(Self.mostLists.count) lists already")
            }
            try statement("INSERT INTO lists(name, count) VALUES(?1, 0)").bind(1, name).run()
            return (lastRowID, .lists)
        }
    }

    /// Gives a list another name.
    ///
    /// - Throws: ``StateError``; ``ServeError`` if the list is unknown, or another has the name.
    func renameList(_ id: Int64, to name: String) throws {
        try Self.checkName(name)
        try change {
            try checkList(id)
            if let known = try list(named: name) {
                guard known == id else {
                    throw ServeError(409, "list.exists", "another list has that name")
                }
                return ((), .nothing)
            }
            try statement("UPDATE lists SET name = ?2 WHERE id = ?1").bind(1, id).bind(2, name).run()
            return ((), .lists)
        }
    }

    /// Deletes a list, if there is one of that number.
    ///
    /// - Throws: ``StateError``.
    func deleteList(_ id: Int64) throws {
        try change {
            try statement("DELETE FROM lists WHERE id = ?1").bind(1, id).run()
            guard changes > 0 else { return ((), .nothing) }
            try statement("DELETE FROM entries WHERE list = ?1").bind(1, id).run()
            return ((), .lists)
        }
    }

    /// Throws unless a text can be the name of a list or a recipe.
    static func checkName(_ name: String) throws(ServeError) {
        let hasControls = name.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }
        let isBlank = name.unicodeScalars.allSatisfy { $0.properties.isWhitespace }
        guard !isBlank, !hasControls, name.utf8.count <= 4 * longestName,
            name.unicodeScalars.count <= longestName
        else {
            let rule = "a name has 1 to \(longestName) characters, none of them a control"
            throw ServeError(400, "name.invalid", rule)
        }
    }

    private func list(named name: String) throws(StateError) -> Int64? {
        try statement("SELECT id FROM lists WHERE name = ?1").bind(1, name).firstNumber()
    }

    /// Throws unless there is a list of that number.
    func checkList(_ id: Int64) throws {
        guard try statement("SELECT id FROM lists WHERE id = ?1").bind(1, id).firstNumber() != nil else {
            throw ServeError(404, "list.unknown", "there is no such list")
        }
    }
}
