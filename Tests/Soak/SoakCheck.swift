import HTTPTypes
import WebLoader

/// The checks that the soak's answers have to pass.
struct SoakCheck {
    let load: SoakLoad
    let tally: SoakTally
    /// The newest version of the page that a server had answered with when the load began.
    let floor: Int

    /// The codes that the server, the soak's limits and its cancellations bring about.
    private static let expected = [
        "load.cancelled", "network.lost", "network.timeout", "network.protocol", "network.decoding",
        "network.redirect", "network.too-many-redirects", "limit.size", "limit.headers", "limit.fields",
        "limit.interim", "cache.miss",
    ]

    /// Counts a load that failed, and looks whether it may have failed so.
    func failed(_ error: LoadError) {
        tally.update { $0.failures[error.code.rawValue, default: 0] += 1 }
        if !Self.expected.contains(error.code.rawValue) { violation("fails: \(error)") }
        if error.isCancellation, load.cancellation == nil { violation("says that it was cancelled") }
        if error.code == "network.timeout", !load.isHurried { violation("times out: \(error)") }
        if error.code == "cache.miss", load.request.cachePolicy != .returnCacheDataDontLoad {
            violation("misses, where it may load: \(error)")
        }
    }

    /// Counts a response, and looks whether it is what was asked for; the page that it is, where it is one.
    @discardableResult
    func loaded(_ response: WebResponse) -> SoakPage? {
        let status = response.status?.code ?? 0
        let verdict = response.cacheVerdict
        tally.update { counts in
            counts.loaded += 1
            counts.statuses[String(status), default: 0] += 1
            counts.sources[response.source.rawValue, default: 0] += 1
            if let verdict {
                counts.reasons["\(verdict.outcome.rawValue) \(verdict.reason)", default: 0] += 1
            }
        }
        if let failure = verdict?.failure { violation("is not written: \(failure)") }
        if let damage = verdict?.damage { violation("finds damage: \(damage)") }
        checkSource(response)
        switch status {
        case 200 where response.isMarked:
            // Half a page, which the server says is one, and which was not to be kept but for offline use.
            if response.source != .network, !load.request.cachePolicy.takesAnyAge {
                violation("is half a page from the cache")
            }
            return nil
        case 200 where load.request.httpMethod == "HEAD" && response.body.isEmpty: return nil
        case 200: return whole(response)
        case 206: checkPart(response)
        case 204, 304, 429, 500, 502, 503: break
        default: violation("has status \(status)")
        }
        return nil
    }

    func violation(_ text: String) {
        let request = load.request
        tally.violation(
            "\(load.number), \(request.httpMethod) /p/\(load.page), \(request.cachePolicy.name): \(text)"
        )
    }

    // MARK: - Where it comes from

    private func checkSource(_ response: WebResponse) {
        let isFromCache = response.source == .cache || response.source == .validatedCache
        switch load.request.cachePolicy {
        case .reloadIgnoringLocalCacheData, .reloadIgnoringLocalAndRemoteCacheData:
            if isFromCache { violation("is not reloaded") }
        case .returnCacheDataDontLoad:
            if response.source != .cache { violation("comes from \(response.source.rawValue)") }
        case .reloadRevalidatingCacheData:
            let reason = response.cacheVerdict?.reason ?? ""
            if response.source == .cache, !["disconnected", "stale-if-error", "immutable"].contains(reason) {
                violation("is not validated: \(reason)")
            }
        case .useProtocolCachePolicy:
            // An error may be fresh too, by fields of its own.
            if response.source == .cache, response.status == 200 { checkUse(response) }
        case .returnCacheDataElseLoad: break
        }
    }

    /// Whether what is stored may answer without a word to the server.
    private func checkUse(_ response: WebResponse) {
        guard let number = number(response), let verdict = response.cacheVerdict else {
            return violation("comes from the cache, who knows what")
        }
        let isStale = verdict.age.map { age in verdict.freshnessLifetime.map { age >= $0 } ?? true } ?? true
        let mayBeStale = ["disconnected", "stale-if-error", "stale-while-revalidate", "request-allows-stale"]
        if isStale, !mayBeStale.contains(verdict.reason) { violation("is stale: \(verdict)") }
        switch SoakCaching(number) {
        case .noStore: violation("was not to be stored")
        case .byDate: violation("was to be validated: \(verdict.reason)")
        case .hour where isStale: violation("is stale and must not be")
        case .whileRevalidate where verdict.reason == "fresh": violation("is fresh for ever")
        default: break
        }
    }

