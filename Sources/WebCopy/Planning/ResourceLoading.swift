import HTTPTypes
import WebLoader
import WebStandards
import WebTransport

/// A loader of the resources that a page needs: each URL once, several at once, within the copy's limits.
final class ResourceLoading {
    /// The resources that were loaded, or could not be, by their URLs without fragment.
    private(set) var resources: [WebURL: CopiedResource] = [:]
    /// Their URLs, in the order in which they were first needed.
    private(set) var order: [WebURL] = []
    /// The URLs of resources that are needed, not optional.
    private(set) var needed: Set<WebURL> = []
    /// The URLs of resources that markup needs, not only a style sheet.
    private(set) var neededByMarkup: Set<WebURL> = []

    private let page: Page
    private let limits: PageCopy.Options
    private let budget: CopyBudget
    private var scheduler: HostScheduler<ResourceWish>
    /// The wishes that wait for a URL that is being loaded.
    private var expected: [WebURL: [ResourceWish]] = [:]
    /// The needs that were requested; the depth does not count, or circles would be followed.
    private var seen: Set<ResourceWish.Need> = []
    private var isOutOfTime = false

    /// The result of a child task.
    private enum Event: Sendable {
        case loaded(CopiedResource, host: String, isMultiplexed: Bool?)
        case outOfTime
    }

    init(_ page: Page, _ limits: PageCopy.Options) {
        self.page = page
        self.limits = limits
        budget = CopyBudget(bytes: limits.maximumBytes)
        // As many per host as in browsers, and few in all: each is in memory.
        scheduler = HostScheduler(maximum: max(1, limits.concurrency), perHost: 6, multiplexed: 100)
    }

    /// Loads resources and what they need in turn.
    ///
    /// - Parameters:
    ///   - first: The resources that the page needs.
    ///   - next: Returns the resources that a loaded resource needs.
    func load(
        _ first: [ResourceWish],
        next: (CopiedResource, ResourceWish) async -> [ResourceWish]
    ) async {
        // Needed resources come before optional ones, in case a limit is reached.
        var waiting = Array(first.reversed())
        await withTaskGroup(of: Event.self) { group in
            if let seconds = limits.maximumTime {
                group.addTask {
                    // It ends early only with the group.
                    try? await Task.sleep(for: seconds)
                    return .outOfTime
                }
            }
            var running = 0
            while true {
                while let wish = waiting.popLast() {
                    if let resource = self.ask(wish) {
                        waiting += await next(resource, wish).reversed()
                    }
                }
                while !self.isOutOfTime, let (wish, host) = self.scheduler.next(now: 0) {
                    running += 1
                    let request = self.page.request(for: wish.url)
                    group.addTask {
                        [
                            loader = self.page.loader, budget = self.budget, limits = self.limits,
                            own = self.own
                        ] in
                        if wish.url.scheme == "file", await !Self.isBeside(own, wish.url) {
                            let resource = CopiedResource(url: wish.url, response: nil, fault: .outside)
                            return .loaded(resource, host: host, isMultiplexed: nil)
                        }
                        let (resource, isMultiplexed) = await Self.load(
                            wish,
                            request,
                            by: loader,
                            budget,
                            limits
                        )
                        return .loaded(resource, host: host, isMultiplexed: isMultiplexed)
                    }
                }
                guard running > 0, let event = await group.next() else { break }
                switch event {
                case .loaded(let resource, let host, let isMultiplexed):
                    running -= 1
                    self.scheduler.finished(host: host, isMultiplexed: isMultiplexed)
                    waiting += self.take(resource).reversed()
                case .outOfTime:
                    self.isOutOfTime = true
                    group.cancelAll()
                }
            }
            group.cancelAll()
        }
        for url in order where resources[url] == nil { resources[url] = unasked(url) }
    }

    // MARK: - Before

    /// Schedules a resource; returns it if its outcome is known already.
    private func ask(_ wish: ResourceWish) -> CopiedResource? {
        if !wish.isOptional {
            needed.insert(wish.url)
            if !wish.isStyle { neededByMarkup.insert(wish.url) }
        }
        guard seen.insert(wish.need).inserted else { return nil }
        if let resource = resources[wish.url] { return resource }
        if expected[wish.url] != nil {
            expected[wish.url]?.append(wish)
            return nil
        }
        order.append(wish.url)
        if let fault = refusal(of: wish) {
            let resource = CopiedResource(url: wish.url, response: nil, fault: fault)
            resources[wish.url] = resource
            return resource
        }
        expected[wish.url] = [wish]
        scheduler.add(wish, host: wish.url.schedulingHost)
        return nil
    }

    /// Returns the reason for which a resource is not requested at all; `nil` if it is requested.
    private func refusal(of wish: ResourceWish) -> CopyFault? {
        switch wish.url.scheme {
        case "data", "http", "https": break
        case "file":
            guard isBesidePage(wish.url) else {
                return .outside
            }
        default:
            return CopyFault(
                code: "url.unsupported",
                message: "\(wish.url.scheme): URLs cannot be loaded, only http, https, file and data"
            )
        }
        if wish.url.scheme != "data", order.count > limits.maximumFiles {
            return .tooMany(limits.maximumFiles, "files")
        }
        return wish.depth > ResourceWish.maximumDepth ? .tooDeep : nil
    }

