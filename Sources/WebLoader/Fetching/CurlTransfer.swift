import CCurl
import HTTPTypes

/// One request on its way through libcurl: the easy handle, what came so far, and who waits for it.
///
/// Made by the caller, then touched by the driver's thread alone, which is why it may be handed over.
@safe final class CurlTransfer: @unchecked Sendable {
    private let request: WebRequest
    private let limits: LoadLimits
    private let receiver: (any BodyReceiver)?
    private let started = MonotonicClock.now

    private var handle: UnsafeMutableRawPointer?
    private var fieldLines: UnsafeMutablePointer<curl_slist>?

    private var head = ResponseHead()
    private var body: [UInt8] = []
    private var bodySize = 0
    private var isHeadReceived = false
    private var lastProgress: Double
    private var failure: FetchError?

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
        self.receiver = receiver
        self.completion = completion
        lastProgress = started
    }

    deinit {
        if let handle = unsafe handle { unsafe webl_curl_easy_cleanup(handle) }
        unsafe webl_curl_slist_free_all(fieldLines)
    }

    /// What the driver knows the transfer by; nil before ``prepare()``.
    var address: UInt? { unsafe handle.map { UInt(bitPattern: $0) } }

    // MARK: - Setting up

    /// The handle with all its options set, or nil with the failure recorded.
    func prepare() -> UnsafeMutableRawPointer? {
        guard let handle = unsafe webl_curl_easy_init() else {
            failure = FetchError(.unavailable, "libcurl could not make a handle")
            return nil
        }
        unsafe self.handle = handle
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        do throws(FetchError) {
            try set(CURLOPT_URL, request.url.withoutFragment.href)
            try set(CURLOPT_PROTOCOLS_STR, "http,https")
            try set(CURLOPT_NOSIGNAL, 1)
            try set(CURLOPT_PATH_AS_IS, 1)
            try set(CURLOPT_QUICK_EXIT, 1)
            try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
            try set(CURLOPT_HTTP09_ALLOWED, 0)
            try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
            try set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(limits.connectTimeout))
            try set(CURLOPT_ACCEPT_ENCODING, "")
            try setMethodAndBody()
            try setFields()
            try unsafe check(
                webl_curl_setopt_data_callback(handle, CURLOPT_HEADERFUNCTION, Self.headerCallback)
            )
            try unsafe check(webl_curl_setopt_pointer(handle, CURLOPT_HEADERDATA, context))
            try unsafe check(webl_curl_setopt_data_callback(handle, CURLOPT_WRITEFUNCTION, Self.bodyCallback))
            try unsafe check(webl_curl_setopt_pointer(handle, CURLOPT_WRITEDATA, context))
        } catch {
            failure = error
            return nil
        }
        return unsafe handle
    }

    private func setMethodAndBody() throws(FetchError) {
        let method = request.httpMethod
        guard HTTPField.Name(method) != nil else {
            throw FetchError(.invalidRequest, "the method \"\(method)\" is no token")
        }
        if method == "HEAD" {
            try set(CURLOPT_NOBODY, 1)
        } else if let bytes = request.httpBody {
            try unsafe check(
                webl_curl_setopt_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(bytes.count))
            )
            let code = unsafe bytes.withUnsafeBytes { bytes in
                unsafe webl_curl_setopt_pointer(
                    handle,
                    CURLOPT_COPYPOSTFIELDS,
                    UnsafeMutableRawPointer(mutating: bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1))
                )
            }
            try check(code)
        } else if method == "POST" || method == "PUT" || method == "PATCH" {
            try unsafe check(webl_curl_setopt_offset(handle, CURLOPT_POSTFIELDSIZE_LARGE, 0))
            try set(CURLOPT_POST, 1)
        }
        // libcurl's own word for a request with a body is POST.
        if method != "HEAD", method != "GET" || request.httpBody != nil {
            try set(CURLOPT_CUSTOMREQUEST, method)
        }
    }

    private func setFields() throws(FetchError) {
        var lines = request.headerFields.map { field in
            field.value.isEmpty ? "\(field.name.rawName);" : "\(field.name.rawName): \(field.value)"
        }
        for (name, value) in CurlFetcher.defaultFields where request.headerFields[name] == nil {
            lines.append(
                request.omittedFields.contains(name) ? "\(name.rawName):" : "\(name.rawName): \(value)"
            )
        }
        for name in request.omittedFields
        where !CurlFetcher.defaultFields.contains(where: { $0.name == name }) {
            lines.append("\(name.rawName):")
        }
        // libcurl waits a second for a "100 Continue" that hardly any server sends.
        if request.headerFields[.expect] == nil { lines.append("Expect:") }
        for line in lines {
            guard let list = unsafe webl_curl_slist_append(fieldLines, line) else {
                throw FetchError(.unavailable, "out of memory")
            }
            unsafe fieldLines = list
        }
        try unsafe check(webl_curl_setopt_pointer(handle, CURLOPT_HTTPHEADER, fieldLines))
    }

    private func set(_ option: CURLoption, _ value: String) throws(FetchError) {
        try unsafe check(webl_curl_setopt_string(handle, option, value))
    }

    private func set(_ option: CURLoption, _ value: Int) throws(FetchError) {
        try unsafe check(webl_curl_setopt_long(handle, option, value))
    }

    private func check(_ code: CURLcode) throws(FetchError) {
        guard code != CURLE_OK else { return }
        throw FetchError(curl: code, timing: LoadTiming(), limits: limits)
    }

    private func milliseconds(_ seconds: Double) -> Int {
        Int(exactly: (seconds * 1000).rounded(.up)) ?? Int(Int32.max)
    }

    // MARK: - What comes in

    private static let headerCallback: webl_curl_data_callback = { bytes, size, count, context in
        guard let context = unsafe context else { return 0 }
        let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return unsafe transfer.takeHeader(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    private static let bodyCallback: webl_curl_data_callback = { bytes, size, count, context in
        guard let context = unsafe context else { return 0 }
        let transfer = unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
        return unsafe transfer.takeBody(UnsafeRawBufferPointer(start: bytes, count: size * count))
    }

    /// Returns how many bytes were taken: all, or none to end the transfer.
    private func takeHeader(_ line: UnsafeRawBufferPointer) -> Int {
        lastProgress = MonotonicClock.now
        do throws(FetchError) {
            try unsafe head.take(line, maximumSize: limits.maximumHeaderSize)
            return line.count
        } catch {
            failure = error
            return line.count == 0 ? 1 : 0
        }
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        lastProgress = MonotonicClock.now
        do throws(FetchError) {
            guard bytes.count <= limits.maximumBodySize - bodySize else {
                throw .bodyTooLarge(limit: limits.maximumBodySize)
            }
            bodySize += bytes.count
            if let receiver {
                try hand(overHeadTo: receiver)
                try receiver.receive(unsafe Span(_unsafeElements: bytes.assumingMemoryBound(to: UInt8.self)))
            }
            if receiver?.collectsBody ?? true { unsafe body.append(contentsOf: bytes) }
            return bytes.count
        } catch {
            failure = error
            return bytes.count == 0 ? 1 : 0
        }
    }

    /// Hands over the head, once.
    private func hand(overHeadTo receiver: any BodyReceiver) throws(FetchError) {
        guard !isHeadReceived, let status = head.status else { return }
        isHeadReceived = true
        try receiver.receive(head: response(status, body: []))
    }

    private func response(_ status: Int, body: [UInt8]) -> WebResponse {
        var response = WebResponse(
            url: request.url,
            status: status,
            headerFields: head.fields,
            body: body,
            source: .network
        )
        response.timing = timing()
        response.interimResponses = head.interim
        response.httpVersion = httpVersion()
        response.remoteAddress = information(CURLINFO_PRIMARY_IP)
        return response
    }

    /// The longest line of a response's head that libcurl takes, in bytes.
    private static let maximumLineLength = 100 << 10

    // MARK: - The end

    /// When the transfer has to be looked at again, and whether its time is up now.
    func deadline(now: Double) -> (next: Double, expired: FetchError?) {
        var next = Double.infinity
        if let maximum = limits.maximumTime {
            if now - started >= maximum { return (now, .tookTooLong(maximum)) }
            next = started + maximum
        }
        if request.timeoutInterval > 0 {
            if now - lastProgress >= request.timeoutInterval {
                return (now, .noProgress(for: request.timeoutInterval))
            }
            next = min(next, lastProgress + request.timeoutInterval)
        }
        return (next, nil)
    }

    /// Hands the outcome to whoever waits.
    ///
    /// The handle must no longer be in use.
    func complete(_ result: CURLcode) {
        let timing = self.timing()
        if let failure {
            end(.failure(failure))
        } else if result == CURLE_OUT_OF_MEMORY, timing.firstByte != nil, !head.isComplete {
            // What libcurl says of a line that does not fit into its buffer.
            end(.failure(.headersTooLarge(limit: Self.maximumLineLength)))
        } else if result != CURLE_OK {
            end(.failure(FetchError(curl: result, timing: timing, limits: limits)))
        } else if let status = head.status, head.isComplete {
            do throws(FetchError) {
                if let receiver { try hand(overHeadTo: receiver) }
                end(.success(response(status, body: body)))
            } catch {
                end(.failure(error))
            }
        } else {
            end(.failure(FetchError(.connectionLost, "the connection ended amid the response's fields")))
        }
    }

    /// Ends the transfer with an error of ours.
    func fail(_ error: FetchError) {
        end(.failure(failure ?? error))
    }

    /// What ``prepare()`` recorded.
    func failPreparing() {
        end(.failure(failure ?? FetchError(.unavailable, "libcurl could not be set up")))
    }

    private func end(_ result: Result<WebResponse, FetchError>) {
        let completion = self.completion
        self.completion = nil
        completion?(result)
    }

    private func timing() -> LoadTiming {
        var timing = LoadTiming()
        timing.nameLookup = seconds(CURLINFO_NAMELOOKUP_TIME_T)
        timing.connect = seconds(CURLINFO_CONNECT_TIME_T)
        timing.tls = seconds(CURLINFO_APPCONNECT_TIME_T)
        timing.firstByte = seconds(CURLINFO_STARTTRANSFER_TIME_T)
        timing.total = seconds(CURLINFO_TOTAL_TIME_T)
        return timing
    }

    private func seconds(_ info: CURLINFO) -> Double? {
        var microseconds: curl_off_t = 0
        guard unsafe webl_curl_getinfo_offset(handle, info, &microseconds) == CURLE_OK, microseconds > 0
        else {
            return nil
        }
        return Double(microseconds) / 1e6
    }

    private func information(_ info: CURLINFO) -> String? {
        var text: UnsafePointer<CChar>?
        guard unsafe webl_curl_getinfo_string(handle, info, &text) == CURLE_OK, let text = unsafe text else {
            return nil
        }
        return unsafe String(cString: text)
    }

    private func httpVersion() -> String? {
        var version = 0
        guard unsafe webl_curl_getinfo_long(handle, CURLINFO_HTTP_VERSION, &version) == CURLE_OK else {
            return nil
        }
        switch version {
        case CURL_HTTP_VERSION_1_0: return "1.0"
        case CURL_HTTP_VERSION_1_1: return "1.1"
        case CURL_HTTP_VERSION_2_0: return "2"
        case CURL_HTTP_VERSION_3: return "3"
        default: return nil
        }
    }
}
