import Synchronization
import WebDatabase
import WebStandards

/// Counts what shows only over many pages that a site makes them without end; the numbers are the job's.
final class TrapWatch: Sendable {
    private struct State {
        /// What is not loaded any more: the kind and its subject, as "folder example.com/a/".
        var closed: [String: CrawlTrap] = [:]
    }

    private let limits: CrawlLimits
    private let state = Mutex(State())

    /// How many forms, folders and hosts are closed at most: memory is bounded.
    private static let maximumClosed = 20_000
    /// How many look-alikes a page makes up for that is new.
    private static let weightOfNew = 10
    private static let closedNote = "trap.closed"

    init(_ limits: CrawlLimits) {
        self.limits = limits
    }

    // MARK: - For the visits

    /// The trap that a page is of; nil if it may be loaded.
    func trap(of url: WebURL) -> CrawlTrap? {
        guard state.withLock({ !$0.closed.isEmpty }) else { return nil }
        let keys =
            ["form \(URLForm.form(of: url))", "host \(url.hostAndPort)"]
            + URLForm.folders(of: url).map { "folder \($0)" }
        return state.withLock { state in
            for key in keys {
                if let trap = state.closed[key] { return trap }
            }
            return nil
        }
    }

    // MARK: - For the writer

    /// Reads what a job has closed already.
    func load(_ frontier: Frontier) throws(StateError) {
        guard let note = try frontier.note(Self.closedNote) else { return }
        state.withLock { state in
            for line in note.split(separator: "\n").prefix(Self.maximumClosed) {
                let parts = line.split(separator: " ", maxSplits: 1)
                guard parts.count == 2, let trap = CrawlTrap(rawValue: String(parts[0])) else { continue }
                state.closed[String(parts[1])] = trap
            }
        }
    }

    /// Counts a page that was loaded.
    ///
    /// - Parameters:
    ///   - url: Its URL.
    ///   - likeness: The number that pages have in common which look alike; nil for what is no page of HTML.
    ///   - frontier: The job.
    ///   - now: The moment.
    /// - Throws: ``StateError``.
    func count(_ url: WebURL, _ likeness: Int64?, in frontier: Frontier, now: Moment) throws(StateError) {
        let host = url.hostAndPort
        try count("host \(host)", .hostPages, limits.maximumPagesPerHost, frontier, now)
        for folder in URLForm.folders(of: url) {
            try count("folder \(folder)", .folderPages, limits.maximumPagesPerFolder, frontier, now)
        }
        guard let likeness else { return }
        let form = "form " + URLForm.form(of: url)
        try count(likeness, of: form, maximum: limits.maximumLookAlikes, frontier, now)
        // Words that are put together in ever new ways make ever new forms.
        guard let folder = URLForm.folders(of: url, 1).first else { return }
        try count(
            likeness,
            of: "folder \(folder)",
            maximum: limits.maximumLookAlikes *| Self.formsOfFolder,
            frontier,
            now
        )
    }

    /// How many times as many look-alikes a folder may have as a form.
    private static let formsOfFolder = 5

    /// Counts how often what looks like a page was seen already among those that have something in common.
    private func count(
        _ likeness: Int64,
        of key: String,
        maximum: Int,
        _ frontier: Frontier,
        _ now: Moment
    ) throws(StateError) {
        let note = "like " + Self.hexadecimal(frontier.hash.hash(key))
        let seen = "\(note) \(Self.hexadecimal(likeness))"
        let isNew = try frontier.note(seen) == nil
        if isNew { try frontier.setNote(seen, "", now: now) }
        let before = try frontier.note(note).flatMap { Int(inBounds: $0) } ?? 0
        let after = isNew ? max(0, before - Self.weightOfNew) : before +| 1
        guard after != before else { return }
        try frontier.setNote(note, String(after), now: now)
        if after >= max(1, maximum) { try close(key, .lookAlikes, frontier, now) }
    }

    private func count(
        _ key: String,
        _ trap: CrawlTrap,
        _ maximum: Int,
        _ frontier: Frontier,
        _ now: Moment
    ) throws(StateError) {
        let note = "count " + Self.hexadecimal(frontier.hash.hash(key))
        let number = (try frontier.note(note).flatMap { Int(inBounds: $0) } ?? 0) +| 1
        try frontier.setNote(note, String(number), now: now)
        if number >= max(1, maximum) { try close(key, trap, frontier, now) }
    }

    private func close(
        _ key: String,
        _ trap: CrawlTrap,
        _ frontier: Frontier,
        _ now: Moment
    ) throws(StateError) {
        let lines: String? = state.withLock { state in
            guard state.closed[key] == nil, state.closed.count < Self.maximumClosed else { return nil }
            state.closed[key] = trap
            return state.closed.map { "\($0.value.rawValue) \($0.key)" }.sorted().joined(separator: "\n")
        }
        if let lines { try frontier.setNote(Self.closedNote, lines, now: now) }
    }

    private static func hexadecimal(_ number: Int64) -> String { UInt64(bitPattern: number).hexadecimal() }
}
