import HTTPTypes

/// Fetching responses: from HTTP and its cache, files, `data:` URLs.
extension PageLoader {
    /// Fetches a response, parsing it as it arrives and passing hints to the delegate.
    func arrival(
        _ request: WebRequest,
        _ settings: PageContent.Settings,
        _ delegate: (any PageLoadDelegate)?
    ) async throws(LoadError) -> (WebResponse, ArrivingHTML) {
        guard let delegate, delegate.wantsHints else {
            let arriving = ArrivingHTML(settings, configuration.blockingWork, hints: nil)
            return (try await fetch(request, delegate, arriving), arriving)
        }
        return try await arrival(request, settings, hintTask: delegate)
    }

    /// Fetches a response, passing hints to a delegate that wants them.
    private func arrival(
        _ request: WebRequest,
        _ settings: PageContent.Settings,
        hintTask delegate: any PageLoadDelegate
    ) async throws(LoadError) -> (WebResponse, ArrivingHTML) {
        let (found, continuation) = AsyncStream.makeStream(of: [PageHint].self)
        let arriving = ArrivingHTML(settings, configuration.blockingWork) { continuation.yield($0) }
        let hintTask = Task { for await hints in found { await delegate.didFind(hints) } }
        let result: Result<WebResponse, LoadError>
        do throws(LoadError) {
            result = .success(try await fetch(request, delegate, arriving))
        } catch {
            result = .failure(error)
        }
        await configuration.blockingWork.run { arriving.drain() }
        continuation.finish()
        await hintTask.value
        return (try result.get(), arriving)
    }

    /// Fetches a response with its body, and reports this to the observer.
    ///
    /// Like the other functions that report to the observer, it is called only if there is one: its frame is large.
    func fetch(
        _ request: WebRequest,
        within limits: LoadLimits,
        _ observation: Observation
    ) async throws(LoadError) -> WebResponse {
        let work = observation.begin(.fetch, request.url, request.httpMethod)
        return try await observation.during(work) { () async throws(LoadError) in
            try await self.fetch(request, nil, nil, limits: limits)
        } note: {
            $0.take($1)
        }
    }

    /// Fetches a response and hands it to a receiver as it arrives, if it is one of HTTP.
    ///
    /// The response that is returned has no body then unless the receiver collects it. It may be of any size: the receiver ends
    /// it where it has enough.
    package func fetch(
        _ request: WebRequest,
        into receiver: any BodyReceiver
    ) async throws(LoadError) -> WebResponse {
        var limits = configuration.limits
        limits.maximumBodySize = .largestBounded
        return try await fetch(request, nil, receiver, limits: limits)
    }

    /// The request that a response redirects to, without the credentials that were for another origin; nil if it does not.
    ///
    /// - Throws: ``LoadError`` if it redirects to what is not followed.
    package static func redirect(
        _ request: WebRequest,
        _ response: WebResponse
    ) throws(LoadError) -> WebRequest? {
        do throws(FetchError) {
            return try RedirectFollower.redirect(request, response)
        } catch {
            throw LoadError(error, url: request.url)
        }
    }

    /// Fetches a response by the scheme of its URL, within `limits`, by default the configuration's.
    func fetch(
        _ request: WebRequest,
        _ delegate: (any PageLoadDelegate)?,
        _ receiver: (any BodyReceiver)?,
        limits: LoadLimits? = nil
    ) async throws(LoadError) -> WebResponse {
        switch request.url.scheme {
        // A `file` URL in an archive is not a file of this machine.
        case "file" where configuration.archives.isEmpty: try await file(request.url)
        case "data": try data(request.url)
        default: try await http(request, delegate, receiver, limits ?? configuration.limits)
        }
    }

    private func http(
        _ request: WebRequest,
        _ delegate: (any PageLoadDelegate)?,
        _ receiver: (any BodyReceiver)?,
        _ limits: LoadLimits
    ) async throws(LoadError) -> WebResponse {
        let mayAsk = request.cachePolicy.mayLoad && configuration.archiveDate == nil
        guard store != nil || mayAsk || !configuration.archives.isEmpty else {
            throw LoadError(
                FetchError(.cacheMiss, "not in the cache: no cache is configured"),
                url: request.url
            )
        }
        var willRedirect: RedirectFollower.WillRedirect?
        if let delegate {
            willRedirect = { (next, response) async throws(FetchError) in
                guard await delegate.shouldStart(next) else { throw .refused }
                await delegate.didRedirect(to: next, from: response)
            }
        }
        if let observation {
            willRedirect = { [willRedirect] (next, response) async throws(FetchError) in
                try await willRedirect?(next, response)
                observation.current?.redirected(to: next.url.observed, from: response.observed)
            }
        }
        do throws(FetchError) {
            return try await follower.fetch(
                request,
                limits: limits,
                receiver: receiver,
                willRedirect: willRedirect
            )
        } catch {
            throw LoadError(error, url: request.url)
        }
    }

    private func file(_ url: WebURL) async throws(LoadError) -> WebResponse {
        let path = try path(of: url)
        let limits = configuration.limits
        let started = MonotonicClock.now
        let body = try await reading(url, limits) { (wait) throws(FileError) in
            try FileReader.read(path: path, maximumSize: limits.maximumBodySize, within: wait)
        }
        return response(url, ofFileNamed: path, body, since: started)
    }

    /// The path of a `file` URL.
    func path(of url: WebURL) throws(LoadError) -> String {
        if let path = url.filePath { return path }
        throw LoadError(FileError(.path, "the URL does not name a path on this machine"), url: url)
    }

    /// The response that a file is, which took since `started`.
    func response(
        _ url: WebURL,
        ofFileNamed path: String,
        _ body: [UInt8],
        since started: Double
    ) -> WebResponse {
        var response = WebResponse(url: url, status: nil, body: body, source: .file)
        response.headerFields[.contentType] = MediaType.forFile(named: path)?.description
        response.timing.total = Duration(boundedSeconds: MonotonicClock.now - started)
        return response
    }

    /// Reads data that may come from a pipe, within the time limit of a load.
    func reading<Value: Sendable>(
        _ url: WebURL?,
        _ limits: LoadLimits,
        _ body: @escaping @Sendable (WaitLimit) throws(FileError) -> Value
    ) async throws(LoadError) -> Value {
        let watch = LoadWatch(limits)
        return try await watch.watching { () async throws(LoadError) in
            do throws(FileError) {
                return try await self.configuration.blockingWork.run { () throws(FileError) in
                    try body(watch.waitLimit)
                }
            } catch {
                throw LoadError(error, url: url)
            }
        }
    }

    private func data(_ url: WebURL) throws(LoadError) -> WebResponse {
        do throws(DataURLError) {
            let data = try DataURL(url.withoutFragment.href)
            var response = WebResponse(url: url, status: nil, body: data.body, source: .memory)
            response.headerFields[.contentType] = data.mimeType.description
            return response
        } catch {
            throw LoadError(FetchError(.invalidDataURL, error.explanation), url: url)
        }
    }
}
