import CCurl

extension FetchError {
    /// The error for a finished transfer's result code.
    init(curl result: CURLcode, timing: LoadTiming, limits: LoadLimits) {
        let code: Code
        switch result {
        // If the server answered, its HTTP version is not supported, or the answer is not HTTP at all.
        // (On a connection that was open already, no time was taken for connecting.)
        case CURLE_UNSUPPORTED_PROTOCOL where timing.connect != nil || timing.firstByte != nil:
            code = .malformedResponse
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_URL_MALFORMAT: code = .unsupportedURL
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: code = .nameResolution
        case CURLE_COULDNT_CONNECT, CURLE_INTERFACE_FAILED, CURLE_PROXY: code = .connection
        case CURLE_OPERATION_TIMEDOUT: code = .connectTimeout
        case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_INVALIDCERTSTATUS,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH:
            code = .certificate
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
            CURLE_SSL_ENGINE_INITFAILED, CURLE_USE_SSL_FAILED:
            code = .tls
        case CURLE_WEIRD_SERVER_REPLY, CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_HTTP3: code = .malformedResponse
        case CURLE_BAD_CONTENT_ENCODING: code = .contentDecoding
        case CURLE_FILESIZE_EXCEEDED: code = .bodyTooLarge
        case CURLE_OUT_OF_MEMORY, CURLE_FAILED_INIT: code = .unavailable
        default: code = .connectionLost
        }
        let text = unsafe webl_curl_easy_strerror(result).map { unsafe String(cString: $0) } ?? "error"
        let curlCode = Int32(bitPattern: result.rawValue)
        if code == .connectTimeout {
            // The connect timeout is the only one that is set in libcurl.
            self = .noConnection(
                within: limits.connectTimeout.inSeconds,
                reached: timing.total?.inSeconds,
                curlCode: curlCode
            )
        } else {
            self.init(code, text, curlCode: curlCode)
        }
    }

    /// The error of a load that made no progress for `timeout` seconds.
    static func noProgress(for timeout: Double, reached: Double? = nil) -> FetchError {
        FetchError(
            .timeout,
            "no data for \(seconds(timeout))",
            limit: milliseconds(timeout),
            reached: milliseconds(reached ?? timeout)
        )
    }

    /// The error of a load without a connection after `timeout` seconds.
    static func noConnection(
        within timeout: Double,
        reached: Double? = nil,
        curlCode: Int32? = nil
    ) -> FetchError {
        FetchError(
            .connectTimeout,
            "no connection within \(seconds(timeout))",
            curlCode: curlCode,
            limit: milliseconds(timeout),
            reached: milliseconds(reached ?? timeout)
        )
    }

    /// The error of a load that took longer than `time` seconds as a whole.
    static func tookTooLong(_ time: Double, reached: Double? = nil) -> FetchError {
        FetchError(
            .totalTimeout,
            "not finished within \(seconds(time))",
            limit: milliseconds(time),
            reached: milliseconds(reached ?? time)
        )
    }

    /// The error of a body with more than `limit` bytes.
    ///
    /// - Parameters:
    ///   - limit: Bytes that it may have.
    ///   - reached: Bytes that it has at least, if that is known.
    ///   - coding: The content coding whose bytes were counted, nil for decoded ones.
    /// - Returns: The error.
    package static func bodyTooLarge(limit: Int, reached: Int64? = nil, coding: String? = nil) -> FetchError {
        let body = coding.map { "the body in \($0)" } ?? "the body"
        return FetchError(
            .bodyTooLarge,
            "\(body) has more than \(limit) bytes",
            limit: Int64(limit),
            reached: reached
        )
    }

    /// The error of a response with more than `limit` bytes of fields, or in one of them.
    static func headersTooLarge(limit: Int, reached: Int? = nil) -> FetchError {
        FetchError(
            .headersTooLarge,
            "the response's fields have more than \(limit) bytes",
            limit: Int64(limit),
            reached: reached.map { Int64($0) }
        )
    }

    /// The error of a response with more than `limit` lines of fields.
    static func tooManyFields(limit: Int) -> FetchError {
        FetchError(
            .tooManyFields,
            "the response has more than \(limit) fields",
            limit: Int64(limit),
            reached: Int64(limit) +| 1
        )
    }

    /// The error of a response with more than `limit` interim responses before it.
    static func tooManyInterimResponses(limit: Int) -> FetchError {
        FetchError(
            .tooManyInterimResponses,
            "more than \(limit) interim responses",
            limit: Int64(limit),
            reached: Int64(limit) +| 1
        )
    }

    private static func milliseconds(_ seconds: Double) -> Int64 {
        Int64(exactly: (seconds * 1000).rounded()) ?? .max
    }

    private static func seconds(_ seconds: Double) -> String {
        seconds == seconds.rounded() && abs(seconds) < 1e15 ? "\(Int(bounded: seconds)) s" : "\(seconds) s"
    }
}
