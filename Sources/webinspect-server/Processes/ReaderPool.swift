import WebStandards

/// The readers: processes that are started for requests, and end when they are idle.
///
/// Each request belongs to one of several lanes, so that slow requests do not delay others.
actor ReaderPool {
    /// A reader, and the page of its last request.
    private struct Seat {
        let reader: ReaderProcess
        /// The page, which it still has parsed.
        var url: String?
        /// Since when it has been idle.
        var time = MonotonicClock.now
    }

    /// A request that waits for a reader.
    private struct Waiter {
        let id: Int
        let continuation: CheckedContinuation<Result<Seat?, ServeError>, Never>
    }

    private struct Readers {
        /// The idle readers, the last used one at the end.
        var idle: [Seat] = []
        /// The number of readers that answer, or are being started.
        var busy = 0
        var waiting: [Waiter] = []
    }

    private let program: String
    private let cache: String
    private let limits: ReaderLimits
    private var lanes: [Lane: Readers] = [:]
    /// All readers that have not ended.
    private var readers: [ReaderProcess] = []
    private var lastID = 0
    private var isOver = false
    private var sweeping: Task<Void, Never>?

    /// Creates a pool, which starts no reader yet.
    ///
    /// - Parameters:
    ///   - program: The path of `webinspect`.
    ///   - cache: The directory of the cache.
    ///   - limits: The limits of the readers.
    init(program: String, cache: String, limits: ReaderLimits = ReaderLimits()) {
        self.program = program
        self.cache = cache
        self.limits = limits
    }

    deinit { sweeping?.cancel() }

    // MARK: - Asking

    /// Sends a request to a reader, and returns its answer.
    ///
    /// If the task is cancelled, the reader is killed: nothing else interrupts it.
    ///
    /// - Parameters:
    ///   - request: An object with a member "do".
    ///   - lane: The lane of the request.
    ///   - seconds: The maximum time of the answer, once a reader works on it.
    ///   - onEvent: Receives the events that the reader sends before its answer, one after the other, on some thread.
    /// - Returns: The answer.
    /// - Throws: ``ServeError``: the reader's error, that it took too long or too much memory or has crashed, that
    ///   too many requests wait, or that the task was cancelled.
    func ask(
        _ request: JSONValue,
        lane: Lane,
        seconds: Double,
        onEvent: (@Sendable ([UInt8]) -> Void)? = nil
    ) async throws(ServeError) -> ReaderAnswer {
        guard case .object(let members) = request else {
            throw ServeError(400, "usage", "a request has to be an object")
        }
        lastID += 1
        let id = lastID
        let question = ReaderProcess.Request(
            id: id,
            // The last of several members with one name is the one that counts.
            line: JSONValue.object(members + [.init("id", .integer(Int64(id)))]).lineInOrder,
            seconds: seconds,
            onEvent: onEvent
        )
        let url = request["url"]?.string
        let reader = try await take(lane, url, id)
        let answer = await reader.answer(question)
        give(back: Seat(reader: reader, url: url), to: lane)
        return try answer.get()
    }

    /// Returns an idle reader, or a new one, once there may be one more.
    private func take(_ lane: Lane, _ url: String?, _ id: Int) async throws(ServeError) -> ReaderProcess {
        guard !isOver else { throw .ending }
        var seat = takeIdle(lane, url)
        if seat == nil, lanes[lane, default: Readers()].busy >= lane.width {
            seat = try await turn(lane, id).get()
        } else {
            lanes[lane, default: Readers()].busy += 1
        }
        do throws(ServeError) {
            guard !Task.isCancelled else { throw .cancelled }
            if let seat { return seat.reader }
            return try await start()
        } catch {
            give(back: seat, to: lane)
            throw error
        }
    }

    /// Takes the idle reader whose last request was for the page, or else the one that has been idle longest.
    private func takeIdle(_ lane: Lane, _ url: String?) -> Seat? {
        while let idle = lanes[lane]?.idle, !idle.isEmpty {
            let index = idle.lastIndex { $0.url == url } ?? 0
            guard let seat = lanes[lane]?.idle.remove(at: index) else { return nil }
            if seat.reader.isFit { return seat }
            end(seat.reader)
        }
        return nil
    }

    private func start() async throws(ServeError) -> ReaderProcess {
        let reader = try await ReaderProcess.start(program, cache: cache, limits)
        guard !isOver else {
            await reader.end(within: 0)
            throw .ending
        }
        readers.append(reader)
        return reader
    }

    // MARK: - Waiting

    /// Waits until another request is answered; `nil` means that a reader is to be started.
    private func turn(_ lane: Lane, _ id: Int) async -> Result<Seat?, ServeError> {
        guard lanes[lane, default: Readers()].waiting.count < limits.waiting else {
            return .failure(ServeError(503, "busy", "\(limits.waiting) requests wait already"))
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                lanes[lane, default: Readers()].waiting.append(Waiter(id: id, continuation: continuation))
            }
        } onCancel: {
            Task { await self.giveUp(id, lane) }
        }
    }

    private func giveUp(_ id: Int, _ lane: Lane) {
        guard let index = lanes[lane]?.waiting.firstIndex(where: { $0.id == id }) else { return }
        lanes[lane]?.waiting.remove(at: index).continuation.resume(returning: .failure(.cancelled))
    }

    /// Lets the next request begin, with a reader that is free now.
    private func give(back seat: Seat?, to lane: Lane) {
        var seat = seat
        if let reader = seat?.reader, !reader.isFit {
            end(reader)
            seat = nil
        }
        var waiting = lanes[lane]?.waiting ?? []
        guard waiting.isEmpty else {
            let next = waiting.removeFirst()
            lanes[lane]?.waiting = waiting
            return next.continuation.resume(returning: .success(seat))
        }
        lanes[lane]?.busy -= 1
        // Whoever ends this pool ends the reader, too.
        guard let seat, !isOver else { return }
        lanes[lane]?.idle.append(seat)
        sweepLater()
    }

    // MARK: - Ending

    /// Ends a reader, and then forgets it.
    private func end(_ reader: ReaderProcess) {
        Task {
            await reader.end(within: ReaderProcess.endTime)
            readers.removeAll { $0 === reader }
        }
    }

    private func sweepLater() {
        guard sweeping == nil else { return }
        sweeping = Task { [weak self] in
            while let seconds = await self?.sweep(), !Task.isCancelled {
                try? await Task.sleep(for: Duration(boundedSeconds: seconds))
            }
        }
    }

    /// Ends the readers that have been idle too long; returns the seconds until the next one is due, if any.
    private func sweep() -> Double? {
        let due = MonotonicClock.now - limits.idleTime
        for (lane, state) in lanes {
            for seat in state.idle where seat.time <= due { end(seat.reader) }
            lanes[lane]?.idle.removeAll { $0.time <= due }
        }
        guard let next = lanes.values.compactMap({ $0.idle.map(\.time).min() }).min() else {
            sweeping = nil
            return nil
        }
        return next - due
    }

    /// Ends all readers, and waits for their end; requests that are not answered within a moment fail.
    func shutDown() async {
        isOver = true
        sweeping?.cancel()
        for readers in lanes.values {
            for waiter in readers.waiting { waiter.continuation.resume(returning: .failure(.ending)) }
        }
        for lane in lanes.keys {
            lanes[lane]?.waiting = []
            lanes[lane]?.idle = []
        }
        let readers = readers
        await withDiscardingTaskGroup { group in
            for reader in readers { group.addTask { await reader.shutDown() } }
        }
        self.readers = []
    }
}
