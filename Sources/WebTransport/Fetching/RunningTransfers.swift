import CCurl
import Glibc

/// The transfers that run or wait for their turn; used by the driver's thread only.
@safe struct RunningTransfers: ~Copyable {
    private let multi: UnsafeMutableRawPointer
    private let configuration: CurlFetcher.Configuration
    private let sharesConnections: Bool

    /// The running transfers, by their handles' addresses.
    private var transfers: [UInt: Running] = [:]
    private var scheduler: HostScheduler<CurlTransfer>

    /// The addresses of handles to be used again, with the options that all transfers have.
    private var idleHandles: [UInt] = []
    private let lines: SharedLines?
    private var nextExpiry = Double.infinity

    private struct Running {
        let transfer: CurlTransfer
        let host: String
    }

    /// The minimum number of seconds between two checks of all transfers' time limits.
    private static let expiryInterval = 0.02

    /// How many handles are kept for later.
    private static let maximumIdleHandles = 64

    init(
        multi: UnsafeMutableRawPointer,
        _ configuration: CurlFetcher.Configuration,
        sharesConnections: Bool
    ) {
        unsafe self.multi = multi
        self.sharesConnections = sharesConnections
        self.configuration = configuration
        scheduler = HostScheduler(configuration)
        lines = SharedLines(configuration)
    }

    deinit {
        for address in idleHandles {
            unsafe webl_curl_easy_cleanup(UnsafeMutableRawPointer(bitPattern: address))
        }
    }

    // MARK: - In and out

    /// Adds a transfer, which starts when it is its turn.
    mutating func add(_ transfer: CurlTransfer) {
        guard !transfer.isDone else { return }
        scheduler.add(transfer, host: transfer.request.url.schedulingHost)
        nextExpiry = min(nextExpiry, transfer.deadline(now: MonotonicClock.now).next)
    }

    /// Cancels a transfer, running or waiting.
    mutating func cancel(_ transfer: CurlTransfer) {
        if let address = transfer.address, transfers[address]?.transfer === transfer {
            remove(address, .cancelled)
        } else {
            // It is waiting, and will be skipped at its turn.
            transfer.fail(.cancelled)
        }
    }

    /// Goes on with a transfer that waited for its receiver.
    mutating func resume(_ transfer: CurlTransfer) {
        let now = MonotonicClock.now
        guard let address = transfer.address, transfers[address]?.transfer === transfer,
            transfer.endPause(now)
        else { return }
        nextExpiry = min(nextExpiry, transfer.deadline(now: now).next)
        // It hands over what was held back before it returns.
        let code = unsafe webl_curl_easy_pause(transfer.handle, CURLPAUSE_CONT)
        if code != CURLE_OK { finish(address) { $0.complete(code) } }
    }

    /// Ends all transfers with an error.
    mutating func removeAll(_ error: FetchError) {
        for address in Array(transfers.keys) { remove(address, error) }
        scheduler.forEachWaiting { $0.fail(error) }
        scheduler = HostScheduler(configuration)
    }

    /// Starts the transfers that may start now.
    private mutating func startNext() {
        let now = MonotonicClock.now
        while let (transfer, host) = scheduler.next(now: now) {
            if transfer.isDone || !start(transfer, host) {
                scheduler.finished(host: host, isMultiplexed: nil)
            }
        }
    }

    private mutating func start(_ transfer: CurlTransfer, _ host: String) -> Bool {
        let idle = unsafe idleHandles.popLast().flatMap { unsafe UnsafeMutableRawPointer(bitPattern: $0) }
        guard let lines, let handle = unsafe idle ?? webl_curl_easy_init() else {
            transfer.fail(FetchError(.unavailable, "libcurl could not make a handle"))
            return false
        }
        do throws(FetchError) {
            try unsafe transfer.prepare(handle, isNew: idle == nil, configuration, lines)
        } catch {
            unsafe webl_curl_easy_cleanup(handle)
            transfer.fail(error)
            return false
        }
        let code = unsafe webl_curl_multi_add_handle(multi, handle)
        guard code == CURLM_OK else {
            unsafe webl_curl_easy_cleanup(handle)
            transfer.fail(Self.error(code))
            return false
        }
        transfers[UInt(bitPattern: handle)] = Running(transfer: transfer, host: host)
        nextExpiry = min(nextExpiry, transfer.deadline(now: MonotonicClock.now).next)
        return true
    }

    private mutating func remove(_ address: UInt, _ error: FetchError) {
        finish(address) { $0.fail(error) }
    }

    /// Removes a transfer from libcurl, and calls `end` to deliver its outcome.
    private mutating func finish(_ address: UInt, _ end: (CurlTransfer) -> Void) {
        guard let handle = unsafe UnsafeMutableRawPointer(bitPattern: address),
            let running = transfers.removeValue(forKey: address)
        else {
            return
        }
        _ = unsafe webl_curl_multi_remove_handle(multi, handle)
        end(running.transfer)
        let isMultiplexed = running.transfer.isMultiplexed
        unsafe running.transfer.handle = nil
        scheduler.finished(host: running.host, isMultiplexed: sharesConnections ? isMultiplexed : false)
        // After HTTP/2, libcurl 7.88 leaves state of the stream in the handle, and the next transfer fails.
        if isMultiplexed == false, running.transfer.leavesHandleAsItWas,
            idleHandles.count < Self.maximumIdleHandles
        {
            idleHandles.append(UInt(bitPattern: handle))
        } else {
            unsafe webl_curl_easy_cleanup(handle)
        }
    }

    // MARK: - Progress

    /// Advances every transfer, completes those that are done and starts others in their place.
    mutating func perform() {
        startNext()
        var count: Int32 = 0
        let code = unsafe webl_curl_multi_perform(multi, &count)
        guard code == CURLM_OK else { return removeAll(Self.error(code)) }
        var result = CURLE_OK
        var hasFinished = false
        while let handle = unsafe webl_curl_multi_next_finished(multi, &result) {
            hasFinished = true
            finish(UInt(bitPattern: handle)) { $0.complete(result) }
        }
        if hasFinished { startNext() }
    }

    private static func error(_ code: CURLMcode) -> FetchError {
        let text = unsafe webl_curl_multi_strerror(code).map { unsafe String(cString: $0) } ?? ""
        return FetchError(.unavailable, "libcurl: \(text)")
    }

    /// Ends the transfers whose time is up; returns the milliseconds until the next check.
    mutating func expire() -> Int32 {
        let now = MonotonicClock.now
        if now >= nextExpiry {
            var earliest = Double.infinity
            for (address, running) in transfers {
                let (next, expired) = running.transfer.deadline(now: now)
                if let expired {
                    remove(address, expired)
                } else {
                    earliest = min(earliest, next)
                }
            }
            scheduler.forEachWaiting { transfer in
                let (next, expired) = transfer.deadline(now: now)
                if let expired {
                    transfer.fail(expired)
                } else if !transfer.isDone {
                    earliest = min(earliest, next)
                }
            }
            // A transfer that receives bytes extends its deadline, so checking early is harmless, late is
            // not.
            nextExpiry = max(earliest, now + Self.expiryInterval)
        }
        let next = min(nextExpiry, scheduler.nextTime ?? .infinity)
        return Int32(clamping: Int(bounded: max(0, min(60, next - now)) * 1000)) &+ 1
    }
}

extension FetchError {
    /// The error of a transfer that was cancelled.
    package static let cancelled = FetchError(.cancelled, "cancelled")

    /// The error of a load that its delegate refused.
    package static let refused = FetchError(.refused, "refused")
}