    /// The page that answered, after redirects.
    private func number(_ response: WebResponse) -> Int? {
        response.url.pathname.split(separator: "/").last.flatMap { Int($0) }
    }

    // MARK: - Input

    private func whole(_ response: WebResponse) -> SoakPage? {
        guard let page = SoakPage(response.body) else {
            violation("is no whole page: \(response.body.count) bytes from \(response.source.rawValue)")
            return nil
        }
        guard page.number == number(response) else {
            violation("is page \(page.number)")
            return nil
        }
        if SoakCaching(page.number) == .varying, page.flavour != load.flavour {
            violation("is for \(page.flavour), not for \(load.flavour)")
        }
        let isNew = response.source == .network || response.source == .validatedCache
        // Who waited for somebody else's has what was the newest then.
        if isNew, response.cacheVerdict?.outcome != .shared {
            if page.number == load.page, page.version < floor {
                violation("is version \(page.version) from \(response.source.rawValue), after \(floor)")
            }
            tally.update { $0.versions[page.number] = max($0.versions[page.number], page.version) }
        }
        tally.update { $0.verified += 1 }
        return page
    }

    private func checkPart(_ response: WebResponse) {
        guard let part = load.part, let number = number(response), let tag = response.headerFields[.eTag],
            let version = tag.dropLast().split(separator: "-").last.flatMap({ Int($0) }),
            let range = response.headerFields[.contentRange]?.dropFirst(6).split(separator: "/").first?.split(
                separator: "-"
            ), range.count == 2, let first = Int(range[0]), let last = Int(range[1])
        else { return violation("is a part of what: \(response.headerFields)") }
        let page = SoakPage(number: number, version: version, flavour: "-").bytes
        guard first == part.lowerBound, last == min(part.upperBound, page.count - 1) else {
            return violation("is the part \(first)-\(last), not \(part)")
        }
        guard response.body.elementsEqual(page[first...last]) else {
            return violation("is another part than it says: \(response.source.rawValue)")
        }
        tally.update { $0.verified += 1 }
    }

    // MARK: - Results

    /// Looks at a page that was found to be whole.
    func inspected(_ page: ParsedPage, _ content: SoakPage) throws {
        guard content.form == .html || content.form == .xhtml else { return }
        if page.title != content.title { violation("has the title \(page.title ?? "-")") }
        if page.links.isEmpty { violation("has no links") }
        if page.inventory.counts.elements == 0 { violation("counts no elements") }
        if page.metadata.title == nil { violation("has no metadata") }
        if page.wholeText?.text.isEmpty ?? true { violation("has no text") }
        tally.update { $0.inspected += 1 }
    }

    /// Looks at what a recipe made of a page.
    func extracted(_ recipe: SoakRecipe, _ extraction: Extraction, _ content: SoakPage?) {
        let ending = extraction.exceeded?.code.rawValue ?? extraction.failure?.code.rawValue ?? "done"
        tally.update { $0.extractions["\(recipe.rawValue) \(ending)", default: 0] += 1 }
        if let failure = extraction.failure {
            switch failure.code {
            case .cancelled where load.cancellation != nil: return
            // Content without a tree.
            case .failed where content?.form != .html && content?.form != .xhtml: return
            default: return violation("\(recipe.rawValue) fails: \(failure)")
            }
        }
        guard let content, content.form == .html || content.form == .xhtml else { return }
        if let exceeded = extraction.exceeded {
            if !recipe.limits.contains(exceeded.code) {
                violation("\(recipe.rawValue) ends early: \(exceeded)")
            }
        } else if !recipe.limits.isEmpty {
            violation("\(recipe.rawValue) ends: \(extraction.errors)")
        }
        // The first field may be under way when the time is over.
        if extraction.data["title"] != .string(content.title), extraction.exceeded?.code != .time {
            violation("\(recipe.rawValue) finds \(extraction.data)")
        }
    }
}

extension WebResponse {
    /// Whether the server says that this is half a page.
    var isMarked: Bool { HTTPField.Name("X-Fault").flatMap { headerFields[$0] } != nil }
}

extension CachePolicy {
    /// Whether it takes what is stored whatever its age, what is kept for offline use among it.
    fileprivate var takesAnyAge: Bool { self == .returnCacheDataElseLoad || self == .returnCacheDataDontLoad }
}
