import CCurl
import HTTPTypes

/// Setting up libcurl's handle for a request.
extension CurlTransfer {
    /// Sets all options of a handle that has none set; the transfer keeps it until it is done.
    func prepare(
        _ handle: UnsafeMutableRawPointer,
        _ configuration: CurlFetcher.Configuration
    ) throws(FetchError) {
        unsafe self.handle = handle
        allowedAddresses = configuration.allowedAddresses
        log = configuration.log
        verifiesCertificates = configuration.verifiesCertificates
        lastProgress = MonotonicClock.now
        try set(CURLOPT_URL, request.url.withoutFragment.href)
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_NOSIGNAL, 1)
        try set(CURLOPT_PATH_AS_IS, 1)
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try set(CURLOPT_HTTP09_ALLOWED, 0)
        try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_2TLS)
        try set(CURLOPT_BUFFERSIZE, 64 << 10)
        try set(CURLOPT_CONNECTTIMEOUT_MS, milliseconds(limits.connectTimeout))
        if request.url.scheme == "https" { try setTLS(configuration) }
        try setRoute(configuration)
        try setMethodAndBody()
        try setFields()
        try unsafe setCallbacks(handle)
    }

    private func setTLS(_ configuration: CurlFetcher.Configuration) throws(FetchError) {
        // Rather wait for a connection that may be shared than open one each.
        try set(CURLOPT_PIPEWAIT, 1)
        try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
        if !configuration.verifiesCertificates {
            try set(CURLOPT_SSL_VERIFYPEER, 0)
            try set(CURLOPT_SSL_VERIFYHOST, 0)
        }
        if let file = configuration.certificateAuthorityFile { try set(CURLOPT_CAINFO, file) }
    }

    /// Proxy, addresses of hosts, credentials that a file has.
    private func setRoute(_ configuration: CurlFetcher.Configuration) throws(FetchError) {
        if configuration.allowedAddresses.isRestricting, configuration.proxy.applies(to: request.url.scheme) {
            throw FetchError(
                .addressRefused,
                "behind a proxy, addresses cannot be held to those that are allowed"
            )
        }
        switch configuration.proxy {
        case .environment: break
        case .none: try set(CURLOPT_PROXY, "")
        case .server(let proxy): try set(CURLOPT_PROXY, proxy)
        }
        if !configuration.hostAddresses.isEmpty {
            for line in configuration.hostAddresses { try unsafe append(line, to: &hostLines) }
            try unsafe check(webl_curl_setopt_pointer(handle, CURLOPT_RESOLVE, hostLines))
        }
        if let file = configuration.netrcFile {
            try set(CURLOPT_NETRC, Int(CURL_NETRC_OPTIONAL.rawValue))
            try set(CURLOPT_NETRC_FILE, file)
        }
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
        for field in request.headerFields {
            let name = field.name.rawName
            let line = field.value.isEmpty ? "\(name);" : "\(name): \(field.value)"
            try unsafe append(line, to: &fieldLines)
        }
        for (name, line) in CurlFetcher.defaultFields where request.headerFields[name] == nil {
            if request.omittedFields.contains(name) { continue }
            try unsafe append(line, to: &fieldLines)
        }
        if request.headerFields[.acceptEncoding] == nil, !request.omittedFields.contains(.acceptEncoding) {
            // Part of a coded body could not be decoded.
            let hasRange = request.headerFields.contains(.range)
            let line = hasRange ? "Accept-Encoding: identity" : Self.acceptEncodingLine
            try unsafe append(line, to: &fieldLines)
        }
        for name in request.omittedFields { try unsafe append("\(name.rawName):", to: &fieldLines) }
        // libcurl waits a second for a "100 Continue" that hardly any server sends.
        if request.headerFields[.expect] == nil { try unsafe append("Expect:", to: &fieldLines) }
        try unsafe check(webl_curl_setopt_pointer(handle, CURLOPT_HTTPHEADER, fieldLines))
    }

    private static let acceptEncodingLine = "Accept-Encoding: \(ContentCoding.acceptEncoding)"

    private func append(
        _ line: String,
        to lines: inout UnsafeMutablePointer<curl_slist>?
    ) throws(FetchError) {
        guard let list = unsafe webl_curl_slist_append(lines, line) else {
            throw FetchError(.unavailable, "out of memory")
        }
        unsafe lines = list
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
        Int(exactly: (seconds * 1000).rounded(.up)) ?? Int(Int32.max)
    }
}
