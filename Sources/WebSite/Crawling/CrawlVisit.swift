import WebArchive
import WebDatabase
import WebDocument
import WebLoader
import WebStandards

/// The result of the one request that a lease is for.
struct CrawlFound: Sendable {
    /// The outcome for the URL; `nil` if it was not requested, and its lease has to be given back.
    var outcome: URLOutcome?
    var signal = HostSignal.unasked
    var children: [FrontierURL] = []
    /// The records to append to the archive.
    var records: CrawlRecords?
    /// The stored summary of the response: status, type, size.
    var result: String?
    /// The target of a seed's redirect, if it becomes a seed itself.
    var newSeed: WebURL?
    /// The target of a redirect that sets a cookie: a URL that redirected here because the cookie was missing may
    /// answer differently now.
    var cookieReturn: FrontierURL?
    /// Whether the URL counts as a page.
    var isPage = false
    /// The status of a page that is an error; `nil` for other pages.
    var errorStatus: Int?
    var bytes = 0
    var likeness: Int64?
    var crawlDelay: Double?
    /// The cause of the failure, if it is known; it may be that the rules of the host could not be loaded.
    var failure: VisitFailure?
    /// Why nothing more can be stored, such as a full disk.
    var fault: StateError?

    init(_ outcome: URLOutcome?) { self.outcome = outcome }
}

/// Makes the requests of a crawl.
struct CrawlVisitor: Sendable {
    let plan: CrawlPlan
    let fetcher: SiteFetcher
    /// The rules of hosts; `nil` if robots.txt is not requested.
    let robots: RobotsCache?
    /// The recorder; `nil` if nothing is recorded.
    let recorder: CrawlRecorder?
    /// Returns the copy from a former crawl.
    let kept: (@Sendable (WebURL) async -> WebResponse?)?
    /// The URLs that redirect in a circle, and are not requested again.
    let circular: Set<String>
    /// The URLs whose copies from a former crawl are unchanged.
    let unchanged: Set<String>
    /// The folders in which files may be read; `nil` for no restriction.
    let folders: LocalFolders?
    let budget: PageBudget
    let hash: KeyHash
    /// The maximum number of times that a failed request is repeated.
    let retries: Int
    /// Receives each page, and returns whether it is done; `nil` if pages are not delivered.
    let deliver: (@Sendable (CrawledPage) async -> Bool)?

    /// The maximum number of times that the process may have ended during a visit of a URL before it is given up: its
    /// page may be the cause.
    private static let maximumInterruptions = 50

    func visit(_ lease: Lease) async -> CrawlFound {
        guard let url = try? WebURL(lease.url) else { return CrawlFound(.failed("url.invalid")) }
        guard !lease.isHostDead else {
            return await unreached("host.dead", url, CrawlStep(lease.depth))
        }
        guard lease.interruptions <= Self.maximumInterruptions else {
            return await unreached("crawl.interrupted", url, CrawlStep(lease.depth))
        }
        let step = CrawlStep(lease.depth)
        guard !circular.contains(lease.url) else { return await unreached("redirect.loop", url, step) }
        guard step.role == .page else { return await load(url, step, lease) }
        // A page may have been recognized as part of a trap after its link was found; a seed is always requested.
        if step.depth > 0, let trap = plan.traps.trap(of: url) { return CrawlFound(.skipped(trap.rawValue)) }
        guard await budget.reserve() else { return CrawlFound(nil) }
        let found = await load(url, step, lease)
        budget.end(isPage: found.isPage && found.outcome != nil)
        return found
    }

