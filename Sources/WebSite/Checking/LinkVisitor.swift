import WebDocument
import WebLoader
import WebStandards

/// The result of the one request that a lease is for.
struct CheckVisit: Sendable {
    enum Outcome: Sendable {
        /// The final answer for the target, with its links and names if it was read.
        case answer(TargetAnswer, PageReading?)
        /// Another request is needed.
        case onward(CheckProgress, to: WebURL)
        /// The same request has to be repeated; with the reason as a stable code.
        case again(String)
    }

    var outcome: Outcome
    var signal = HostSignal.unasked
    /// The crawl delay that the host asks for, in seconds; `nil` if it has none, or its rules were not requested.
    var crawlDelay: Double?
}

/// Makes the requests of a check: HEAD where that is enough, GET where a page is read or HEAD failed.
struct LinkVisitor: Sendable {
    let fetcher: SiteFetcher
    /// The rules of hosts; `nil` if they are not obeyed.
    let robots: RobotsCache?
    let scope: CheckScope
    let hosts: OwnHosts
    let retries: Int
    let settings: PageContent.Settings
    /// Whether all responses come from archives, so that no server needs to be spared.
    let isArchived: Bool
    /// The longest times of Retry-After that are waited for, for public and for local hosts.
    let longestWait: (open: Double, local: Double)

    /// Makes the request of a lease.
    func visit(_ lease: Lease) async -> CheckVisit {
        let progress = CheckProgress(encoded: lease.progress)
        guard let url = try? WebURL(progress.url ?? lease.url) else {
            return ended(progress, failure: "url.invalid")
        }
        if lease.isHostDead { return ended(progress, failure: hosts.failure(of: lease.host)) }
        // The page that a seed redirects to is read, whatever its host.
        let isOwn = lease.isSeed || hosts.contains(url)
        var delay: Double?
        if isOwn, let robots {
            let verdict = await robots.verdict(on: url)
            delay = verdict.crawlDelay
            if !verdict.isAllowed {
                var visit = ended(progress, skipped: "robots.disallowed")
                visit.crawlDelay = delay
                return visit
            }
        }
        let reads = isOwn && scope.reaches(depth: lease.depth)
        var visit =
            url.scheme == "file"
            ? await visitFile(url, progress, reads)
            : await visit(url, lease, progress, isOwn, reads)
        visit.crawlDelay = delay
        return visit
    }

    // MARK: - HTTP

    private func visit(
        _ url: WebURL,
        _ lease: Lease,
        _ progress: CheckProgress,
        _ isOwn: Bool,
        _ reads: Bool
    ) async -> CheckVisit {
        let isGet =
            isArchived || progress.isGet || progress.need > .existence || reads && mayBeRead(url, lease.depth)
        let answer = await fetcher.ask(url, isGet ? .get : .head, isGet ? .readable : .none)
        var visit = await judge(answer, lease, progress, isGet: isGet, isOwn: isOwn, reads: reads)
        visit.signal = answer.signal
        if answer.signal == .unreachable, let code = answer.error?.code.rawValue {
            hosts.note(failure: code, of: lease.host)
        }
        return visit
    }

    private func judge(
        _ answer: SiteAnswer,
        _ lease: Lease,
        _ progress: CheckProgress,
        isGet: Bool,
        isOwn: Bool,
        reads: Bool
    ) async -> CheckVisit {
        if let next = answer.redirect { return redirected(answer, lease, progress, to: next) }
        var known = TargetAnswer()
        known.redirects = progress.redirects
        known.redirectFragment = progress.fragment
        known.status = answer.status
        known.origin = answer.response.flatMap { Self.origin($0.source) } ?? .network
        var byGet = progress
        byGet.isGet = true
        if let error = answer.error {
            let code = error.code.rawValue
            if code == "archive.miss", !isOwn { return ended(progress, skipped: code) }
            if !isGet, LinkVerdict.mayBeOfMethod(code) {
                return CheckVisit(outcome: .onward(byGet, to: answer.url))
            }
            if answer.isWorthRetrying, lease.tries < retries { return CheckVisit(outcome: .again(code)) }
            known.failure = code
            return CheckVisit(outcome: .answer(known, nil))
        }
        let isTemporary = answer.response?.isTemporaryFailure ?? false
        if isTemporary, let wait = answer.retryAfter {
            let longest = Frontier.isLocal(lease.host) ? longestWait.local : longestWait.open
            known.isPutOff = wait > longest
        }
        if let status = known.status, !LinkVerdict.isSuccess(status) {
            // A failed HEAD says nothing if the server does not support HEAD.
            if !isGet, status >= 400, !known.isPutOff {
                return CheckVisit(outcome: .onward(byGet, to: answer.url))
            }
            if isTemporary, !known.isPutOff, lease.tries < retries {
                return CheckVisit(outcome: .again("http.\(status)"))
            }
            return CheckVisit(outcome: .answer(known, nil))
        }
        guard let response = answer.response else { return CheckVisit(outcome: .answer(known, nil)) }
        guard isGet else {
            let type = response.contentType
            if reads, let type, isReadable(type, lease.depth) {
                return CheckVisit(outcome: .onward(byGet, to: answer.url))
            }
            if let type, !type.isHTML, type.essence != "application/xhtml+xml" { known.content = .other }
            return CheckVisit(outcome: .answer(known, nil))
        }
        return await answered(known, response, progress, reads)
    }

