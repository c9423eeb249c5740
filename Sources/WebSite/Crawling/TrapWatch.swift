import Synchronization
import WebDatabase
import WebStandards

/// Detects traps that only show over many pages; the counts are stored with the job.
final class TrapWatch: Sendable {
    private struct State {
        /// The traps whose pages are no longer loaded, by kind and subject, such as "folder example.com/a/".
        var closed: [String: CrawlTrap] = [:]
    }

    private let limits: CrawlLimits
    private let state = Mutex(State())

    /// The maximum number of forms, folders and hosts that are closed, so that memory is bounded.
    private static let maximumClosed = 20_000
    /// The number of look-alikes that a new page offsets.
    private static let weightOfNew = 10
    private static let closedNote = "trap.closed"

    init(_ limits: CrawlLimits) {
        self.limits = limits
    }

    // MARK: - For the visits

    /// Returns the trap that a page belongs to; `nil` if it may be loaded.
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

    /// Loads the traps that a job has already closed.
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
    ///   - url: The URL of the page.
    ///   - likeness: The number that look-alikes have in common; `nil` for anything but an HTML page.
    ///   - frontier: The job.
    ///   - now: The current time.
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
        // Random combinations of words create ever new forms.
        guard let folder = URLForm.folders(of: url, 1).first else { return }
        try count(
            likeness,
            of: "folder \(folder)",
            maximum: limits.maximumLookAlikes *| Self.formsOfFolder,
            frontier,
            now
        )
    }

    /// The factor by which a folder may have more look-alikes than a form.
    private static let formsOfFolder = 5

    /// Counts the look-alikes among the pages with a key.
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
