import WebLoader
import WebTransport

/// Navigations, one at a time, and the history that they make.
extension PageSession {
    /// The action of a navigation.
    enum Step: Sendable {
        case load(replacing: Bool)
        case show(WebResponse)
        case fragment(HistoryEntry)
        case go(HistoryEntry)
        case reload(HistoryEntry)
    }

    /// Cancels the navigation under way, and performs another one.
    func navigate(
        _ step: Step,
        _ request: WebRequest,
        by kind: Navigation.Kind
    ) async throws(LoadError) -> Navigation {
        running?.cancel()
        number += 1
        let mine = number
        isLoading = true
        estimatedProgress = 0
        progress.reset()
        publish()
        let task = Task {
            do throws(LoadError) {
                return Result<Navigation, LoadError>.success(
                    try await self.perform(step, request, by: kind, mine)
                )
            } catch {
                return .failure(error)
            }
        }
        running = task
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if number == mine {
            running = nil
            ended()
        }
        if case .failure(let error) = result { channel.send(.failed(error)) }
        return try result.get()
    }

    private func perform(
        _ step: Step,
        _ request: WebRequest,
        by kind: Navigation.Kind,
        _ number: Int
    ) async throws(LoadError) -> Navigation {
        if let delegate = configuration.delegate, await !delegate.shouldNavigate(to: request, by: kind) {
            throw LoadError(FetchError.refused, url: request.url)
        }
        switch step {
        case .load(let isReplacing): return try await fetch(request, by: kind, replacing: isReplacing, number)
        case .show(let response):
            let page = try await loader.load(response, overriding: configuration.overrides)
            return try await commit(page, request, by: kind, replacing: false, number)
        case .fragment(let entry):
            let page = try await page(of: entry)
            try check(number, request.url)
            // Its cache key may have changed.
            await add(request, fragmentOf: history.current ?? entry, page)
            return await committed(page, by: kind)
        case .go(let entry):
            let page = try await page(of: entry)
            try check(number, entry.url)
            history.select(entry.id)
            return await committed(page, by: kind)
        case .reload(let entry):
            let keptPage = await keptPage(entry)
            let isOfNoServer =
                request.url.scheme.hasPrefix("http") && keptPage.map { $0.response.status == nil } ?? false
            guard Self.isLoadable(request.url), !isOfNoServer, entry.httpMethod != "POST" || keptPage != nil
            else {
                // A page that came from no server stays as it was.
                return try await commit(page(of: entry), request, by: kind, replacing: true, number)
            }
            var request = request
            if entry.httpMethod == "POST" {
                request.httpMethod = "POST"
                request.httpBody = keptPage?.httpBody ?? []
                request.headerFields[.contentType] = keptPage?.contentType
            }
            return try await fetch(request, by: kind, replacing: true, number)
        }
    }

    static func isLoadable(_ url: WebURL) -> Bool {
        ["http", "https", "file", "data"].contains(url.scheme)
    }

    private func fetch(
        _ request: WebRequest,
        by kind: Navigation.Kind,
        replacing isReplacing: Bool,
        _ number: Int
    ) async throws(LoadError) -> Navigation {
        let delegate = SessionLoadDelegate(channel: channel, delegate: configuration.delegate)
        let page = try await loader.load(request, overriding: configuration.overrides, delegate: delegate)
        if let status = page.response.status?.code, status == 204 || status == 205 {
            // There is nothing to show: the page in view stays.
            return Navigation(
                kind: kind,
                entry: history.current ?? HistoryEntry(url: page.response.url),
                page: page,
                resources: nil
            )
        }
        let resources = configuration.loadsResources ? try await Self.resources(of: page) : nil
        return try await commit(page, request, by: kind, replacing: isReplacing, number, resources)
    }

    private static func resources(of page: Page) async throws(LoadError) -> PageResources {
        do throws(ParsingError) {
            return try await page.loadResources()
        } catch {
            throw LoadError(error, url: page.response.url)
        }
    }

    /// Throws if another navigation has begun since.
    private func check(_ mine: Int, _ url: WebURL) throws(LoadError) {
        if mine != number || Task.isCancelled { throw LoadError(FetchError.cancelled, url: url) }
    }