    /// Whether a file is in the folder of a page that is a file itself, or below, by its URL; symbolic links are
    /// checked when it is loaded.
    private func isBesidePage(_ url: WebURL) -> Bool {
        guard page.response.source == .file || page.response.source == .memory, own.hostname == url.hostname
        else { return false }
        return CopyLocation(of: own).isBeside(url)
    }

    /// The URL of the page.
    private var own: WebURL { page.response.url }

    private static func isBeside(_ page: WebURL, _ url: WebURL) async -> Bool {
        await BlockingWork.threads.run { LocalFolders(of: [page]).contains(url) }
    }

    // MARK: - Loading

    private static func load(
        _ wish: ResourceWish,
        _ request: WebRequest,
        by loader: PageLoader,
        _ budget: CopyBudget,
        _ limits: PageCopy.Options
    ) async -> (CopiedResource, isMultiplexed: Bool?) {
        var maximumSize = loader.configuration.limits.maximumBodySize
        if wish.use == .media { maximumSize = min(maximumSize, limits.maximumMediaSize) }
        let receiver = ResourceReceiver(budget, maximumSize: maximumSize)
        do throws(LoadError) {
            var response = try await loader.fetch(request, into: receiver)
            if let body = receiver.body {
                response.body = body
            } else if response.body.count > maximumSize || !budget.take(response.body.count) {
                throw LoadError(FetchError.bodyTooLarge(limit: maximumSize), url: wish.url)
            }
            let isMultiplexed =
                response.source == .network
                ? response.httpVersion.map { $0 != "1.1" && $0 != "1.0" } : nil
            return (
                CopiedResource(url: wish.url, response: response, fault: fault(of: response)), isMultiplexed
            )
        } catch {
            receiver.drop()
            var fault = CopyFault(code: error.code.rawValue, message: error.message)
            if error.code == "limit.size", budget.isExhausted {
                fault = .tooMany(limits.maximumBytes, "bytes in all")
            }
            // The limits of one load and of all loads may be the same: which ends first is chance.
            if error.code == "network.timeout.total", let seconds = limits.maximumTime {
                fault = .tooLate(seconds)
            }
            // An archive stores even a circle of redirects as it is.
            let isCircle = limits.format.hasExchanges && error.code == "network.too-many-redirects"
            let circle = isCircle ? await redirects(request, by: loader, budget, maximumSize) : nil
            return (CopiedResource(url: wish.url, response: circle, fault: fault), nil)
        }
    }

    /// Returns the redirects of a circle, the last one as a response, without their bodies.
    private static func redirects(
        _ request: WebRequest,
        by loader: PageLoader,
        _ budget: CopyBudget,
        _ maximumSize: Int
    ) async -> WebResponse? {
        var request = request
        request.followsRedirects = false
        var hops: [WebResponse.Redirect] = []
        var seen: Set<WebURL> = []
        while true {
            let receiver = ResourceReceiver(budget, maximumSize: maximumSize)
            defer { receiver.drop() }
            guard var response = try? await loader.fetch(request, into: receiver),
                let status = response.status
            else { return nil }
            response.body = []
            seen.insert(request.url)
            guard let next = try? PageLoader.redirect(request, response),
                !seen.contains(next.url.withoutFragment),
                hops.count < loader.configuration.limits.maximumRedirects
            else {
                response.redirects = hops
                return response
            }
            hops.append(
                WebResponse.Redirect(
                    url: request.url,
                    status: status,
                    headerFields: response.headerFields,
                    timing: response.timing,
                    source: response.source
                )
            )
            let isSameOrigin = next.url.isSameOrigin(as: request.url)
            request = next
            request.url = next.url.withoutFragment
            // Stored credentials of a host are for a user who requested that host.
            if !isSameOrigin { request.mayHaveKeptCredentials = false }
        }
    }

    /// Returns the fault of a response; `nil` if it has none.
    private static func fault(of response: WebResponse) -> CopyFault? {
        guard let status = response.status?.code, status >= 400 else { return nil }
        return CopyFault(code: "http.\(status)", message: "HTTP status \(status)")
    }

    /// Stores a loaded resource; returns the wishes that waited for it.
    private func take(_ resource: CopiedResource) -> [ResourceWish] {
        // A load that the time limit has cancelled is reported as out of time.
        resources[resource.url] =
            isOutOfTime && resource.fault?.code == "load.cancelled" ? unasked(resource.url) : resource
        let waiting = expected.removeValue(forKey: resource.url) ?? []
        for wish in waiting { seen.remove(wish.need) }
        return waiting
    }

    /// Returns the outcome of a resource for which there was no time.
    private func unasked(_ url: WebURL) -> CopiedResource {
        let fault =
            Task.isCancelled
            ? CopyFault(code: "load.cancelled", message: "cancelled") : .tooLate(limits.maximumTime ?? .zero)
        return CopiedResource(url: url, response: nil, fault: fault)
    }
}
