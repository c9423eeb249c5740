import WebDatabase

/// The statements of a frontier, prepared once.
struct FrontierStatements {
    let begin, commit, rollback: Statement
    let key, insertKey: Statement
    let insertURL, sameURL: Statement
    let host, insertHost, hostState, hostWait, hostDelay: Statement
    let nextHost, queued, queuedMarked, anyMarked, url: Statement
    let insertLease, deleteLease: Statement
    let finish, again, onward: Statement
    let count, output, note, insertNote: Statement
    let knowledge, setProgress, ended, queueAgain: Statement

    init(_ database: Database) throws(StateError) {
        begin = try database.prepare("BEGIN IMMEDIATE")
        commit = try database.prepare("COMMIT")
        rollback = try database.prepare("ROLLBACK")
        key = try database.prepare("SELECT url FROM keys WHERE hash = ?1")
        insertKey = try database.prepare("INSERT INTO keys VALUES(?1, ?2)")
        insertURL = try database.prepare(
            """
            INSERT INTO urls(host, state, turn, tries, depth, parent, text, identity, reason)
            VALUES(?1, ?2, 0, 0, ?3, ?4, ?5, ?6, ?7)
            """
        )
        sameURL = try database.prepare(
            "SELECT h.name, u.text, u.identity FROM urls u JOIN hosts h ON h.id = u.host WHERE u.id = ?1"
        )
        host = try database.prepare("SELECT id FROM hosts WHERE name = ?1")
        insertHost = try database.prepare("INSERT INTO hosts(name) VALUES(?1)")
        hostState = try database.prepare(
            "SELECT delay, until, wait, failures, name FROM hosts WHERE id = ?1"
        )
        hostWait = try database.prepare("UPDATE hosts SET until = ?2, wait = ?3, failures = ?4 WHERE id = ?1")
        hostDelay = try database.prepare("UPDATE hosts SET delay = ?2 WHERE id = ?1")
        nextHost = try database.prepare(
            "SELECT host FROM urls WHERE state = 0 AND host > ?1 ORDER BY host LIMIT 1"
        )
        queued = try database.prepare(
            "SELECT id, turn FROM urls WHERE state = 0 AND host = ?1 ORDER BY turn, id"
        )
        // The newest row comes first: before it there may be any number of rows that do not match.
        queuedMarked = try database.prepare(
            "SELECT id, turn FROM urls WHERE state = 0 AND host = ?1 AND depth & ?2 ORDER BY turn, id DESC"
        )
        anyMarked = try database.prepare(
            "SELECT id FROM urls WHERE state = 0 AND depth & ?1 ORDER BY id DESC LIMIT 1"
        )
        url = try database.prepare(
            """
            SELECT h.name, u.text, u.identity, u.depth, u.parent, u.tries, u.turn, u.result
            FROM urls u JOIN hosts h ON h.id = u.host WHERE u.id = ?1
            """
        )
        insertLease = try database.prepare("INSERT INTO leases VALUES(?1)")
        deleteLease = try database.prepare("DELETE FROM leases WHERE url = ?1")
        finish = try database.prepare(
            """
            UPDATE urls SET state = ?2, tries = tries + 1, reason = ?3, result = ?4, place = ?5, size = ?6
            WHERE id = ?1 AND state = 0
            """
        )
        again = try database.prepare(
            "UPDATE urls SET turn = turn + 1, tries = tries + 1, reason = ?2 WHERE id = ?1 AND state = 0"
        )
        // Stores the whole URL, since its host may differ from the one to request.
        onward = try database.prepare(
            "UPDATE urls SET host = ?2, text = ?3, result = ?4 WHERE id = ?1 AND state = 0"
        )
        count = try database.prepare(
            """
            INSERT INTO counts VALUES(?1, ?2, ?3)
            ON CONFLICT(state, reason) DO UPDATE SET number = number + excluded.number
            """
        )
        output = try database.prepare("INSERT OR REPLACE INTO outputs VALUES(?1, ?2, ?3)")
        note = try database.prepare("SELECT value FROM job WHERE name = ?1")
        knowledge = try database.prepare("SELECT state, result FROM urls WHERE id = ?1")
        setProgress = try database.prepare("UPDATE urls SET result = ?2 WHERE id = ?1 AND state = 0")
        ended = try database.prepare("SELECT state, host, reason FROM urls WHERE id = ?1")
        queueAgain = try database.prepare(
            "UPDATE urls SET state = 0, tries = 0, turn = 0, reason = NULL, result = ?2 WHERE id = ?1"
        )
        insertNote = try database.prepare("INSERT OR REPLACE INTO job VALUES(?1, ?2)")
    }
}
