package import WebDatabase
import WebStandards

/// The state of a job over many URLs, in one SQLite database: the queue, the leases, and the outcomes.
///
/// The guarantee: whenever the process is ended, each URL is in the outputs exactly once when the job is done. To that
/// end the outcome of a URL, the URLs found on it and the lengths of the outputs change in one transaction; when the
/// job is opened again, outputs are truncated to their committed lengths, and leased URLs go back to the queue.
///
/// Several finished URLs share a transaction for a few milliseconds: see ``commitDue``.
///
/// After a file error, such as a full disk, the frontier is unusable: the open transaction is rolled back, and every
/// call throws that error again. Opening the job again continues from the last commit.
///
/// Only one thread at a time may use it. It has no clock and never waits.
package final class Frontier {
    /// The options of a job.
    package struct Options: Sendable {
        package var politeness = Politeness()
        /// The politeness for local hosts: this machine's addresses, and files.
        package var localPoliteness = Politeness.local(concurrency: 8)
        /// The settings that the results depend on; a job can only be continued with the same ones.
        package var settings: [String: String] = [:]
        /// Whether a job with other settings is opened too, in order to inspect it.
        package var takesAnySettings = false
        /// The paths of the files that the job appends to.
        package var outputs: [String] = []
        /// Returns the path of each further output begun by ``Frontier/beginOutput(_:)``; `nil` if the job has no
        /// further outputs.
        package var furtherOutput: (@Sendable (Int) -> String)?
        /// The number of seconds after which an open transaction is committed; uncommitted URLs are requested again
        /// after a kill.
        package var commitInterval = 0.002
        /// The number of finished URLs after which a transaction is committed in any case.
        package var commitCount = 256
        /// The number of running and uncommitted requests at which a transaction is committed before the next request;
        /// they are repeated after a kill.
        package var maximumRepeats = 4
        /// Whether outputs are synced to the disk before a commit that refers to them, against power failures as well
        /// as kills.
        package var isSynced = true
        /// The maximum number of hosts in memory.
        package var hostCapacity = 4096

        package init() {}
    }

    private(set) var options: Options
    let database: Database
    let statements: FrontierStatements
    let hash: KeyHash
    private let draw: () -> Double

    var outputs: [OutputLog] = []
    /// The committed mark of each output.
    var committed: [OutputLog.Mark] = []

    var queue: HostQueue
    /// Whether hosts with queued URLs may be missing from `queue`.
    var isQueuePartial = true
    /// The last host that was scanned to fill the queue.
    var scannedHost: Int64 = 0
    /// The IDs of recently used hosts, by name.
    var hostIDs: [String: Int64] = [:]
    /// The leases in use, by row.
    var held: [Int64: Lease] = [:]

    var counter: FrontierCounter
    private var failure: StateError?

    /// Called before each commit, if set.
    var willCommit: (() throws(StateError) -> Void)?
    /// When the open transaction was begun; `nil` if no transaction is open.
    private var begun: Double?
    private var finishedCount = 0
    /// The number of finished URLs for which a server was contacted.
    private var askedCount = 0

    /// A bit mask, one bit of which the depth of a leased URL must have; 0 for no restriction.
    package var mark: Int64 = 0

    /// The monotonic time at which ``lease(_:now:)`` may return more; `nil` if only a finished load or a new URL can
    /// change that.
    package internal(set) var nextLease: Double?

    /// The last property: those declared before it are destroyed first, so that the next holder of the lock finds the
    /// database closed.
    private let lock: JobLock?

    /// Opens a job, or begins one.
    ///
    /// - Parameters:
    ///   - path: The path of the database, beside which there are `-wal` while it is open, and `.lock`; `nil` for a job
    ///     that cannot be continued and leaves no files.
    ///   - options: The options of the job.
    ///   - now: The current time.
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
            // Such a job cannot continue after a kill.
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

    /// Opens the outputs, truncated to their committed lengths.
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
        // From now on its content belongs to the job, including uncommitted bytes.
        if mark == nil { try statements.output.bind(1, number).bind(2, 0).bind(3, 0).run() }
    }

    /// Returns the leases of a process that was ended to the queue.
    private func takeBackLeases() throws(StateError) {
        guard try database.value("SELECT 1 FROM leases LIMIT 1") != nil else { return }
        try database.execute("BEGIN IMMEDIATE")
        // They are queued after the others: a page that crashes the process must not do so each time before all others
        // are loaded.
        try database.execute(
            "UPDATE urls SET turn = turn + 1 WHERE id IN (SELECT url FROM leases) AND state = 0"
        )
        try database.execute("DELETE FROM leases")
        try database.execute("COMMIT")
    }

    // MARK: - Transactions

    /// The monotonic time by which ``commit()`` has to be called, if nothing else is; `nil` if nothing is uncommitted.
    package var commitDue: Double? { begun.map { $0 + options.commitInterval } }

    /// Runs `body` in the open transaction, after beginning one if necessary; an error rolls all of it back.
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

    /// Runs `body`; if it throws, the transaction is rolled back, and all later calls throw the same error.
    func guarded<Value>(_ body: () throws(StateError) -> Value) throws(StateError) -> Value {
        if let failure { throw failure }
        do throws(StateError) {
            return try body()
        } catch {
            failure = error
            begun = nil
            // SQLite may have rolled back itself; if the rollback fails, the next process does it.
            if database.isInTransaction { try? statements.rollback.run() }
            throw error
        }
    }

    /// Commits the open transaction if it is due.
    package func commitIfDue(now: Moment) throws(StateError) {
        guard let begun else { return }
        // A clock that went back also makes it due.
        let age = now.monotonic - begun
        guard age < 0 || age >= options.commitInterval || finishedCount >= options.commitCount else { return }
        try commit()
    }

    /// Commits if a kill would otherwise repeat too many requests; returns the number of requests that may be begun.
    func limitRepeats(_ limit: Int) throws(StateError) -> Int {
        guard askedCount > 0 else { return limit }
        let room = options.maximumRepeats - held.count - askedCount
        if room > 0 { return min(limit, room) }
        try commit()
        return limit
    }

    /// Commits the open transaction, after writing the bytes of the outputs that it refers to.
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

    /// Commits, and makes all later calls fail; the database is closed with the last reference.
    package func close() throws(StateError) {
        try commit()
        failure = StateError(.unwritable, "\(database.path): the job is closed")
    }

    // MARK: - Outputs

    /// The number of outputs.
    package var outputCount: Int { outputs.count }

    /// Begins another output after the others; commits all changes before.
    ///
    /// It belongs to the job even while it is empty. Nothing must have been appended for the URL that is finished next.
    /// A job with such outputs is opened with ``Options/furtherOutput``.
    package func beginOutput(_ path: String) throws(StateError) {
        try commit()
        try guarded { () throws(StateError) in try openOutput(path, nil) }
    }

    /// Appends bytes to an output; they become part of the next URL that is finished, unless ``dropOutput()`` is
    /// called.
    package func append(_ bytes: [UInt8], to output: Int = 0) throws(StateError) {
        try guarded { () throws(StateError) in
            guard outputs.indices.contains(output) else {
                throw StateError(.unwritable, "\(database.path): the job has no output \(output)")
            }
            try outputs[output].append(bytes)
        }
    }

    /// Discards the bytes appended since a URL was finished.
    package func dropOutput() throws(StateError) {
        try guarded { () throws(StateError) in
            for output in outputs { try output.dropUnmarked() }
        }
    }

    /// The number of bytes of the first output that belong to the URL that is finished next.
    var unmarked: Int { outputs.first?.unmarked ?? 0 }

    /// Returns the length of an output, including uncommitted bytes.
    package func length(ofOutput output: Int = 0) -> Int {
        outputs.indices.contains(output) ? outputs[output].marked : 0
    }

    /// Ends the entries appended to the outputs, as part of the open transaction.
    func markOutputs(hasAsked: Bool) {
        for output in outputs { output.mark() }
        finishedCount += 1
        if hasAsked { askedCount += 1 }
    }

    // MARK: - Hosts

    /// Updates the queue by the signal of a host, and stores its wait.
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

    /// Stores the wait of a host in the database.
    func keepWait(_ wait: Double, _ failures: Int, of host: Int64, now: Moment) throws(StateError) {
        let milliseconds = Int64(Int(bounded: wait * 1000))
        try statements.hostWait.bind(1, host).bind(2, now.wall.millisecondsSince1970 +| milliseconds)
            .bind(3, milliseconds).bind(4, Int64(failures)).run()
    }
}
