import WebArchive
import WebDatabase
import WebDocument
import WebLoader
import WebStandards

/// What came of the one request that a lease is.
struct CrawlFound: Sendable {
    /// What became of the URL; nil if it was not asked for, and is to be given back.
    var outcome: URLOutcome?
    var signal = HostSignal.unasked
    var children: [FrontierURL] = []
    /// What of it goes into the archive.
    var records: CrawlRecords?
    /// What is kept of it: status, type, size.
    var result: String?
    /// Where it redirects to, if that is a seed from now on.
    var newSeed: WebURL?
    /// Where it redirects to with a cookie, so that who redirected here for want of one answers otherwise now.
    var cookieReturn: FrontierURL?
    /// Whether it counts as a page.
    var isPage = false
    /// The status of a page that is an answer with an error; nil for others.
    var errorStatus: Int?
    var bytes = 0
    var likeness: Int64?
    var crawlDelay: Double?
    /// Why it failed, as far as that is known: it may be that the rules of its host could not be had.
    var failure: VisitFailure?
    /// Why nothing more can be kept: a full disk.
    var fault: StateError?

    init(_ outcome: URLOutcome?) { self.outcome = outcome }
}

/// Makes the requests of a crawl.
struct CrawlVisitor: Sendable {
    let plan: CrawlPlan
    let fetcher: SiteFetcher
    /// Nil if robots.txt is not asked for.
    let robots: RobotsCache?
    /// Nil if nothing is recorded.
    let recorder: CrawlRecorder?
    /// Gives the copy that is kept from before.
    let kept: (@Sendable (WebURL) async -> WebResponse?)?
    /// What redirects in a circle, so that it is not asked for again.
    let circular: Set<String>
    /// The URLs of which the copies from before hold.
    let unchanged: Set<String>
    /// Where files may be read; nil for anywhere.
    let folders: LocalFolders?
    let budget: PageBudget
    let hash: KeyHash
    /// How often a request that failed is made again.
    let retries: Int
    /// Gets each page that is done with, and returns when it may count as done; nil for nobody.
    let deliver: (@Sendable (CrawledPage) async -> Bool)?

    /// How often a process may have been ended with a URL in hand before that is left alone: its page may be why.
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
        // It may have become known for one of a trap's after it was found; a seed is always asked for.
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
                // A host that did not say may say so later: that is a failure, which can be tried again.
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
        // What redirected before is asked for anew: nothing of it can be unchanged.
        let compared = kept.flatMap { Self.redirect(of: $0, url) == nil ? $0 : nil }
        let jar = fetcher.loader.configuration.cookieJar
        let cookies = jar?.field(for: url)
        var answer = await fetcher.ask(url, .get, wish, ifChangedFrom: compared)
        var records = recorder?.take(url)
        // The same URL with another Cookie field is another request.
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

    /// What is recorded need not be in memory; what is not exchanged, but read from an archive, is recorded from there.
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
            // What broke off may be asked for again: the archive is to have each URL once. What a limit cut off is all there is.
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
        // A copy of the site is to know each redirect; who reads its archive upgrades by themselves.
        let isExchange = response.source != .strictTransportSecurity || plan.options.resources != nil
        if records == nil, let recorder, isExchange {
            // It comes from a file or another archive.
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

    /// What could not even be asked for.
    private func unreached(_ code: String, _ url: WebURL, _ step: CrawlStep) async -> CrawlFound {
        var found = CrawlFound(.failed(code))
        if let kept = await kept?(url) { await keep(kept, url, step, &found) }
        return found
    }

    /// Keeps the copy from before of what failed now.
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

    /// Where a copy from before redirects to; nil if it does not.
    static func redirect(of kept: WebResponse, _ url: WebURL) -> WebURL? {
        (try? PageLoader.redirect(WebRequest(url: url), kept))?.url.withoutFragment
    }

    private func follow(_ next: WebURL, _ url: WebURL, _ step: CrawlStep, _ found: inout CrawlFound) {
        found.children = plan.child(redirectedTo: next, step)
        // Who has moved to another's site does not bring in all of that.
        if step.role == .page, step.depth == 0, next.isSchemelesslySameSite(as: url) { found.newSeed = next }
    }

    /// Finds what a page, or a style sheet, refers to.
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
            // As it is served it is another page: whoever reads it is to know.
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
                    // Who says what is needed reads it in the source.
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
            // It is in the archive all the same.
            guard found.isPage else { return }
            let failure = LoadError(error, url: url)
            await hand(CrawledPage(url: url, depth: step.depth, result: .failure(failure)), &found)
        }
    }

    /// Hands a page over; where nobody takes it, it is as if it had not been asked for.
    private func hand(_ page: CrawledPage, _ found: inout CrawlFound) async {
        guard let deliver else { return }
        if await !deliver(page) { found.outcome = nil }
    }

    /// Why nothing more can be recorded; nil if it is an error of the page's own.
    private static func fault(_ error: LoadError) -> StateError? {
        guard error.cause is FetchError else { return nil }
        switch error.code {
        case "file.write", "archive.unavailable": return StateError(.unwritable, error.message)
        default: return nil
        }
    }
}