    /// Records a page in the history.
    private func commit(
        _ page: Page,
        _ request: WebRequest,
        by kind: Navigation.Kind,
        replacing isReplacing: Bool,
        _ number: Int,
        _ resources: PageResources? = nil
    ) async throws(LoadError) -> Navigation {
        let isForm = request.httpBody != nil && page.response.redirects.allSatisfy { $0.status.code >= 307 }
        let keptPage = KeptPage(page.response, sent: isForm ? request : WebRequest(url: request.url))
        let key = try await keep(keptPage, page.response.url)
        do throws(LoadError) {
            try check(number, request.url)
        } catch {
            remove([key.key])
            throw error
        }
        let url = page.response.url.withoutCredentials
        // The cache policy of a reload does not apply to the page's links.
        let policy = kind == .reload ? cachePolicy(of: history.current) : request.cachePolicy
        func make(_ id: Int, initialURL: WebURL) -> HistoryEntry {
            HistoryEntry(
                id: id,
                url: url,
                initialURL: initialURL,
                title: HistoryEntry.title(page.title),
                date: .now,
                httpMethod: isForm ? "POST" : "GET",
                referrer: request.referrer.flatMap {
                    $0.href.utf8.count <= HistoryEntry.referrerSize ? $0 : nil
                },
                cacheKey: key.key,
                view: nil
            )
        }
        var unused: Set<String> = []
        if isReplacing, let current = history.current {
            // The entries of other parts of the page get the new version, too.
            if kind == .reload {
                unused = history.keep(key.key, for: current, title: HistoryEntry.title(page.title))
            }
            unused.formUnion(
                history.changeCurrent { entry in
                    // A reload keeps the URL that was requested first.
                    entry = make(
                        entry.id,
                        initialURL: kind == .reload ? entry.initialURL : request.url.withoutCredentials
                    )
                }
            )
        } else {
            unused = history.push { make($0, initialURL: request.url.withoutCredentials) }
        }
        history.forget(key.gone)
        unused.subtract(key.gone)
        remove(unused)
        remember(page, key.key)
        if let entry = history.current {
            // As for the page's links: without the caller's fields where a redirect led to another origin.
            var own = page.request(for: url)
            own.use(policy)
            own.referrerPolicy = request.referrerPolicy
            own.httpBody = nil
            own.httpMethod = "GET"
            own.headerFields[.contentType] = nil
            requests[entry.id] = own
        }
        await showFragment(page)
        return await committed(page, by: kind, resources)
    }

    /// Adds an entry for another part of the page in view.
    private func add(_ request: WebRequest, fragmentOf entry: HistoryEntry, _ page: Page) async {
        var next = entry
        next.url = request.url.withoutCredentials
        next.initialURL = next.url
        next.view = nil
        if next.url == entry.url {
            remove(history.changeCurrent { $0.view = nil })
        } else {
            let unused = history.push { id in
                HistoryEntry(
                    id: id,
                    url: next.url,
                    initialURL: next.url,
                    title: next.title,
                    date: next.date,
                    httpMethod: next.httpMethod,
                    referrer: next.referrer,
                    cacheKey: next.cacheKey,
                    view: nil
                )
            }
            remove(unused)
            if let current = history.current { requests[current.id] = requests[entry.id] }
        }
        await showFragment(page)
    }

    /// Notifies the listeners and the delegate of the page that is now in view.
    private func committed(
        _ page: Page,
        by kind: Navigation.Kind,
        _ resources: PageResources? = nil
    ) async -> Navigation {
        if requests.count > history.entries.count * 2 {
            let ids = Set(history.entries.map(\.id))
            requests = requests.filter { ids.contains($0.key) }
        }
        publish()
        let entry = history.current ?? HistoryEntry(url: page.response.url)
        let navigation = Navigation(kind: kind, entry: entry, page: page, resources: resources)
        channel.send(.committed(navigation))
        await configuration.delegate?.didCommit(navigation)
        return navigation
    }

    func ended() {
        isLoading = false
        estimatedProgress = 1
        publish()
    }

    func note(progress share: Double) {
        guard isLoading, share > estimatedProgress else { return }
        estimatedProgress = share
        publish()
    }

    func publish() {
        channel.publish(State(history: history, isLoading: isLoading, estimatedProgress: estimatedProgress))
    }

    func send(_ event: PageSessionEvent) { channel.send(event) }

    /// Sets the part of the page that is in view.
    func setView(_ view: HistoryEntry.View?) {
        guard history.current?.view != view else { return }
        // The cache keys stay as they are.
        _ = history.changeCurrent { $0.view = view }
        publish()
    }
}