    private func load(_ url: WebURL, _ step: CrawlStep, _ lease: Lease) async -> CrawlFound {
        if url.scheme == "file", let folders, await !BlockingWork.threads.run({ folders.contains(url) }) {
            return CrawlFound(.skipped(CrawlScope.Exclusion.outside.rawValue))
        }
        var crawlDelay: Double?
        if let robots {
            let verdict = await robots.verdict(on: url)
            guard verdict.isAllowed else {
                // A host that does not answer may do so later: that is a failure, which can be retried.
                let isSilent = verdict.access.reason == .unreachable
                let code = isSilent ? "robots.unreachable" : "robots.disallowed"
                var found = await unreached(code, url, step)
                found.failure = verdict.failure
                return isSilent || found.records != nil ? found : CrawlFound(.skipped(code))
            }
            crawlDelay = verdict.crawlDelay
        }
        let kept = await kept?(url)
        if let kept, unchanged.contains(lease.url) {
            var found = await found(SiteAnswer(unchanged: kept, at: url), nil, url, step, lease)
            found.signal = .unneeded
            found.crawlDelay = crawlDelay
            return found
        }
        recorder?.expect(url)
        // A former redirect is requested without validators: it cannot be unchanged.
        let compared = kept.flatMap { Self.redirect(of: $0, url) == nil ? $0 : nil }
        let jar = fetcher.loader.configuration.cookieJar
        let cookies = jar?.field(for: url)
        var answer = await fetcher.ask(url, .get, wish, ifChangedFrom: compared)
        var records = recorder?.take(url)
        // The same URL with another Cookie field is a different request.
        if answer.redirect == url, jar?.field(for: url) != cookies, lease.tries < max(1, retries) {
            return CrawlFound(.again("redirect.cookie"))
        }
        if let compared, answer.status == 304 {
            answer = SiteAnswer(unchanged: compared, at: url, signal: answer.signal)
            records = nil
        }
        var found = await found(answer, records, url, step, lease)
        if let kept, answer.isTransient || answer.detour != nil {
            if case .done? = found.outcome {
                found.outcome = .failed(answer.detour ?? "http.\(answer.status ?? 0)")
            }
            await keep(kept, url, step, &found)
        }
        found.signal = answer.signal
        found.crawlDelay = crawlDelay
        return found
    }

    /// The bodies that are needed: recorded ones need not be in memory; a response from an archive is recorded from its
    /// body.
    private var wish: BodyWish {
        let isOffline = !fetcher.loader.configuration.archives.isEmpty
        return isOffline || recorder == nil && deliver != nil ? .whole : .recorded
    }

    private func found(
        _ answer: SiteAnswer,
        _ records: CrawlRecords?,
        _ url: WebURL,
        _ step: CrawlStep,
        _ lease: Lease
    ) async -> CrawlFound {
        if let error = answer.error {
            if let fault = Self.fault(error) {
                var found = CrawlFound(nil)
                found.fault = fault
                return found
            }
            if error.isCancellation { return CrawlFound(nil) }
        }
        if answer.isWorthRetrying, lease.tries < retries {
            return CrawlFound(.again(answer.error?.code.rawValue ?? "http.\(answer.status ?? 0)"))
        }
        var found: CrawlFound
        if let error = answer.error {
            found = CrawlFound(.failed(error.code.rawValue))
            found.failure = VisitFailure(answer)
            // The archive stores each URL once: a response that broke off may be requested again, but one cut off by a
            // limit is final.
            if records?.truncated == "length" || !answer.isWorthRetrying { found.records = records }
            if step.role == .page {
                await hand(CrawledPage(url: url, depth: step.depth, result: .failure(error)), &found)
            }
            return found
        }
        guard let response = answer.response else { return CrawlFound(.failed("network.failed")) }
        found = CrawlFound(.done)
        found.records = records
        found.bytes = records?.bodySize ?? response.body.count
        found.result = "\(answer.status ?? 0) \(response.contentType?.essence ?? "-") \(found.bytes)"
        // A copy of the site needs each redirect; readers of an archive apply Strict-Transport-Security themselves.
        let isExchange = response.source != .strictTransportSecurity || plan.options.resources != nil
        if records == nil, let recorder, isExchange {
            // The response comes from a file or another archive.
            do throws(ArchiveError) {
                found.records = try recorder.records(of: response)
            } catch {
                found.fault = StateError(.unwritable, error.message)
                return found
            }
        }
        if let next = answer.redirect {
            follow(next, url, step, &found)
            if response.headerFields[.setCookie] != nil { found.cookieReturn = found.children.first }
            return found
        }
        found.isPage = step.role == .page
        if found.isPage, let status = answer.status, status >= 400 { found.errorStatus = status }
        await read(response, url, step, &found)
        return found
    }

    /// Returns the failure of a URL that could not be requested.
    private func unreached(_ code: String, _ url: WebURL, _ step: CrawlStep) async -> CrawlFound {
        var found = CrawlFound(.failed(code))
        if let kept = await kept?(url) { await keep(kept, url, step, &found) }
        return found
    }

