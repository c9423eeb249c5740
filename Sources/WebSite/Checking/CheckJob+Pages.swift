import WebDatabase
import WebStandards

extension CheckJob {
    /// Adds the links of a page that was read, unless it was added before or the limit of pages is reached.
    ///
    /// - Parameters:
    ///   - reading: The page.
    ///   - lease: The URL that was requested for the page.
    ///   - answer: The result of that request.
    ///   - now: The current time.
    /// - Throws: ``StateError``.
    func enter(
        _ reading: PageReading,
        _ lease: Lease,
        _ answer: TargetAnswer,
        _ now: Moment
    ) throws(StateError) {
        guard lease.isSeed || hosts.contains(reading.url) else { return }
        let page = "\(reading.url)"
        guard let id = try enter(page: page) else { return }
        // In batches: neighbours are looked up together, but never all links of a page that has a million.
        var rest = reading.mentions.indices
        while !rest.isEmpty {
            try place(rest.prefix(Self.pieceSize), of: reading, page, id, lease, answer, now)
            rest = rest.dropFirst(Self.pieceSize)
        }
    }

    private static let pieceSize = 4096

    private func place(
        _ indices: Range<Int>,
        of reading: PageReading,
        _ page: String,
        _ id: Int64,
        _ lease: Lease,
        _ answer: TargetAnswer,
        _ now: Moment
    ) throws(StateError) {
        let isFile = reading.url.scheme == "file"
        var asked: [(index: Int, url: WebURL)] = []
        var urls: [FrontierURL] = []
        for index in indices {
            let mention = reading.mentions[index]
            guard let url = mention.url else {
                try say(mention, on: page, .broken, "url.invalid", nil)
                continue
            }
            let refusal =
                CheckScope.refusal(mention.kind, rel: mention.rel)
                ?? scope.refusal(url, isOwn: hosts.contains(url), fromFile: isFile)
            if let refusal {
                try say(mention, on: page, .skipped, refusal, url)
                continue
            }
            // A style sheet is a part of the page.
            let depth = mention.kind == .stylesheet ? lease.depth : lease.depth + 1
            asked.append((index, url))
            urls.append(FrontierURL(url, depth: depth))
        }
        let places = try frontier.insert(urls, parent: lease.id, now: now)
        for (position, place) in places.enumerated() {
            let (index, url) = asked[position]
            let mention = reading.mentions[index]
            let kept = MentionTable.Mention(
                page: id,
                line: mention.line,
                column: mention.column,
                kind: mention.kind.rawValue,
                fragment: url.fragment
            )
            try judge(kept, on: page, urls[position], place, index, lease, answer, now)
        }
    }

    /// Judges a link at once if its target is known, and stores it otherwise.
    private func judge(
        _ mention: MentionTable.Mention,
        on page: String,
        _ url: FrontierURL,
        _ place: Frontier.Placement,
        _ index: Int,
        _ lease: Lease,
        _ answer: TargetAnswer,
        _ now: Moment
    ) throws(StateError) {
        let need = scope.need(of: mention.fragment)
        if place.isNew {
            if let known = try recall(url, place, need) {
                return try judge(mention, on: page, target: url.url, known)
            }
            return try wait(mention, at: place, index: index)
        }
        var known: TargetAnswer?
        if place.row == lease.id {
            known = answer
        } else if let knowledge = try frontier.knowledge(of: place.row), knowledge.state != .queued {
            known = TargetAnswer(encoded: knowledge.result)
        }
        if let known, known.satisfies(need) || place.row == lease.id {
            return try judge(mention, on: page, target: url.url, known)
        }
        try wait(mention, at: place, index: index)
        guard known != nil else { return }
        // The stored result lacks what this link needs; one more request finds it.
        var progress = CheckProgress()
        progress.isGet = true
        progress.need = need
        try frontier.queueAgain(place.row, progress: progress.encoded, now: now)
    }

    private func say(
        _ mention: PageReading.Mention,
        on page: String,
        _ result: CheckedLink.Result,
        _ code: String,
        _ url: WebURL?
    ) throws(StateError) {
        try say(
            CheckedLink(
                page: page,
                line: mention.line,
                column: mention.column,
                url: url.map { "\($0)" } ?? mention.reference,
                kind: mention.kind.rawValue,
                result: result,
                code: code,
                status: nil,
                fragment: nil,
                redirects: [],
                origin: nil
            )
        )
    }
}
