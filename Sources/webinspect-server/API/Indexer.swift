import Synchronization
import WebStandards

/// Updates the catalogue from the cache: reads it at the start, and then what other processes change in it.
final class Indexer: Sendable {
    /// Seconds between two checks of the folders: while somebody watches the list, and while nobody does.
    private static let interval = (watched: 1.0, alone: 5.0)
    /// Milliseconds within which two changes of a folder may have one date.
    private static let clockTick: Int64 = 50
    /// Seconds until a folder that could not be read is tried again, if nothing changes there.
    private static let retryTime = 60.0
    /// Seconds between two reports about the list, while the cache is read.
    private static let pause = 0.25
    /// Seconds that reading one folder may take.
    private static let maximumSeconds = 120.0

    private struct State {
        /// How many folders were read, and how many the last check found to be out of date.
        var done = 0
        var count = 0
        /// Folders that could not be read: the time of their last change, and when they are tried again, in seconds.
        var failed: [String: (change: Int64, again: Double)] = [:]
    }

    private let state = Mutex(State())
    private let cache: String
    private let catalogue: CatalogueThread
    private let readers: ReaderPool
    private let events: EventHub

    init(_ cache: String, _ catalogue: CatalogueThread, _ readers: ReaderPool, _ events: EventHub) {
        self.cache = cache
        self.catalogue = catalogue
        self.readers = readers
        self.events = events
    }

    /// The progress of reading the cache; null once it is read.
    var progress: JSONValue {
        state.withLock { state in
            guard state.done < state.count else { return .null }
            return ["done": .integer(Int64(state.done)), "of": .integer(Int64(state.count))]
        }
    }

    /// Checks the folders repeatedly, until its task is cancelled.
    func run() async {
        while !Task.isCancelled {
            await look()
            await purge()
            await refresh()
            let seconds = events.isAlone ? Self.interval.alone : Self.interval.watched
            try? await Task.sleep(for: Duration(boundedSeconds: seconds))
        }
    }

    /// Reads a folder in which an entry was just stored.
    func folderChanged(_ folder: String) async {
        guard CacheFolders.names.contains(folder) else { return }
        if await read(folder, await CacheFolders.change(of: folder, in: cache)) { await send() }
    }

    private func look() async {
        guard let known = try? await catalogue.run({ try $0.folderStamps() }) else { return }
        var stale: [(folder: String, change: Int64)] = []
        let now = MonotonicClock.now
        for (folder, change) in await CacheFolders.changes(in: cache) {
            let isFailed = state.withLock { state in
                state.failed[folder].map { $0.change == change && now < $0.again } ?? false
            }
            if known[folder, default: 0] != change, !isFailed { stale.append((folder, change)) }
        }
        let count = stale.count
        state.withLock { ($0.done, $0.count) = (0, count) }
        var isChanged = false
        var told = MonotonicClock.now
        for (folder, change) in stale {
            if Task.isCancelled { return }
            if await read(folder, change) { isChanged = true }
            state.withLock { $0.done += 1 }
            guard isChanged, MonotonicClock.now - told > Self.pause else { continue }
            await send()
            (isChanged, told) = (false, MonotonicClock.now)
        }
        if isChanged { await send() }
        // The end of reading is reported, too.
        if count > 1, let version = try? await catalogue.run({ $0.version }) {
            events.send("list", .integer(version))
        }
    }

    /// Reads a folder; returns whether anything has changed.
    private func read(_ folder: String, _ change: Int64) async -> Bool {
        do throws(ServeError) {
            // A change within the same tick of the file system's clock would be missed otherwise.
            let isNew = Timestamp.now.millisecondsSince1970 -| change / 1_000_000 < Self.clockTick
            let stamp = isNew ? nil : change
            let known = try await catalogue.run { try $0.known(folder: folder) }
            let request: JSONValue = [
                "do": "index", "folder": .string(folder),
                "known": .object(known.map { .init($0.stem, .string($0.stamp)) }),
            ]
            let answer = try await readers.ask(request, lane: .index, seconds: Self.maximumSeconds).json()
            return try await catalogue.run { catalogue in
                try catalogue.apply(folder: folder, answer: answer, stamp: stamp).changed > 0
            }
        } catch {
            // "busy" is another process, for a moment.
            if error.code != "busy", error.code != "state.busy" {
                state.withLock { $0.failed[folder] = (change, MonotonicClock.now + Self.retryTime) }
            }
            return false
        }
    }

    private func send() async {
        guard let version = try? await catalogue.run({ $0.version }) else { return }
        events.send(list: version)
    }

    /// Reports what another server has changed in the catalogue.
    private func refresh() async {
        let version = try? await catalogue.run { catalogue in
            _ = try catalogue.refresh()
            return catalogue.version
        }
        guard let version, events.send(list: version) else { return }
        for name in ["lists", "recipes"] { events.send(name, true) }
    }

    // MARK: - Removed entries

    /// Removes from the disk what was removed from the list, once that can no longer be undone.
    private func purge() async {
        guard let due = try? await catalogue.run({ try $0.due(now: Timestamp.now.millisecondsSince1970) })
        else { return }
        for removal in due {
            var isTried = true
            for url in removal.urls {
                let request: JSONValue = ["do": "remove", "url": .string(url)]
                do throws(ServeError) {
                    _ = try await readers.ask(request, lane: .index, seconds: 30)
                } catch {
                    // A page that cannot be removed returns to the list; one that was not tried is due again.
                    if error.status == 503 || error == .cancelled { isTried = false }
                }
            }
            guard isTried else { continue }
            try? await catalogue.run { try $0.purged(removal.id) }
        }
    }
}