    /// Stores the copy from a former crawl of a URL that failed now.
    private func keep(
        _ kept: WebResponse,
        _ url: WebURL,
        _ step: CrawlStep,
        _ found: inout CrawlFound
    ) async {
        guard let recorder, case .failed? = found.outcome else { return }
        do throws(ArchiveError) {
            found.records = try recorder.records(of: kept)
        } catch {
            found.fault = StateError(.unwritable, error.message)
            return
        }
        if let next = Self.redirect(of: kept, url) {
            follow(next, url, step, &found)
        } else {
            await read(kept, url, step, &found)
        }
    }

    /// Returns the target of a former copy that is a redirect; `nil` if it is not one.
    static func redirect(of kept: WebResponse, _ url: WebURL) -> WebURL? {
        (try? PageLoader.redirect(WebRequest(url: url), kept))?.url.withoutFragment
    }

    private func follow(_ next: WebURL, _ url: WebURL, _ step: CrawlStep, _ found: inout CrawlFound) {
        found.children = plan.child(redirectedTo: next, step)
        // A seed that moved to another site does not add all of that site to the scope.
        if step.role == .page, step.depth == 0, next.isSchemelesslySameSite(as: url) { found.newSeed = next }
    }

    /// Finds the references of a page or a style sheet.
    private func read(
        _ response: WebResponse,
        _ url: WebURL,
        _ step: CrawlStep,
        _ found: inout CrawlFound
    ) async {
        let isSuccess = response.status.map { 200..<300 ~= $0.code } ?? true
        guard deliver != nil && found.isPage || isSuccess && !response.body.isEmpty else { return }
        let limits = fetcher.loader.configuration.limits
        let (plan, hash) = (plan, hash)
        let isPage = found.isPage
        let scripted: WebResponse
        do throws(LoadError) {
            scripted = isSuccess ? try await fetcher.scripted(response) : response
        } catch {
            // The page as served differs from the rendered one; the failure is reported instead.
            found.outcome = error.isCancellation ? nil : .failed(error.code.rawValue)
            if isPage {
                await hand(CrawledPage(url: url, depth: step.depth, result: .failure(error)), &found)
            }
            return
        }
        if plan.options.keepsScripted, scripted.source == .rendered {
            found.records?.scripted = (scripted.contentType?.description ?? "text/html", scripted.body)
        }
        let result: Result<(ParsedPage, [FrontierURL], Int64?), ParsingError> =
            await BlockingWork.threads.run { () in
                do throws(ParsingError) {
                    var parsing = ParsingSettings(limits: limits)
                    // The `resources` closure looks up references in the source.
                    parsing.notesTags = plan.options.resources != nil
                    parsing.startClock()
                    let page = try ParsedPage(scripted, PageContent.Settings(parsing: parsing))
                    let children = isSuccess ? plan.children(of: page, at: url, step) : []
                    let isHTML = page.kind == .html || page.kind == .xhtml
                    let likeness =
                        isHTML && isPage && isSuccess ? PageLikeness.number(of: response.body, hash) : nil
                    return .success((page, children, likeness))
                } catch {
                    return .failure(error)
                }
            }
        switch result {
        case .success(let (page, children, likeness)):
            found.children = children
            found.likeness = likeness
            guard found.isPage else { return }
            await hand(CrawledPage(url: url, depth: step.depth, result: .success(page)), &found)
        case .failure(let error):
            // The response is in the archive all the same.
            guard found.isPage else { return }
            let failure = LoadError(error, url: url)
            await hand(CrawledPage(url: url, depth: step.depth, result: .failure(failure)), &found)
        }
    }

    /// Delivers a page; if it is not accepted, its URL counts as not requested.
    private func hand(_ page: CrawledPage, _ found: inout CrawlFound) async {
        guard let deliver else { return }
        if await !deliver(page) { found.outcome = nil }
    }

    /// Returns why nothing more can be recorded; `nil` if the error only concerns the page.
    private static func fault(_ error: LoadError) -> StateError? {
        guard error.cause is FetchError else { return nil }
        switch error.code {
        case "file.write", "archive.unavailable": return StateError(.unwritable, error.message)
        default: return nil
        }
    }
}
