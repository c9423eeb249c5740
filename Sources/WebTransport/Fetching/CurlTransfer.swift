import CCurl
import HTTPTypes
import Synchronization

/// One request that libcurl runs: the response so far, its limits, and its completion handler.
///
/// Created by the caller, then used by the driver's thread only, which is why it is Sendable.
@safe final class CurlTransfer: @unchecked Sendable {
    let request: WebRequest
    let limits: LoadLimits
    private let created = MonotonicClock.now

    /// The libcurl handle while it runs; the driver owns it.
    var handle: UnsafeMutableRawPointer?
    var fieldLines: UnsafeMutablePointer<curl_slist>?

    var incoming: IncomingResponse
    var allowedAddresses = AllowedAddresses.all
    var log: (@Sendable (FetchLogLine) -> Void)?
    var progress: (@Sendable (FetchProgress) -> Void)?
    /// Keeps what is exchanged; nil if nobody records it.
    var recording: ExchangeRecording?
    var verifiesCertificates = true
    /// The certificates, in PEM, that are trusted in place of the system's.
    var trustedCertificates: [UInt8]?
    var mayBeProxied = false
    var tls: TLSInformation?
    /// Whether the last line of the response that was logged had a secret.
    var isLoggingSecret = false
    var failure: FetchError?
    /// How often the request was sent.
    var sends = 0

    /// Why an address of the host was refused; other addresses of it may have been tried.
    var refusal: FetchError?

    /// When the last byte arrived; nil while the transfer waits for its turn.
    var lastProgress: Double?
    private var sentBytes: curl_off_t = 0

    /// Since when it waits for its receiver; nil while it does not.
    var pauseStart: Double?
    /// Seconds that it waited before.
    private var pausedTime = 0.0
    /// Makes the driver go on with it, from any thread.
    var resume: @Sendable () -> Void = {}

    /// Called once, with the outcome.
    private var completion: ((Result<WebResponse, FetchError>) -> Void)?

    init(
        _ request: WebRequest,
        limits: LoadLimits,
        receiver: (any BodyReceiver)?,
        completion: @escaping @Sendable (Result<WebResponse, FetchError>) -> Void
    ) {
        self.request = request
        self.limits = limits
        self.completion = completion
        incoming = IncomingResponse(request, limits: limits, receiver: receiver)
    }

    deinit {
        // Without field lines, libcurl may not even be loaded.
        if let fieldLines = unsafe fieldLines { unsafe webl_curl_slist_free_all(fieldLines) }
    }

    /// Whether its outcome has been handed over.
    var isDone: Bool { completion == nil }

    /// The handle's address, by which the driver identifies a running transfer.
    var address: UInt? { unsafe handle.map { UInt(bitPattern: $0) } }

    // MARK: - Time

    /// Whether it was cancelled, from any thread; the driver is notified separately.
    let isCancelled = Atomic(false)

    /// Throws if the transfer must end now: its time limit has passed, or it was cancelled.
    func checkEnd(_ now: Double) throws(FetchError) {
        if isCancelled.load(ordering: .relaxed) { throw .cancelled }
        let elapsed = now - created - pausedTime
        if let maximum = limits.maximumSeconds, elapsed >= maximum {
            throw .tookTooLong(maximum, reached: elapsed)
        }
    }

    /// When to check the transfer's time limits next, and the error if one has passed already.
    ///
    /// While it waits for its receiver, no time passes for it.
    func deadline(now: Double) -> (next: Double, expired: FetchError?) {
        guard pauseStart == nil else { return (.infinity, nil) }
        var next = Double.infinity
        if let maximum = limits.maximumSeconds {
            let elapsed = now - created - pausedTime
            if elapsed >= maximum { return (now, .tookTooLong(maximum, reached: elapsed)) }
            next = now + (maximum - elapsed)
        }
        let timeout = request.timeoutInterval.inSeconds
        if timeout > 0, let lastProgress {
            if now - lastProgress >= timeout, !hasSentMore(now) {
                return (now, .noProgress(for: timeout, reached: now - lastProgress))
            }
            next = min(next, (self.lastProgress ?? now) + timeout)
        }
        return (next, nil)
    }

    /// Ends the wait for its receiver; false if there was none.
    func endPause(_ now: Double) -> Bool {
        guard let start = pauseStart else { return false }
        pausedTime += now - start
        pauseStart = nil
        lastProgress = now
        return true
    }

    /// Whether more of the request's body went out since this was asked last; that is progress too.
    private func hasSentMore(_ now: Double) -> Bool {
        guard request.httpBody != nil else { return false }
        var count: curl_off_t = 0
        guard unsafe webl_curl_getinfo_offset(handle, CURLINFO_SIZE_UPLOAD_T, &count) == CURLE_OK,
            count > sentBytes
        else {
            return false
        }
        sentBytes = count
        lastProgress = now
        return true
    }

    // MARK: - The end

    /// The longest line of a response's head that libcurl takes, in bytes.
    private static let maximumLineLength = 100 << 10

    /// Ends the transfer with libcurl's result, and calls its completion handler.
    ///
    /// The handle must no longer be in use, but still have its information.
    func complete(_ result: CURLcode) {
        let connection = connection()
        recording?.connection = connection
        if let failure {
            end(.failure(failure))
        } else if result == CURLE_OUT_OF_MEMORY, connection.timing.firstByte != nil, !incoming.head.isComplete
        {
            // libcurl's result for a header line that does not fit into its buffer.
            let limit = Self.maximumLineLength
            end(.failure(.headersTooLarge(limit: limit, reached: limit + 1)))
        } else if result == CURLE_COULDNT_CONNECT, let refusal {
            end(.failure(refusal))
        } else if result != CURLE_OK {
            end(.failure(error(result, connection.timing)))
        } else {
            do throws(FetchError) {
                end(.success(try incoming.finish(connection)))
            } catch {
                end(.failure(error))
            }
        }
    }

    /// Ends the transfer with an error; one that occurred earlier takes precedence.
    func fail(_ error: FetchError) {
        // Without a head, there may be no handle to ask.
        if let recording, incoming.head.isComplete { recording.connection = connection() }
        end(.failure(failure ?? error))
    }

    private func end(_ result: Result<WebResponse, FetchError>) {
        let completion = self.completion
        self.completion = nil
        incoming.releaseReceiver()
        // It holds the driver.
        resume = {}
        completion?(result)
    }
}