    private func redirected(
        _ answer: SiteAnswer,
        _ lease: Lease,
        _ progress: CheckProgress,
        to next: WebURL
    ) -> CheckVisit {
        var onward = progress
        onward.redirects.append(LinkRedirect(url: "\(answer.url)", status: answer.status ?? 302))
        onward.url = next.href
        onward.fragment = answer.redirectFragment ?? progress.fragment
        onward.isGet = false
        if progress.isLoop(to: "\(next)") { return ended(onward, failure: "redirect.loop") }
        if onward.redirects.count > CheckProgress.maximumRedirects {
            return ended(onward, failure: "limit.redirects")
        }
        if let code = scope.refusal(next, isOwn: lease.isSeed || hosts.contains(next), fromFile: false) {
            return ended(onward, skipped: code)
        }
        return CheckVisit(outcome: .onward(onward, to: next))
    }

    // MARK: - Files

    private func visitFile(_ url: WebURL, _ progress: CheckProgress, _ reads: Bool) async -> CheckVisit {
        var known = TargetAnswer()
        known.origin = .file
        guard let path = url.filePath else { return ended(progress, failure: "file.path") }
        let file = await fetcher.loader.configuration.blockingWork.run { LocalFile(path) }
        if let failure = file.failure {
            known.failure = failure
            return CheckVisit(outcome: .answer(known, nil))
        }
        guard reads && mayBeRead(file.url, 0) || progress.need > .existence else {
            return CheckVisit(outcome: .answer(known, nil))
        }
        let answer = await fetcher.ask(file.url, .get, .readable)
        guard let response = answer.response, answer.error == nil else {
            known.failure = answer.error?.code.rawValue ?? "file.unreadable"
            return CheckVisit(outcome: .answer(known, nil))
        }
        return await answered(known, response, progress, reads)
    }

    // MARK: - Reading

    /// Returns the visit of a target whose response is read for links, names and text as far as needed.
    private func answered(
        _ known: TargetAnswer,
        _ response: WebResponse,
        _ progress: CheckProgress,
        _ reads: Bool
    ) async -> CheckVisit {
        var known = known
        let wish = PageReading.Wish(
            wantsLinks: reads,
            need: progress.need,
            checksFragments: scope.checksFragments
        )
        let reading = await read(response, wish)
        known.content = reading.content
        return CheckVisit(outcome: .answer(known, reads ? reading : nil))
    }

    private func read(_ response: WebResponse, _ wish: PageReading.Wish) async -> PageReading {
        let site = scope.root(of: response.url).map(FolderSite.init(root:))
        // A page whose scripts cannot be run is read as it was served.
        let response = (try? await fetcher.scripted(response)) ?? response
        return await fetcher.loader.configuration.blockingWork.run { [settings] in
            PageReading(response, settings, wish, site: site)
        }
    }

    /// Whether a URL may be that of a page or a style sheet, by its file extension.
    private func mayBeRead(_ url: WebURL, _ depth: Int) -> Bool {
        if let type = MediaType.forFile(named: url.path) { return isReadable(type, depth) }
        guard let dot = url.path.utf8.lastIndex(of: UInt8(ascii: ".")) else { return true }
        return !Self.largeFiles.contains(url.path[dot...].dropFirst().lowercased())
    }

    /// Extensions of large files that are not pages, which are requested with HEAD first.
    private static let largeFiles: Set<String> = [
        "7z", "aac", "apk", "avi", "bin", "bz2", "deb", "dmg", "doc", "docx", "epub", "exe", "flac", "gz",
        "iso", "jar", "m4a", "m4v", "mkv", "mov", "mp3", "mp4", "mpeg", "mpg", "msi", "oga", "ogg", "ogv",
        "opus", "otf", "pkg", "ppt", "pptx", "ps", "rar", "rpm", "tar", "tgz", "tif", "tiff", "ttf", "vtt",
        "wasm", "wav", "webm", "woff", "woff2", "xls", "xlsx", "xz", "zip", "zst",
    ]

    private func isReadable(_ type: MediaType, _ depth: Int) -> Bool {
        if type.essence == "text/css" { return scope.isRecursive }
        return type.isHTML || type.essence == "application/xhtml+xml" || depth == 0 && type.isXML
    }

    private func ended(
        _ progress: CheckProgress,
        failure: String? = nil,
        skipped: String? = nil
    ) -> CheckVisit {
        var known = TargetAnswer()
        known.redirects = progress.redirects
        known.status = progress.redirects.last?.status
        known.failure = failure
        known.skipped = skipped
        return CheckVisit(outcome: .answer(known, nil))
    }

    private static func origin(_ source: WebResponse.Source) -> CheckedLink.Origin? {
        switch source {
        case .network, .strictTransportSecurity: .network
        case .cache, .validatedCache: .cache
        case .file: .file
        case .archive: .archive
        case .memory, .rendered: nil
        }
    }
}
