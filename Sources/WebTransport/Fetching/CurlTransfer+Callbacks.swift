import CCurl
import Glibc
import HTTPTypes

/// The callbacks of libcurl while a transfer runs, on the driver's thread.
extension CurlTransfer {
    /// Sets the callbacks of a handle.
    func setCallbacks(_ handle: UnsafeMutableRawPointer) throws(FetchError) {
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        try unsafe check(webl_curl_setopt_data_callback(handle, CURLOPT_HEADERFUNCTION, Self.headerCallback))
        try unsafe check(webl_curl_setopt_pointer(handle, CURLOPT_HEADERDATA, context))
        try unsafe check(webl_curl_setopt_data_callback(handle, CURLOPT_WRITEFUNCTION, Self.bodyCallback))
        try unsafe check(webl_curl_setopt_pointer(handle, CURLOPT_WRITEDATA, context))
        try unsafe check(webl_curl_setopt_socket_callback(handle, Self.socketCallback))
        try unsafe check(webl_curl_setopt_pointer(handle, CURLOPT_OPENSOCKETDATA, context))
        try unsafe check(webl_curl_setopt_request_callback(handle, Self.requestCallback))
        try unsafe check(webl_curl_setopt_pointer(handle, CURLOPT_PREREQDATA, context))
        if log != nil || recording != nil {
            try unsafe check(webl_curl_setopt_debug_callback(handle, Self.debugCallback))
            try unsafe check(webl_curl_setopt_pointer(handle, CURLOPT_DEBUGDATA, context))
            try unsafe check(webl_curl_setopt_long(handle, CURLOPT_VERBOSE, 1))
        }
    }

    static func transfer(_ context: UnsafeMutableRawPointer) -> CurlTransfer {
        unsafe Unmanaged<CurlTransfer>.fromOpaque(context).takeUnretainedValue()
    }

    private static let headerCallback: webl_curl_data_callback = { bytes, size, count, context in
        guard let context = unsafe context else { return 0 }
        let line = unsafe UnsafeRawBufferPointer(start: bytes, count: size &* count)
        return unsafe transfer(context).take(line.count) { (self) throws(FetchError) in
            try unsafe self.takeLine(line)
            return true
        }
    }

    private static let bodyCallback: webl_curl_data_callback = { bytes, size, count, context in
        guard let context = unsafe context else { return 0 }
        let bytes = unsafe UnsafeRawBufferPointer(start: bytes, count: size &* count)
        return unsafe transfer(context).take(bytes.count) { (self) throws(FetchError) in
            try unsafe self.takeBody(bytes)
        }
    }

    /// Runs `body`, which returns whether it took the bytes; returns what libcurl is to do: go on, as all bytes were taken,
    /// pause and hand the same bytes over again, or end the transfer.
    ///
    /// The time limit is checked here too: while bytes arrive as fast as they are processed, libcurl does not
    /// return.
    private func take(_ count: Int, _ body: (CurlTransfer) throws(FetchError) -> Bool) -> Int {
        let now = MonotonicClock.recent
        lastProgress = now
        do throws(FetchError) {
            try checkEnd(now)
            if try body(self) { return count }
            pauseStart = MonotonicClock.now
            return Int(CURL_WRITEFUNC_PAUSE)
        } catch {
            failure = error
            return count == 0 ? 1 : 0
        }
    }

    private func takeLine(_ line: UnsafeRawBufferPointer) throws(FetchError) {
        let wasComplete = incoming.head.isComplete
        if let recording, !wasComplete {
            unsafe recording.takeLine(line)
        }
        do throws(FetchError) {
            try unsafe incoming.takeLine(line)
        } catch {
            // A head may be refused that is complete, as for a length beyond the limit.
            recordHead()
            throw error
        }
        guard incoming.head.isComplete, !wasComplete else { return }
        recordHead()
        // From here on the transfer has a connection, which can be queried.
        if request.url.scheme == "https" { tls = tlsInformation() }
        try incoming.handOverHead(connection())
    }

    private func recordHead() {
        guard incoming.head.isComplete, let status = incoming.head.status else { return }
        recording?.endHead(status)
    }

    private func takeBody(_ bytes: UnsafeRawBufferPointer) throws(FetchError) -> Bool {
        let before = incoming.size.body
        let isTaken: Bool
        do throws(FetchError) {
            isTaken = try unsafe incoming.takeBody(bytes, orElse: resume)
        } catch {
            // They came, whatever is wrong with them.
            try unsafe recording?.takeBody(bytes)
            throw error
        }
        // Those that are not taken come again.
        if isTaken { try unsafe recording?.takeBody(bytes) }
        let newBytes = incoming.size.body - before
        if newBytes > 0 {
            progress?(FetchProgress(url: request.url, newBytes: newBytes, isFirst: before == 0))
        }
        return isTaken
    }

    // MARK: - Requests

    /// How often a request is sent: again if a connection that was kept has ended meanwhile, and then on another one.
    ///
    /// libcurl would go on through all that are kept, up to five: a server that ends them for the request's sake gets it each time.
    private static let maximumSends = 2

    /// Called each time before the request is sent.
    private static let requestCallback: curl_prereq_callback = { context, _, _, _, _ in
        guard let context = unsafe context else { return CURL_PREREQFUNC_ABORT }
        let transfer = unsafe transfer(context)
        transfer.sends += 1
        guard transfer.sends > maximumSends else { return CURL_PREREQFUNC_OK }
        transfer.failure = FetchError(.connectionLost, "the server ends each connection without an answer")
        return CURL_PREREQFUNC_ABORT
    }

    // MARK: - Sockets

    /// Opens a socket if its address is allowed; child processes do not inherit it.
    private static let socketCallback: curl_opensocket_callback = { context, _, address in
        guard let context = unsafe context, let address = unsafe address else { return CURL_SOCKET_BAD }
        return unsafe transfer(context).openSocket(&address.pointee)
    }

    private func openSocket(_ address: inout curl_sockaddr) -> curl_socket_t {
        if allowedAddresses.isRestricting {
            let length = Int(address.addrlen)
            let target = unsafe withUnsafePointer(to: &address.addr) {
                unsafe SocketAddress($0, length: length)
            }
            guard let target, allowedAddresses.allows(target) else {
                let host = request.url.hostname
                refusal = FetchError(
                    .addressRefused,
                    target.map { "\(host) has the address \($0), which is not allowed" }
                        ?? "\(host) has no IP address"
                )
                return CURL_SOCKET_BAD
            }
        }
        return socket(
            address.family,
            address.socktype | Int32(truncatingIfNeeded: SOCK_CLOEXEC.rawValue),
            address.protocol
        )
    }
}
