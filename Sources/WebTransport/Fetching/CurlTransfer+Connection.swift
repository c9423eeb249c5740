import CCurl

/// Information about a transfer's connection, from libcurl.
extension CurlTransfer {
    func connection() -> IncomingResponse.Connection {
        var connection = IncomingResponse.Connection()
        connection.timing.nameLookup = time(CURLINFO_NAMELOOKUP_TIME_T)
        connection.timing.connect = time(CURLINFO_CONNECT_TIME_T)
        connection.timing.tls = time(CURLINFO_APPCONNECT_TIME_T)
        connection.timing.firstByte = time(CURLINFO_STARTTRANSFER_TIME_T)
        connection.timing.total = time(CURLINFO_TOTAL_TIME_T)
        connection.httpVersion = httpVersion()
        connection.remoteAddress = text(CURLINFO_PRIMARY_IP)
        connection.isReused = number(CURLINFO_NUM_CONNECTS).map { $0 == 0 }
        connection.mayBeProxied = mayBeProxied
        connection.tls = tls
        return connection
    }

    private func time(_ info: CURLINFO) -> Duration? {
        var microseconds: curl_off_t = 0
        guard unsafe webl_curl_getinfo_offset(handle, info, &microseconds) == CURLE_OK, microseconds > 0
        else {
            return nil
        }
        return .microseconds(microseconds)
    }

    private func text(_ info: CURLINFO) -> String? {
        var text: UnsafePointer<CChar>?
        guard unsafe webl_curl_getinfo_string(handle, info, &text) == CURLE_OK, let text = unsafe text else {
            return nil
        }
        return unsafe String(cString: text)
    }

    private func number(_ info: CURLINFO) -> Int? {
        var number = 0
        return unsafe webl_curl_getinfo_long(handle, info, &number) == CURLE_OK ? number : nil
    }

    private func httpVersion() -> String? {
        switch number(CURLINFO_HTTP_VERSION) {
        case CURL_HTTP_VERSION_1_0: "1.0"
        case CURL_HTTP_VERSION_1_1: "1.1"
        case CURL_HTTP_VERSION_2_0: "2"
        case CURL_HTTP_VERSION_3: "3"
        default: nil
        }
    }

    /// Whether its connection serves several requests at once; nil if no response arrived.
    var isMultiplexed: Bool? {
        guard incoming.head.isComplete, let version = number(CURLINFO_HTTP_VERSION) else { return nil }
        return version >= CURL_HTTP_VERSION_2_0
    }

    // MARK: - TLS

    /// The negotiated TLS parameters; nil without TLS, or if libcurl uses another library than OpenSSL.
    func tlsInformation() -> TLSInformation? {
        var (version, cipher): (UnsafePointer<CChar>?, UnsafePointer<CChar>?)
        guard unsafe webl_tls_session(handle, &version, &cipher) != 0, let version = unsafe version,
            let cipher = unsafe cipher
        else {
            return nil
        }
        var certificates: [TLSInformation.Certificate] = []
        unsafe withUnsafeMutablePointer(to: &certificates) { list in
            unsafe webl_tls_certificates(handle, Self.certificateCallback, list)
        }
        return unsafe TLSInformation(
            version: String(cString: version),
            cipher: String(cString: cipher),
            certificates: certificates,
            isVerified: verifiesCertificates
        )
    }

    private static let certificateCallback: webl_certificate_callback = {
        context,
        subject,
        issuer,
        from,
        until in
        guard let context = unsafe context, let subject = unsafe subject, let issuer = unsafe issuer else {
            return
        }
        let list = unsafe context.assumingMemoryBound(to: [TLSInformation.Certificate].self)
        unsafe list.pointee.append(
            TLSInformation.Certificate(
                subject: String(cString: subject),
                issuer: String(cString: issuer),
                validFrom: Timestamp(
                    millisecondsSince1970: from.multipliedReportingOverflow(by: 1000).partialValue
                ),
                expires: Timestamp(
                    millisecondsSince1970: until.multipliedReportingOverflow(by: 1000).partialValue
                )
            )
        )
    }

    // MARK: - Errors

    /// OpenSSL's result codes of certificate verification.
    private enum VerificationResult {
        /// No error in the certificate chain: libcurl rejected something else.
        static let inOrder = 0...1
        static let notYetValid = 9
        static let expired = 10
        static let unknownRoots = [2, 18, 19, 20, 21]
    }

    /// The error for a finished transfer's result code.
    func error(_ result: CURLcode, _ timing: LoadTiming) -> FetchError {
        let error = FetchError(curl: result, timing: timing, limits: limits)
        guard error.code == .certificate, let verification = number(CURLINFO_SSL_VERIFYRESULT) else {
            return error
        }
        let (code, text): (FetchError.Code, String) =
            switch verification {
            // The chain is valid, so the host name does not match.
            case VerificationResult.inOrder:
                (.certificateHost, "the certificate is not for \(request.url.hostname)")
            case VerificationResult.expired: (.certificateExpired, "the certificate has expired")
            case VerificationResult.notYetValid: (.certificateNotYetValid, "the certificate is not valid yet")
            case _ where VerificationResult.unknownRoots.contains(verification):
                (.certificateUnknownRoot, "the certificate chain ends in an untrusted root")
            default: (error.code, "\(error.message) (OpenSSL's number \(verification))")
            }
        return FetchError(code, text, curlCode: error.curlCode)
    }
}
