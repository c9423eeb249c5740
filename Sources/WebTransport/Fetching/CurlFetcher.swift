import HTTPTypes

/// Fetches over HTTP with libcurl, without a cache and without following redirects.
public struct CurlFetcher: Fetcher {
    /// The User-Agent field, which identifies the loader to servers.
    public static let userAgent = "WebLoader/\(WebLoaderVersion.current)"

    /// The Accept field: prefers pages, accepts anything.
    public static let accept = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"

    /// The fields that are sent unless the request has its own, as lines. (libcurl adds Host.)
    static let defaultFields: [(name: HTTPField.Name, line: String)] = [
        (.userAgent, "User-Agent: \(userAgent)"), (.accept, "Accept: \(accept)"),
        (.acceptEncoding, "Accept-Encoding: \(ContentCoding.acceptEncoding)"),
        // libcurl waits a second for a "100 Continue" that hardly any server sends.
        (.expect, "Expect:"),
    ]

    private let driver: CurlDriver

    /// For bodies that are taken at a reader's pace.
    ///
    /// Each has a connection of its own: on one that others read from, libcurl would store what arrives for a reader that
    /// waits, up to 64 MiB, and then fail. So they take no places from other transfers, either.
    private let pacedDriver: CurlDriver

    /// The certificates trusted in place of the system's; nil for the system's, or if none are checked.
    private let authorities: CertificateAuthorities?

    /// The addresses that responses may come from.
    public let allowedAddresses: AllowedAddresses

    /// The credentials that this fetcher adds to requests; `nil` if there are none, or if the caller adds them.
    package private(set) var netrc: NetrcFile?

    /// The recorder of all exchanges with servers; `nil` if nothing is recorded.
    private var recorder: (any ExchangeRecorder)?

    /// Creates a fetcher with connections of its own; libcurl is loaded when the first request is made.
    ///
    /// - Parameter configuration: How it connects, and to what.
    public init(configuration: Configuration = Configuration()) {
        driver = CurlDriver(configuration)
        pacedDriver = CurlDriver(configuration, sharesConnections: false)
        allowedAddresses = configuration.allowedAddresses
        recorder = configuration.recorder
        authorities =
            configuration.verifiesCertificates
            ? configuration.certificateAuthorityFile.map { CertificateAuthorities(path: $0) } : nil
        netrc = configuration.netrcFile.map { NetrcFile(path: $0, log: configuration.log) }
    }

    /// The same fetcher, on the same connections, without credentials: the caller adds them.
    package var withoutNetrc: CurlFetcher {
        var copy = self
        copy.netrc = nil
        return copy
    }

    /// The same fetcher, on the same connections, that records what it exchanges.
    package func recording(into recorder: any ExchangeRecorder) -> CurlFetcher {
        var copy = self
        copy.recorder = recorder
        return copy
    }

    /// Fetches one response; the receiver is called on the driver's thread.
    public func fetch(
        _ request: WebRequest,
        limits: LoadLimits,
        receiver: (any BodyReceiver)?
    ) async throws(FetchError) -> WebResponse {
        guard request.url.scheme == "http" || request.url.scheme == "https" else {
            throw FetchError(.unsupportedURL, "\(request.url.scheme): URLs cannot be fetched")
        }
        var request = request
        if let netrc, request.mayHaveKeptCredentials {
            request = await BlockingWork.threads.run { [request] in
                netrc.authorizing(request, within: limits.maximumSeconds)
            }
        }
        guard let recorder else { return try await perform(request, limits, receiver, nil).get() }
        let recording = ExchangeRecording(request, temporaryFolder: recorder.temporaryFolder)
        let result = await perform(request, limits, receiver, recording)
        return try await BlockingWork.threads.run { () throws(FetchError) in
            switch result {
            case .success(let response):
                try recording.end(nil, recorder)
                return response
            case .failure(let failure):
                // An error of the recording has priority: the load may be retried, and the error would be lost.
                try recording.end(failure, recorder)
                throw failure
            }
        }
    }

    private func perform(
        _ request: WebRequest,
        _ limits: LoadLimits,
        _ receiver: (any BodyReceiver)?,
        _ recording: ExchangeRecording?
    ) async -> Result<WebResponse, FetchError> {
        let slot = TransferSlot()
        let driver = receiver?.isPaced == true ? pacedDriver : driver
        let answer = Handover<Result<WebResponse, FetchError>>()
        await withTaskCancellationHandler {
            var limits = limits
            var trusted: [UInt8]?
            if let authorities, request.url.scheme == "https" {
                do throws(FetchError) {
                    trusted = try await Self.read(authorities, &limits, slot)
                } catch {
                    return answer.put(.failure(error))
                }
            }
            await withCheckedContinuation { [limits, trusted] continuation in
                let transfer = CurlTransfer(request, limits: limits, receiver: receiver) {
                    answer.put($0)
                    continuation.resume()
                }
                transfer.trustedCertificates = trusted
                transfer.recording = recording
                guard slot.fill(transfer) else { return transfer.fail(.cancelled) }
                do throws(FetchError) {
                    try driver.start(transfer)
                } catch {
                    return transfer.fail(error)
                }
                // Cancelled between filling the slot and starting: the driver did not know it yet.
                if slot.isCancelled { driver.cancel(transfer) }
            }
        } onCancel: {
            if let transfer = slot.cancel() { driver.cancel(transfer) }
        }
        // The answer has been put: nothing else ends the wait.
        return answer.take() ?? .failure(.cancelled)
    }

    /// Reads the certificates within the load's time limit, and subtracts the time that this took.
    private static func read(
        _ authorities: CertificateAuthorities,
        _ limits: inout LoadLimits,
        _ slot: TransferSlot
    ) async throws(FetchError) -> [UInt8] {
        let start = MonotonicClock.now
        let deadline = start + (limits.maximumSeconds ?? .infinity)
        let bytes = try await BlockingWork.threads.run { () throws(FetchError) in
            try authorities.read(until: deadline) { slot.isCancelled }
        }
        limits.maximumSeconds = limits.maximumSeconds.map { max(0, $0 - (MonotonicClock.now - start)) }
        return bytes
    }
}
