import CCurl
import Glibc
import Synchronization

/// Runs any number of transfers on one thread, over one libcurl multi handle.
///
/// The thread starts with the first transfer and ends with the driver.
final class CurlDriver: Sendable {
    private let core = Core()

    deinit {
        core.stop()
    }

    /// Starts a transfer.
    ///
    /// Its completion is called on the driver's thread.
    func start(_ transfer: CurlTransfer) throws(FetchError) {
        try core.enqueue(transfer)
    }

    /// Ends a transfer with the code `cancelled`, wherever it is.
    func cancel(_ transfer: CurlTransfer) {
        core.cancel(transfer)
    }
}

/// What the driver and its thread share.
private final class Core: Sendable {
    @safe private struct State: ~Copyable, @unchecked Sendable {
        var multi: UnsafeMutableRawPointer?
        var hasThread = false
        var isStopping = false
        var incoming: [CurlTransfer] = []
        var cancelled: [CurlTransfer] = []

        func wakeUp() {
            if let multi = unsafe multi { _ = unsafe webl_curl_multi_wakeup(multi) }
        }
    }

    private let state = Mutex(State())

    func enqueue(_ transfer: CurlTransfer) throws(FetchError) {
        try state.withLock { (state) throws(FetchError) in
            if unsafe state.multi == nil { try Self.open(&state) }
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

    func stop() {
        state.withLock { state in
            state.isStopping = true
            state.wakeUp()
        }
    }

    private static func open(_ state: inout State) throws(FetchError) {
        if let problem = unsafe webl_curl_load() {
            throw FetchError(.unavailable, "libcurl could not be loaded: \(unsafe String(cString: problem))")
        }
        guard let multi = unsafe webl_curl_multi_init() else {
            throw FetchError(.unavailable, "libcurl could not be set up")
        }
        unsafe state.multi = multi
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

    /// Runs until the driver is gone; then what is under way is cancelled.
    private func run() {
        guard let multi = unsafe state.withLock({ unsafe UncheckedPointer($0.multi) }).pointer else { return }
        var running = unsafe Running(multi: multi)
        while true {
            let (incoming, cancelled, isStopping) = state.withLock { state in
                let work = (state.incoming, state.cancelled, state.isStopping)
                state.incoming = []
                state.cancelled = []
                return work
            }
            for transfer in incoming { running.add(transfer) }
            for transfer in cancelled { running.remove(transfer, .cancelled) }
            if isStopping { break }
            running.perform()
            let wait = running.expire()
            _ = unsafe webl_curl_multi_poll(multi, wait)
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

/// The transfers that libcurl has, by their handles' addresses; the driver's thread owns it.
@safe private struct Running: ~Copyable {
    private let multi: UnsafeMutableRawPointer
    private var transfers: [UInt: CurlTransfer] = [:]
    private var nextExpiry = 0.0

    /// Seconds between two looks at every transfer's clock, however many there are.
    private static let expiryInterval = 0.02

    init(multi: UnsafeMutableRawPointer) {
        unsafe self.multi = multi
    }

    mutating func add(_ transfer: CurlTransfer) {
        guard let handle = unsafe transfer.prepare() else { return transfer.failPreparing() }
        let code = unsafe webl_curl_multi_add_handle(multi, handle)
        guard code == CURLM_OK else { return transfer.fail(Self.error(code)) }
        transfers[UInt(bitPattern: handle)] = transfer
        nextExpiry = 0
    }

    mutating func remove(_ transfer: CurlTransfer, _ error: FetchError) {
        guard let address = transfer.address, transfers[address] === transfer else { return }
        remove(address)?.fail(error)
    }

    mutating func removeAll(_ error: FetchError) {
        for address in Array(transfers.keys) { remove(address)?.fail(error) }
    }

    private mutating func remove(_ address: UInt) -> CurlTransfer? {
        _ = unsafe webl_curl_multi_remove_handle(multi, UnsafeMutableRawPointer(bitPattern: address))
        return transfers.removeValue(forKey: address)
    }

    /// Moves every transfer on and completes those that are done.
    mutating func perform() {
        var count: Int32 = 0
        let code = unsafe webl_curl_multi_perform(multi, &count)
        guard code == CURLM_OK else { return removeAll(Self.error(code)) }
        var result = CURLE_OK
        while let handle = unsafe webl_curl_multi_next_finished(multi, &result) {
            remove(UInt(bitPattern: handle))?.complete(result)
        }
    }

    private static func error(_ code: CURLMcode) -> FetchError {
        let text = unsafe webl_curl_multi_strerror(code).map { unsafe String(cString: $0) } ?? ""
        return FetchError(.unavailable, "libcurl: \(text)")
    }

    /// Ends the transfers whose time is up; returns the milliseconds until the next look.
    mutating func expire() -> Int32 {
        guard !transfers.isEmpty else { return 60_000 }
        let now = MonotonicClock.now
        if now >= nextExpiry {
            var earliest = Double.infinity
            for (address, transfer) in transfers {
                let (next, expired) = transfer.deadline(now: now)
                if let expired {
                    remove(address)?.fail(expired)
                } else {
                    earliest = min(earliest, next)
                }
            }
            // A transfer that gets bytes pushes its time on, so looking early is harmless and late is not.
            nextExpiry = max(min(earliest, now + 60), now + Self.expiryInterval)
        }
        return Int32(max(0, min(60, nextExpiry - now)) * 1000) + 1
    }
}

extension FetchError {
    /// The error of a transfer that was cancelled.
    static let cancelled = FetchError(.cancelled, "cancelled")

    /// The error of a load that its delegate refused.
    static let refused = FetchError(.refused, "refused")
}
