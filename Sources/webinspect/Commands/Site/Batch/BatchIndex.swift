import WebArchive
import WebLoader
import WebSite

/// Adds the lines of an input to a job, a few at a time, so that the first pages are loaded while a long list
/// is still being read.
///
/// The job stores its position, with the lines that were added to it.
final class BatchIndex {
    private let input: BatchInput
    private let options: LoadingOptions
    private let shard: InputShard?
    private var splitter = LineSplitter()
    /// How far the input was read; nil if it was to its end.
    private var position: Int?

    /// How many lines are put into the job before something else may happen.
    private static let chunkSize = 2000
    private static let note = "batch.next"

    init(
        _ input: BatchInput,
        _ options: LoadingOptions,
        _ shard: InputShard?,
        _ frontier: Frontier
    ) throws(StateError) {
        self.input = input
        self.options = options
        self.shard = shard
        let text = try frontier.note(Self.note) ?? "0:0"
        let parts = text.split(separator: ":").map { Int(inBounds: $0) ?? 0 }
        guard parts.count == 2, parts[0] >= 0 else { return }
        position = parts[0]
        splitter.begin(at: parts[0], after: max(0, parts[1]))
    }

    /// Puts the next lines into the job, if there are more.
    func addSome(to frontier: Frontier) throws(StateError) {
        guard var position else { return }
        var rows: [FrontierURL] = []
        var last: LineSplitter.Numbered?
        while rows.count < Self.chunkSize {
            let bytes = try read(position)
            position += bytes.count
            let lines = bytes.isEmpty ? splitter.end().map { [$0] } ?? [] : splitter.add(bytes)
            for line in lines { if let row = row(line) { rows.append(row) } }
            last = lines.last ?? last
            guard !bytes.isEmpty else {
                self.position = nil
                return try note("end", rows, frontier)
            }
        }
        self.position = position
        guard let last else { return }
        // Where the next line begins, which may be before what was read.
        try note("\(last.offset + last.length + 1):\(last.number)", rows, frontier)
    }

    private func read(_ position: Int) throws(StateError) -> [UInt8] {
        do throws(ArchiveError) {
            return try input.piece(at: position)
        } catch {
            throw StateError(.unreadable, error.message)
        }
    }

    private func note(_ text: String, _ rows: [FrontierURL], _ frontier: Frontier) throws(StateError) {
        let now = Moment.now
        // A process that is ended in between puts the same lines in again, which changes nothing.
        try frontier.add(rows, now: now)
        try frontier.setNote(Self.note, text, now: now)
    }

    /// The row of a line; nil for one that is empty or of another shard.
    private func row(_ line: LineSplitter.Numbered) -> FrontierURL? {
        guard let asked = line.input else { return nil }
        if let shard, !shard.contains(asked.id) { return nil }
        let identity = LinePlace(line).identity
        guard let url = asked.request(options) else {
            return FrontierURL(serialized: PageInput.localURL, host: "", identity: identity)
        }
        return FrontierURL(url, identity: identity)
    }
}

extension PageInput {
    /// The placeholder for the URL of a line that needs no request to a server.
    static let localURL = "line:"

    /// The URL to request from a server; `nil` for content that is available locally: HTML, records, files,
    /// mistakes.
    func request(_ options: LoadingOptions) -> WebURL? {
        guard options.archives.isEmpty, case .success(.source(let name)) = content,
            let url = try? InputLoader.url(name, options), url.scheme == "http" || url.scheme == "https"
        else { return nil }
        return url
    }
}
