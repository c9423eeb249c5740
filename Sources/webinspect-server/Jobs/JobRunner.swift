import Glibc
import WebStandards

/// The jobs: processes of the command, some at once and the others after them.
///
/// A job resumes where it stopped: its state is in its folder, to which only its command writes.
actor JobRunner {
    /// The maximum number of jobs that run at once.
    static let width = 3
    /// The maximum number of jobs.
    private static let maximumCount = 200
    /// The maximum number of lines that are returned at once.
    private static let maximumLines = 1000

    let program: String
    let cache: String
    private let store: any JobStore
    private let changed: @Sendable (JSONValue) -> Void

    var jobs: [Int64: Job] = [:]
    /// The waiting jobs, first come, first served.
    var waiting: [Int64] = []
    /// The running jobs, also before and after their processes run.
    var running: Set<Int64> = []
    var processes: [Int64: JobProcess] = [:]
    /// The jobs that are to be removed once they have ended.
    var removed: Set<Int64> = []
    /// Whether the server is ending: no more jobs are started.
    var isEnding = false
    private var results: [Int64: JobResults] = [:]
    private var isLoaded = false

    /// Creates a runner, which has not read the stored jobs yet.
    ///
    /// - Parameters:
    ///   - program: The command's program.
    ///   - cache: The folder of the cache.
    ///   - store: The store of the jobs.
    ///   - changed: Receives a job that has changed; of a removed one its `id` and the state `removed`.
    init(
        program: String,
        cache: String,
        store: any JobStore,
        changed: @escaping @Sendable (JSONValue) -> Void
    ) {
        self.program = program
        self.cache = cache
        self.store = store
        self.changed = changed
    }

    // MARK: - Requests

    /// Returns all jobs, the newest first.
    func list() async throws(ServeError) -> JSONValue {
        try await load()
        let shown = jobs.values.filter { !removed.contains($0.id) }.sorted { $0.id > $1.id }
        return ["jobs": .array(shown.map(\.json))]
    }

    /// Adds a job: an object with its `kind`, and `options` with its `urls`.
    ///
    /// - Returns: Its number, as `id`.
    func add(_ request: JSONValue) async throws(ServeError) -> JSONValue {
        let options = request["options"] ?? .null
        let form = try JobForm(kind: request.member("kind"), options: options)
        let urls = try form.urls(options)
        let files = try form.files(urls, options)
        try await load()
        guard jobs.count < Self.maximumCount else {
            throw ServeError(413, "limit.jobs", "there are \(Self.maximumCount) jobs: remove some")
        }
        let id = try await addFolder(files, Job(id: 0, form, urls: urls).kept)
        jobs[id] = Job(id: id, form, urls: urls)
        enqueue(id)
        return ["id": .integer(id)]
    }

    /// Stores a new job, with a folder of its own; a number whose folder already exists is skipped.
    private func addFolder(
        _ files: [(name: String, bytes: [UInt8])],
        _ kept: String
    ) async throws(ServeError) -> Int64 {
        while true {
            let id = try await store.put(nil, kept)
            let folder = JobFolder(cache: cache, id: id)
            var failure: ServeError?
            do throws(ServeError) {
                let isMade = try await BlockingWork.threads.run { () throws(ServeError) in
                    try folder.make(files)
                }
                if isMade { return id }
            } catch {
                failure = error
            }
            try? await store.delete(id)
            if let failure { throw failure }
        }
    }

    /// Stops, resumes or removes a job.
    func act(id: Int64, action: String) async throws(ServeError) {
        let job = try await job(id)
        switch action {
        case "stop":
            guard job.isActive else { throw ServeError(409, "job.state", "this job does not run") }
            await stop(id, [(0, SIGINT), (3, SIGTERM), (2, SIGKILL)])
        case "resume":
            guard !job.isActive else { throw ServeError(409, "job.state", "this job runs already") }
            enqueue(id)
        case "remove":
            removed.insert(id)
            await stop(id, [(0, SIGTERM), (2, SIGKILL)])
            if !running.contains(id) { try await erase(id) }
        default: throw ServeError(400, "usage", "a job can be told to stop, resume or remove")
        }
    }

    /// Returns some of a job's results, as lines of JSON.
    ///
    /// - Parameters:
    ///   - id: The job.
    ///   - from: The first line, from 0.
    ///   - count: The number of lines.
    ///   - result: The value of member `result` that lines must have to count; `nil` for all lines.
    /// - Returns: The `total` number of lines that count, and `lines`: strings, of which long ones are cut.
    /// - Throws: ``ServeError``.
    func results(
        id: Int64,
        from: Int,
        count: Int,
        result: String? = nil
    ) async throws(ServeError) -> JSONValue {
        _ = try await job(id)
        if let result, !result.utf8.allSatisfy({ UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }) {
            throw ServeError(400, "usage", "a result is a word in small letters")
        }
        let (from, count) = (max(0, Int(bounded: from)), min(max(0, count), Self.maximumLines))
        let results = results(of: id)
        let found = try await BlockingWork.threads.run { () throws(ServeError) in
            try results.lines(from: from, count: count, result: result)
        }
        if result == nil { jobs[id]?.lines = found.total }
        return ["total": JSONValue(found.total), "lines": .array(found.lines.map(JSONValue.string))]
    }

    /// Stops the running jobs, which can be resumed in another run of the server.
    func shutDown() async {
        isEnding = true
        for process in processes.values { process.send(SIGTERM) }
        let deadline = MonotonicClock.now + 1
        while !running.isEmpty, MonotonicClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(20))
        }
    }

    // MARK: - Storage

    private func load() async throws(ServeError) {
        guard !isLoaded else { return }
        let kept = try await store.jobs()
        // Another call may have loaded them meanwhile.
        guard !isLoaded else { return }
        isLoaded = true
        for (id, json) in kept { jobs[id] = Job(id: id, kept: json) }
    }

    private func job(_ id: Int64) async throws(ServeError) -> Job {
        try await load()
        guard let job = jobs[id], !removed.contains(id) else {
            throw ServeError(404, "job.missing", "there is no job of this number")
        }
        return job
    }

    /// Stores a job as it is now, for the next run.
    func keep(_ id: Int64) async {
        guard let job = jobs[id] else { return }
        // A job that cannot be stored exists until the server ends.
        _ = try? await store.put(id, job.kept)
    }

    func send(_ id: Int64) {
        if let job = jobs[id], !removed.contains(id) { changed(job.json) }
    }

    func results(of id: Int64) -> JobResults {
        if let known = results[id] { return known }
        let made = JobResults(JobFolder(cache: cache, id: id))
        results[id] = made
        return made
    }

    /// Removes a job that is not running, with its folder.
    func erase(_ id: Int64) async throws(ServeError) {
        let folder = JobFolder(cache: cache, id: id)
        do throws(ServeError) {
            try await BlockingWork.threads.run { () throws(ServeError) in try folder.remove() }
            try await store.delete(id)
        } catch {
            removed.remove(id)
            throw error
        }
        (jobs[id], results[id]) = (nil, nil)
        removed.remove(id)
        changed(["id": .integer(id), "state": "removed"])
    }
}
