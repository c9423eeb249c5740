package import WebDatabase
import WebStandards

/// The state of a job over many URLs, in one SQLite database: what is queued, what runs, and what became of the rest.
///
/// The promise: whenever the process is ended, each URL is in the outputs once when the job is done, and none is lost. For that, what
/// became of a URL, the URLs that were found on it and how long the outputs are change in one transaction; what an output has beyond
/// is cut off when the job is opened again, and URLs that were handed out go back to the queue.
///
/// Several finished URLs share a transaction, for a few milliseconds: see ``commitDue``.
///
/// After an error of a file, as on a full disk, nothing more can be done with it: the transaction that was open is undone, and
/// everything throws that error again. Opening the job anew goes on from the last commit.
///
/// One thread at a time may use it. It has no clock and waits for nothing.
package final class Frontier {
    /// How a job is kept.
    package struct Options: Sendable {
        package var politeness = Politeness()
        /// How hosts of one's own are spared: this machine's addresses, and files.
        package var localPoliteness = Politeness.local(concurrency: 8)
        /// What the results depend on; a job can only be continued with the same.
        package var settings: [String: String] = [:]
        /// Whether a job of other settings is opened too: to look at it.
        package var takesAnySettings = false
        /// The files that it appends to.
        package var outputs: [String] = []
        /// The path of each file after those, that ``Frontier/beginOutput(_:)`` began; nil for none.
        package var furtherOutput: (@Sendable (Int) -> String)?
        /// After how many seconds an open transaction is committed: what is not is asked for again after a kill.
        package var commitInterval = 0.002
        /// After how many finished URLs it is committed in any case.
        package var commitCount = 256
        /// How many requests, of those that run and those that are not committed, there may be without a commit before the next:
        /// they are made again after a kill.
        package var maximumRepeats = 4
        /// Whether outputs are on the disk before a commit speaks of them: against power failures, not only against kills.
        package var isSynced = true
        /// How many hosts are kept in memory.
        package var hostCapacity = 4096

        package init() {}
    }

    private(set) var options: Options
    let database: Database
    let statements: FrontierStatements
    let hash: KeyHash
    private let draw: () -> Double

    var outputs: [OutputLog] = []
    /// What the database says of each output.
    var committed: [OutputLog.Mark] = []

    var queue: HostQueue
    /// Whether there may be hosts with queued URLs that are not in `queue`.
    var isQueuePartial = true
    /// The last host that was looked at to fill the queue.
    var scannedHost: Int64 = 0
    /// IDs of host names that were looked up lately.
    var hostIDs: [String: Int64] = [:]
    /// The leases that are held.
    var held: [Int64: Lease] = [:]

    var counter: FrontierCounter
    private var failure: StateError?

    /// Called before each commit; nil for nothing.
    var willCommit: (() throws(StateError) -> Void)?
    /// When the open transaction was begun; nil if none is open.
    private var begun: Double?
    private var finishedCount = 0
    /// How many of the finished URLs had a server asked.
    private var askedCount = 0

    /// Bits of which the depth of what is handed out has one at least; 0 for whatever is queued.
    package var mark: Int64 = 0

    /// The moment of the monotonic clock at which ``lease(_:now:)`` may have more; nil if only a finished load or a new URL helps.
    package internal(set) var nextLease: Double?

    /// The last of all: what is declared before it goes before it, so that whoever has the lock next finds the database closed.
    private let lock: JobLock?

    /// Opens a job, or begins one.
    ///
    /// - Parameters:
    ///   - path: The database. Beside it there are `-wal` while it is open, and `.lock`. Nil for a job that is not to be continued,
    ///     which leaves nothing behind.
    ///   - options: How it is kept.
    ///   - now: The moment.
    ///   - draw: Draws a number from 0 to 1, for jitter.
    /// - Throws: ``StateError``.
    package init(
        _ path: String?,
        _ options: Options,
        now: Moment,
        draw: @escaping () -> Double = { Double.random(in: 0..<1) }
    ) throws(StateError) {
        self.options = options
        self.draw = draw
        if let path {
            lock = try JobLock(path + ".lock")
            database = try Database(path)
        } else {
            lock = nil
            database = try Database()
            // Nothing goes on after a kill.
            self.options.maximumRepeats = .largestBounded
        }
        var random = SystemRandomNumberGenerator()
        let new = KeyHash(k0: random.next(), k1: random.next())
        let settings = options.takesAnySettings ? nil : options.settings
        _ = try FrontierSchema.open(database, settings: settings, hash: new)
        hash = try FrontierSchema.hash(database)
        statements = try FrontierStatements(database)
        counter = try FrontierCounter(database)
        queue = HostQueue(
            options.politeness,
            local: options.localPoliteness,
            capacity: options.hostCapacity
        )
        try finishRewriting()
        try openOutputs()
        try takeBackLeases()
    }

    /// Opens the outputs, cut back to what is committed.
    private func openOutputs() throws(StateError) {
        var known: [Int64: OutputLog.Mark] = [:]
        let select = try database.prepare("SELECT number, length, tail FROM outputs")
        while try select.step() {
            let length = max(0, Int(bounded: select.number(1)))
            known[select.number(0)] = OutputLog.Mark(length: length, tail: select.optionalNumber(2))
        }
        for (number, path) in options.outputs.enumerated() { try openOutput(path, known[Int64(number)]) }
        guard let furtherOutput = options.furtherOutput else { return }
        while let mark = known[Int64(outputs.count)] { try openOutput(furtherOutput(outputs.count), mark) }
    }

    private func openOutput(_ path: String, _ mark: OutputLog.Mark?) throws(StateError) {
        let number = Int64(outputs.count)
        outputs.append(try OutputLog(path, committed: mark, hash: hash))
        committed.append(mark ?? OutputLog.Mark(length: 0, tail: 0))
        // From now on what is in it is the job's, also what was not committed.
        if mark == nil { try statements.output.bind(1, number).bind(2, 0).bind(3, 0).run() }
    }

    /// Puts back what a process had that was ended.
    private func takeBackLeases() throws(StateError) {
        guard try database.value("SELECT 1 FROM leases LIMIT 1") != nil else { return }
        try database.execute("BEGIN IMMEDIATE")
        // They come after the others: a page that ends the process must not end it each time before all else.
        try database.execute(
            "UPDATE urls SET turn = turn + 1 WHERE id IN (SELECT url FROM leases) AND state = 0"
        )
        try database.execute("DELETE FROM leases")
        try database.execute("COMMIT")
    }

    // MARK: - Transactions

    /// The moment of the monotonic clock by which ``commit()`` is to be called, if nothing else is; nil if nothing waits for it.
    package var commitDue: Double? { begun.map { $0 + options.commitInterval } }

    /// Does something within the open transaction, or begins one; what fails undoes all of it.
    func change<Value>(
        now: Moment,
        _ body: () throws(StateError) -> Value
    ) throws(StateError) -> Value {
        try guarded { () throws(StateError) -> Value in
            if begun == nil {
                try statements.begin.run()
                begun = now.monotonic
            }
            return try body()
        }
    }

    /// Does something that leaves nothing half done: after a failure, nothing can be done any more.
    func guarded<Value>(_ body: () throws(StateError) -> Value) throws(StateError) -> Value {
        if let failure { throw failure }
        do throws(StateError) {
            return try body()
        } catch {
            failure = error
            begun = nil
            // SQLite may have undone it itself; if undoing fails, the next process does it.
            if database.isInTransaction { try? statements.rollback.run() }
            throw error
        }
    }

    /// Commits what is open, if it is time for that.
    package func commitIfDue(now: Moment) throws(StateError) {
        guard let begun else { return }
        // A clock that went back makes it due too.
        let age = now.monotonic - begun
        guard age < 0 || age >= options.commitInterval || finishedCount >= options.commitCount else { return }
        try commit()
    }

    /// Commits what is open if otherwise a kill would have too much repeated, and returns how many requests may be begun.
    func limitRepeats(_ limit: Int) throws(StateError) -> Int {
        guard askedCount > 0 else { return limit }
        let room = options.maximumRepeats - held.count - askedCount
        if room > 0 { return min(limit, room) }
        try commit()
        return limit
    }

    /// Commits what is open: first the outputs' bytes, then the transaction that speaks of them.
    package func commit() throws(StateError) {
        guard begun != nil else { return }
        try guarded { () throws(StateError) in
            try willCommit?()
            for (number, output) in outputs.enumerated() where output.marked != committed[number].length {
                let mark = try output.commit(isSynced: options.isSynced)
                try statements.output.bind(1, Int64(number)).bind(2, Int64(mark.length)).bind(3, mark.tail)
                    .run()
                committed[number] = mark
            }
            try counter.write(statements.count)
            try statements.commit.run()
            begun = nil
            finishedCount = 0
            askedCount = 0
        }
    }

    /// Commits, and lets nothing more be done; the database is closed with the last reference.
    package func close() throws(StateError) {
        try commit()
        failure = StateError(.unwritable, "\(database.path): the job is closed")
    }

    // MARK: - Outputs

    /// How many outputs there are.
    package var outputCount: Int { outputs.count }

    /// Begins another output, behind the others; commits what was done before.
    ///
    /// It is the job's before there is anything in it. Nothing must have been appended for the URL that is finished next. A job
    /// that has some is opened with ``Options/furtherOutput``.
    package func beginOutput(_ path: String) throws(StateError) {
        try commit()
        try guarded { () throws(StateError) in try openOutput(path, nil) }
    }

    /// Appends bytes to an output; they stay if the next URL is finished, and go if ``dropOutput()`` is called.
    package func append(_ bytes: [UInt8], to output: Int = 0) throws(StateError) {
        try guarded { () throws(StateError) in
            guard outputs.indices.contains(output) else {
                throw StateError(.unwritable, "\(database.path): the job has no output \(output)")
            }
            try outputs[output].append(bytes)
        }
    }

    /// Forgets what was appended since a URL was finished.
    package func dropOutput() throws(StateError) {
        try guarded { () throws(StateError) in
            for output in outputs { try output.dropUnmarked() }
        }
    }

    /// How many bytes of an output belong to the URL that is finished next.
    var unmarked: Int { outputs.first?.unmarked ?? 0 }

    /// How long an output is, with what is not committed yet.
    package func length(ofOutput output: Int = 0) -> Int {
        outputs.indices.contains(output) ? outputs[output].marked : 0
    }

    /// Ends what was appended to the outputs, as part of the open transaction.
    func markOutputs(hasAsked: Bool) {
        for output in outputs { output.mark() }
        finishedCount += 1
        if hasAsked { askedCount += 1 }
    }

    // MARK: - Hosts

    /// Tells the queue what a load says of its host.
    func settle(
        _ lease: Lease,
        _ signal: HostSignal,
        isAgain: Bool,
        now: Moment
    ) throws(StateError) -> HostChange {
        let change = queue.finished(
            lease.hostID,
            signal,
            isAgain: isAgain,
            tries: lease.tries + 1,
            now: now.monotonic,
            draw: draw()
        )
        let failures = queue[lease.hostID]?.failures ?? 0
        switch change {
        case .none: break
        case .waits(let until), .parked(let until):
            let wait = until - now.monotonic
            guard wait > HostQueue.shortWait else { break }
            try keepWait(wait, failures, of: lease.hostID, now: now)
        case .dead:
            try keepWait(options.politeness.parkedTime, failures, of: lease.hostID, now: now)
        case .recovered:
            try statements.hostWait.bind(1, lease.hostID).bind(2, Int64?.none).bind(3, Int64?.none).bind(4, 0)
                .run()
        }
        return change
    }

    /// Has the database remember that a host waits.
    func keepWait(_ wait: Double, _ failures: Int, of host: Int64, now: Moment) throws(StateError) {
        let milliseconds = Int64(Int(bounded: wait * 1000))
        try statements.hostWait.bind(1, host).bind(2, now.wall.millisecondsSince1970 +| milliseconds)
            .bind(3, milliseconds).bind(4, Int64(failures)).run()
    }
}
