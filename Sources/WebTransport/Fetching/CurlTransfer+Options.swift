import CCurl
import HTTPTypes

/// Setting up libcurl's handle for a request.
extension CurlTransfer {
    /// Sets a handle's options; the transfer uses the handle until it is done.
    ///
    /// - Parameters:
    ///   - handle: A new handle, or one of an earlier transfer for which ``leavesHandleAsItWas`` was true.
    ///   - isNew: Whether no option is set.
    ///   - configuration: How the fetcher connects.
    ///   - lines: Lists of lines that outlive the transfer.
    /// - Throws: ``FetchError`` if libcurl refuses an option, or the request is invalid.
    func prepare(
        _ handle: UnsafeMutableRawPointer,
        isNew: Bool,
        _ configuration: CurlFetcher.Configuration,
        _ lines: SharedLines
    ) throws(FetchError) {
        unsafe self.handle = handle
        allowedAddresses = configuration.allowedAddresses
        log = configuration.log
        progress = configuration.progress
        recording?.begin()
        verifiesCertificates = configuration.verifiesCertificates
        lastProgress = MonotonicClock.now
        mayBeProxied = configuration.proxy.isSet(for: request.url.scheme)
        let isGuarded = configuration.allowedAddresses.isRestricting
        if isGuarded, configuration.proxy.applies(to: request.url) {
            throw FetchError(
                .addressRefused,
                "the allowed addresses cannot be enforced through a proxy"
            )
        }
        if isNew { try setConnection(configuration, lines) }
        if let trustedCertificates { try setTrusted(trustedCertificates) }
        // libcurl must not find a proxy by itself.
        if isGuarded { try set(CURLOPT_PROXY, "") }
        // Wait for a connection that can be shared (HTTP/2) rather than open one per request; without TLS
        // none can.
        try set(CURLOPT_PIPEWAIT, request.url.scheme == "https" ? 1 : 0)
        try set(CURLOPT_URL, request.url.withoutFragment.href)
        try set(CURLOPT_FRESH_CONNECT, request.hasOwnConnection ? 1 : 0)
        try set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(limits.connectTimeout.inSeconds))
        try setMethodAndBody()
        try setFields(lines)
        try unsafe setCallbacks(handle)
    }

    /// Whether the handle can be reused: no option is set that the next transfer would not set again.
    var leavesHandleAsItWas: Bool {
        request.httpMethod == "GET" && request.httpBody == nil && log == nil && recording == nil
    }

    /// The options that all transfers of a fetcher share.
    private func setConnection(
        _ configuration: CurlFetcher.Configuration,
        _ lines: SharedLines
    ) throws(FetchError) {
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_PATH_AS_IS, 1)
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try set(CURLOPT_HTTP09_ALLOWED, 0)
        try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        try set(CURLOPT_BUFFERSIZE, 64 << 10)
        try setTLS(configuration)
        try setRoute(configuration, lines)
    }

    private func setTLS(_ configuration: CurlFetcher.Configuration) throws(FetchError) {
        try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        if !configuration.verifiesCertificates {
            try set(CURLOPT_SSL_VERIFYPEER, 0)
            try set(CURLOPT_SSL_VERIFYHOST, 0)
        }
    }

    /// Sets the trusted certificates; libcurl copies them, and reuses connections that have the same ones.
    private func setTrusted(_ certificates: [UInt8]) throws(FetchError) {
        var certificates = certificates
        let code = unsafe certificates.withUnsafeMutableBytes { bytes in
            var blob = unsafe curl_blob(
                data: bytes.baseAddress ?? UnsafeMutableRawPointer(bitPattern: 1),
                len: bytes.count,
                flags: UInt32(bitPattern: CURL_BLOB_COPY)
            )
            return unsafe webl_curl_setopt_pointer(handle, CURLOPT_CAINFO_BLOB, &blob)
        }
        try check(code)
    }

    /// Sets the proxy and the addresses of hosts.
    private func setRoute(
        _ configuration: CurlFetcher.Configuration,
        _ lines: SharedLines
    ) throws(FetchError) {
        switch configuration.proxy {
        case .environment: break
        case .none: try set(CURLOPT_PROXY, "")
        case .server(let proxy): try set(CURLOPT_PROXY, proxy)
        }
        if !configuration.hostAddresses.isEmpty {
            try unsafe check(webl_curl_setopt_pointer(handle, CURLOPT_RESOLVE, lines.hosts))
        }
    }

    private func setMethodAndBody() throws(FetchError) {
        let method = request.httpMethod
        guard HTTPField.Name(method) != nil else {
            throw FetchError(.invalidRequest, "the method \"\(method)\" is not a token")
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
        // libcurl's default method for a request with a body is POST.
        if method != "HEAD", method != "GET" || request.httpBody != nil {
            try set(CURLOPT_CUSTOMREQUEST, method)
        }
    }

    private func setFields(_ lines: SharedLines) throws(FetchError) {
        if request.headerFields.isEmpty, request.omittedFields.isEmpty {
            return try unsafe check(webl_curl_setopt_pointer(handle, CURLOPT_HTTPHEADER, lines.defaultFields))
        }
        for field in request.headerFields where field.name != .cookie {
            let name = field.name.rawName
            try append(field.value.isEmpty ? "\(name);" : "\(name): \(field.value)")
        }
        // HTTP/1.1 allows one Cookie field, so several of the request are joined.
        if let cookies = request.headerFields[.cookie] { try append("Cookie: \(cookies)") }
        for (name, line) in CurlFetcher.defaultFields
        where request.headerFields[name] == nil && !request.omittedFields.contains(name) {
            // A range of an encoded body could not be decoded.
            let isPartial = name == .acceptEncoding && request.headerFields[.range] != nil
            try append(isPartial ? "Accept-Encoding: identity" : line)
        }
        for name in request.omittedFields { try append("\(name.rawName):") }
        try unsafe check(webl_curl_setopt_pointer(handle, CURLOPT_HTTPHEADER, fieldLines))
    }

    private func append(_ line: String) throws(FetchError) {
        guard unsafe SharedLines.append(line, to: &fieldLines) else {
            throw FetchError(.unavailable, "out of memory")
        }
    }

    private func set(_ option: CURLoption, _ value: String) throws(FetchError) {
        try unsafe check(webl_curl_setopt_string(handle, option, value))
    }

    private func set(_ option: CURLoption, _ value: Int) throws(FetchError) {
        try unsafe check(webl_curl_setopt_long(handle, option, value))
    }

    func check(_ code: CURLcode) throws(FetchError) {
        guard code != CURLE_OK else { return }
        throw FetchError(curl: code, timing: LoadTiming(), limits: limits)
    }

    private func milliseconds(_ seconds: Double) -> Int {
        min(Int(bounded: (seconds * 1000).rounded(.up)), Int(Int32.max))
    }
}
