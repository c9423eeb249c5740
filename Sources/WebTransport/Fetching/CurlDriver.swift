import CCurl
import Glibc
import Synchronization

/// Runs any number of transfers on one thread, over one libcurl multi handle.
///
/// The thread starts with the first transfer and ends with the driver.
final class CurlDriver: Sendable {
    private let core: Core

    /// - Parameters:
    ///   - configuration: How it connects.
    ///   - sharesConnections: Whether HTTP/2 connections carry several transfers at once.
    init(_ configuration: CurlFetcher.Configuration, sharesConnections: Bool = true) {
        core = Core(configuration, sharesConnections: sharesConnections)
    }

    deinit {
        core.stop()
    }

    /// Starts a transfer.
    ///
    /// Its completion is called on the driver's thread.
    func start(_ transfer: CurlTransfer) throws(FetchError) {
        transfer.resume = { [core] in core.resume(transfer) }
        try core.enqueue(transfer)
    }

    /// Ends a transfer with the code `cancelled`, running or waiting.
    func cancel(_ transfer: CurlTransfer) {
        transfer.isCancelled.store(true, ordering: .relaxed)
        core.cancel(transfer)
    }
}

/// The state that the driver shares with its thread.
private final class Core: Sendable {
    @safe private struct State: ~Copyable, @unchecked Sendable {
        var multi: UnsafeMutableRawPointer?
        var hasThread = false
        var isStopping = false
        /// Whether the thread sleeps or is about to, and must be woken; otherwise it finds new work itself.
        var isAsleep = false
        var incoming: [CurlTransfer] = []
        var cancelled: [CurlTransfer] = []
        var resumed: [CurlTransfer] = []

        mutating func wakeUp() {
            guard isAsleep, let multi = unsafe multi else { return }
            isAsleep = unsafe webl_curl_multi_wakeup(multi) != CURLM_OK
        }
    }

    private let configuration: CurlFetcher.Configuration
    private let sharesConnections: Bool
    private let state = Mutex(State())

    init(_ configuration: CurlFetcher.Configuration, sharesConnections: Bool) {
        self.configuration = configuration
        self.sharesConnections = sharesConnections
    }

    func enqueue(_ transfer: CurlTransfer) throws(FetchError) {
        try state.withLock { (state) throws(FetchError) in
            if unsafe state.multi == nil { try open(&state) }
            if !state.hasThread {
                guard startThread() else {
                    throw FetchError(.unavailable, "no thread could be started for fetching")
                }
                state.hasThread = true
            }
            state.incoming.append(transfer)
            state.wakeUp()
        }
    }

    func cancel(_ transfer: CurlTransfer) {
        state.withLock { state in
            state.cancelled.append(transfer)
            state.wakeUp()
        }
    }

    func resume(_ transfer: CurlTransfer) {
        state.withLock { state in
            state.resumed.append(transfer)
            state.wakeUp()
        }
    }

    func stop() {
        state.withLock { state in
            state.isStopping = true
            state.wakeUp()
        }
    }

    private func open(_ state: inout State) throws(FetchError) {
        if let problem = CurlLibrary.open() { throw FetchError(.unavailable, problem) }
        guard let multi = unsafe webl_curl_multi_init() else {
            throw FetchError(.unavailable, "libcurl could not be set up")
        }
        // Without descriptors for wakeups, the thread could not be woken, and new transfers would wait until
        // its sleep ends.
        guard unsafe webl_curl_multi_wakeup(multi) == CURLM_OK else {
            _ = unsafe webl_curl_multi_cleanup(multi)
            throw FetchError(.unavailable, "libcurl has no file descriptors for wakeups")
        }
        unsafe state.multi = multi
        // Connections that are kept open; the default would be four times as many as there are transfers.
        let maximum = min(max(1, configuration.maximumConnections), 1 << 16)
        _ = unsafe webl_curl_multi_setopt_long(multi, CURLMOPT_MAXCONNECTS, maximum)
        let streams = min(max(1, configuration.maximumStreamsPerHost), 1 << 16)
        _ = unsafe webl_curl_multi_setopt_long(multi, CURLMOPT_MAX_CONCURRENT_STREAMS, streams)
        if !sharesConnections { _ = unsafe webl_curl_multi_setopt_long(multi, CURLMOPT_PIPELINING, 0) }
    }

    private func startThread() -> Bool {
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(self)
        let code = unsafe pthread_create(
            &thread,
            nil,
            { context in
                guard let context = unsafe context else { return nil }
                unsafe Unmanaged<Core>.fromOpaque(context).takeRetainedValue().run()
                return nil
            },
            context.toOpaque()
        )
        guard code == 0 else {
            unsafe context.release()
            return false
        }
        pthread_detach(thread)
        return true
    }

    // MARK: - The thread

    /// Blocks all signals in this thread: other threads handle them, and SIGPIPE, which a write to a closed
    /// TLS connection raises in this thread, has no effect.
    private static func blockSignals() {
        var signals = sigset_t()
        unsafe sigfillset(&signals)
        unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    }

    /// Runs until the driver is stopped; then cancels the transfers that are not finished.
    private func run() {
        guard let multi = unsafe state.withLock({ unsafe UncheckedPointer($0.multi) }).pointer else { return }
        Self.blockSignals()
        var running = unsafe RunningTransfers(
            multi: multi,
            configuration,
            sharesConnections: sharesConnections
        )
        while true {
            let (incoming, cancelled, resumed, isStopping) = state.withLock { state in
                let work = (state.incoming, state.cancelled, state.resumed, state.isStopping)
                state.incoming = []
                state.cancelled = []
                state.resumed = []
                state.isAsleep = false
                return work
            }
            for transfer in incoming { running.add(transfer) }
            for transfer in cancelled { running.cancel(transfer) }
            for transfer in resumed { running.resume(transfer) }
            if isStopping { break }
            running.perform()
            let wait = running.expire()
            let isAsleep = state.withLock { state in
                state.isAsleep =
                    state.incoming.isEmpty && state.cancelled.isEmpty && state.resumed.isEmpty
                    && !state.isStopping
                return state.isAsleep
            }
            if isAsleep { _ = unsafe webl_curl_multi_poll(multi, wait) }
        }
        running.removeAll(.cancelled)
        state.withLock { state in
            unsafe state.multi = nil
            for transfer in state.incoming { transfer.fail(.cancelled) }
            state.incoming = []
            _ = unsafe webl_curl_multi_cleanup(multi)
        }
    }
}

/// A pointer that may leave a lock, since only one thread uses what it points to.
@safe private struct UncheckedPointer: @unchecked Sendable {
    let pointer: UnsafeMutableRawPointer?

    init(_ pointer: UnsafeMutableRawPointer?) {
        unsafe self.pointer = pointer
    }
}
