/// Responses whose bodies are read while they arrive.
extension PageLoader {
    /// Fetches a response and returns when its head is there; its body is read while it arrives, and never held as a whole.
    ///
    /// `http`, `https`, `file` and `data` URLs. Cache, redirects, retries, limits and errors are those of
    /// ``fetch(_:)``, with these differences:
    ///
    /// - The sender waits for the reader, and that time counts neither towards the request's time-out nor towards
    ///   ``/WebStandards/LoadLimits/maximumTime``. A connection of its own stays taken meanwhile, one of the few
    ///   that streams may have to that host and to all, and a server may lose patience: read on, or release the response.
    /// - A body that the server sends is stored as it passes, if it may be, and is in the cache when the sequence ends. A
    ///   stored one that is large is verified, and then read from the disk piece by piece.
    /// - Once the head is there, the request is not repeated: where the transfer breaks off later, the body throws.
    /// - It shares no response with identical requests at the same time, as they would wait for each other's readers.
    ///
    /// The body may have ``/WebStandards/LoadLimits/maximumBodySize``, 64 MiB unless you allow more. The memory for it is
    /// less than 512 KiB and the piece that the reader has, whatever its size; besides, libcurl has its buffers (over
    /// HTTP/2, what the server had sent before it learned that it is to wait), and decoders their windows, of at most
    /// 16 MiB. Data URLs, bodies of a cache in memory, and of a ``/WebTransport/Fetcher`` of your own that does not ask
    /// ``/WebTransport/BodyReceiver/isReady(orElse:)``, are in memory as a whole.
    ///
    /// - Parameter request: The request to send.
    /// - Returns: The head, and the body to be read.
    /// - Throws: ``LoadError``. An HTTP error status is not an error.
    public func stream(_ request: WebRequest) async throws(LoadError) -> StreamedResponse {
        try await stream(request, within: configuration.limits)
    }

    /// Fetches a response whose size does not matter, because its reader ends where it has enough.
    package func streamOfAnySize(_ request: WebRequest) async throws(LoadError) -> StreamedResponse {
        var limits = configuration.limits
        limits.maximumBodySize = .largestBounded
        return try await stream(request, within: limits)
    }

    private func stream(
        _ request: WebRequest,
        within limits: LoadLimits
    ) async throws(LoadError) -> StreamedResponse {
        let pipe = BodyPipe(request.url)
        // From here on the transfer ends with this.
        let body = StreamedResponse.Body(pipe)
        guard let observation else {
            pipe.fill { (pipe) async throws(LoadError) in try await self.send(request, to: pipe, limits) }
            return StreamedResponse(try await pipe.head(), body)
        }
        // Here, in the caller's task.
        let work = observation.begin(.stream, request.url, request.httpMethod)
        pipe.fill { (pipe) async throws(LoadError) in
            try await observation.during(work) { () async throws(LoadError) in
                try await self.send(request, to: pipe, limits)
            } note: { outcome, _ in
                pipe.note(in: &outcome)
            }
        }
        return StreamedResponse(try await pipe.head(), body)
    }

    /// Fetches a response, whose body is taken from the pipe meanwhile.
    private func send(
        _ request: WebRequest,
        to pipe: BodyPipe,
        _ limits: LoadLimits
    ) async throws(LoadError) {
        guard request.url.scheme != "file" || !configuration.archives.isEmpty else {
            return try await sendFile(request.url, to: pipe, limits)
        }
        let response = try await fetch(request, nil, pipe, limits: limits)
        // It is there as a whole.
        if !pipe.hasHead { try pipe.take(response) }
    }

    /// Reads a file as its pieces are taken.
    private func sendFile(
        _ url: WebURL,
        to pipe: BodyPipe,
        _ limits: LoadLimits
    ) async throws(LoadError) {
        let started = MonotonicClock.now
        let path = try path(of: url)
        var limits = limits
        let size = limits.maximumBodySize
        let file = try await reading(url, limits) { (_) throws(FileError) in
            try FilePieces(path: path, maximumSize: size)
        }
        try pipe.take(response(url, ofFileNamed: path, [], since: started))
        while true {
            await pipe.ready()
            let begun = MonotonicClock.now
            let piece = try await reading(url, limits) { (wait) throws(FileError) in
                try file.next(within: wait)
            }
            guard let piece else { return }
            // The time that the reader takes does not count.
            limits.maximumSeconds = limits.maximumSeconds.map { $0 - (MonotonicClock.now - begun) }
            try pipe.take(piece)
        }
    }
}
