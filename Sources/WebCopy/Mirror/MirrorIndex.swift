import WebArchive
import WebLoader
import WebSite
import WebStandards

/// What was loaded for a mirror: of each URL where its body is, or where it leads.
struct MirrorIndex: Sendable {
    /// What is known of a URL.
    struct Entry: Sendable {
        let url: WebURL
        /// The archive that has it, by its number in the index.
        var archive: Int
        /// Where its record begins.
        var offset: Int
        /// Where that begins which has its body, if it is a revisit.
        var original: Int?
        var status: Int
        /// The essence of its type, as its server says.
        var type: MediaType?
        /// Where that begins which has the page as its scripts make it, if they were run.
        var scripted: Int?
        /// The digest of its body; nil if the archive does not say.
        var digest: String?
        /// Where it redirects to, with its fragment.
        var redirect: WebURL?

        /// Whether there is something to be shown.
        var isContent: Bool { redirect == nil && 200..<300 ~= status }
    }

    /// The archives, the newest last.
    private(set) var archives: [Archive] = []
    private(set) var entries: [Entry] = []
    private let canonical: CanonicalURL
    private var numbers: [String: Int] = [:]
    /// Where the bodies of the newest archive are, by their digests.
    private var originals: [String: Int] = [:]

    /// Redirects that are followed from one link.
    private static let maximumRedirects = 20
    /// Bytes of a URL that is redirected to: with more it is not asked for either.
    private static let maximumLocation = CrawlLimits().maximumURLLength

    init(_ canonical: CanonicalURL) { self.canonical = canonical }

    /// Whether there is anything to be shown.
    var hasContent: Bool { entries.contains(where: \.isContent) }

    /// This with what an archive has besides, read on a thread that may wait.
    ///
    /// - Parameter path: As for ``add(_:)``.
    /// - Returns: Both.
    /// - Throws: ``/WebSite/StateError`` if it cannot be read.
    func adding(_ path: String) async throws(StateError) -> MirrorIndex {
        try await BlockingWork.threads.run { () throws(StateError) -> MirrorIndex in
            var index = self
            try index.add(path)
            return index
        }
    }

    /// Reads what an archive has; what was known before of the same URLs gives way.
    ///
    /// - Parameter path: A WARC; one that is not there has nothing.
    /// - Throws: ``/WebSite/StateError`` if it cannot be read.
    mutating func add(_ path: String) throws(StateError) {
        guard FileStatus(path, followsLinks: false).map({ $0.size > 0 }) == true else { return }
        do throws(ArchiveError) {
            let archive = try Archive(path)
            let reader = try archive.contents.records()
            archives.append(archive)
            originals = [:]
            while let record = try reader.next() {
                guard !record.isRecovered else { continue }
                if record.kind == .conversion { addScripted(record) }
                guard ArchiveCollection.isCapture(record), record.truncated == nil else { continue }
                add(record)
            }
        } catch {
            throw StateError(.unreadable, "\(path): \(error.message)")
        }
    }

    private mutating func add(_ record: ArchiveRecord) {
        guard let url = record.url.flatMap({ try? WebURL($0) }), let offset = record.offset else { return }
        let status = record.http?.status ?? record.status ?? 200
        var redirect: WebURL?
        if [301, 302, 303, 307, 308].contains(status), let location = record.http?.urlText(of: "location"),
            let next = try? WebURL(location, base: url), next.href.utf8.count <= Self.maximumLocation
        {
            redirect = next.withoutCredentials
        }
        let isRevisit = record.kind == .revisit
        let original = isRevisit ? record.payloadDigest.flatMap { originals[$0] } : nil
        if !isRevisit, let digest = record.payloadDigest { originals[digest] = offset }
        let entry = Entry(
            url: url.withoutCredentials,
            archive: archives.count - 1,
            offset: offset,
            original: original,
            status: status,
            type: record.http?["content-type"].flatMap { MediaType($0) }.flatMap { MediaType($0.essence) },
            digest: record.payloadDigest,
            redirect: redirect
        )
        let key = key(of: url)
        if let known = numbers[key] {
            entries[known] = entry
        } else {
            numbers[key] = entries.count
            entries.append(entry)
        }
    }

    /// Notes what scripts make of a page that has come before.
    private mutating func addScripted(_ record: ArchiveRecord) {
        guard let url = record.url.flatMap({ try? WebURL($0) }), let number = entry(of: url),
            entries[number].archive == archives.count - 1
        else { return }
        entries[number].scripted = record.offset
        entries[number].type = record.mimeType.flatMap { MediaType($0) }.flatMap { MediaType($0.essence) }
    }

    /// What makes two URLs the same; passwords do not count.
    func key(of url: WebURL) -> String { canonical.key(of: url.withoutCredentials) }

    /// The entry of a URL itself.
    func entry(of url: WebURL) -> Int? { numbers[key(of: url)] }

    /// Where a reference leads in the end.
    enum End {
        /// To something to be shown, by its entry, and the fragment there.
        case content(entry: Int, fragment: String?)
        /// To an answer that is neither content nor leads on, by its entry.
        case nothing(entry: Int)
        /// To a URL of which nothing is known.
        case unknown(WebURL)
        /// Nowhere: the redirects are a circle, or too many.
        case nowhere
    }

    /// Where a reference leads in the end, by the redirects that are known.
    func end(of url: WebURL) -> End {
        var url = url
        var fragment = url.fragment
        for _ in 0...Self.maximumRedirects {
            guard let number = entry(of: url) else { return .unknown(url) }
            guard let next = entries[number].redirect else {
                return entries[number].isContent
                    ? .content(entry: number, fragment: fragment) : .nothing(entry: number)
            }
            // The fragment goes along, unless there is a new one: RFC 9110, section 10.2.2.
            if let new = next.fragment { fragment = new }
            url = next
        }
        return .nowhere
    }

    /// What a reference leads to in the end.
    ///
    /// - Parameter url: The reference's URL.
    /// - Returns: The entry, which has content, and the fragment there; nil if nothing is kept of it.
    func target(of url: WebURL) -> (entry: Int, fragment: String?)? {
        guard case .content(let entry, let fragment) = end(of: url) else { return nil }
        return (entry, fragment)
    }

    /// The response of an entry, with the page as its scripts make it, if they were run.
    ///
    /// - Parameters: As for ``response(_:_:maximumSize:)``.
    /// - Returns: As there.
    /// - Throws: As there.
    func shown(_ number: Int, _ loader: PageLoader) async throws(LoadError) -> WebResponse {
        var response = try await response(number, loader)
        guard let offset = entries[number].scripted else { return response }
        let scripted = try await loader.response(
            in: archives[entries[number].archive],
            at: ArchiveLocation(offset: offset)
        ).response
        response.body = scripted.body
        response.headerFields[.contentType] = scripted.headerFields[.contentType]
        return response
    }

    /// The response of an entry, with its body.
    ///
    /// - Parameters:
    ///   - number: The entry.
    ///   - loader: What reads archives, within its limits.
    ///   - maximumSize: Bytes that its body may have; nil for what the loader allows.
    /// - Returns: The response, its URL being the entry's.
    /// - Throws: ``/WebLoader/LoadError`` if the archive does not have it.
    func response(
        _ number: Int,
        _ loader: PageLoader,
        maximumSize: Int? = nil
    ) async throws(LoadError) -> WebResponse {
        let entry = entries[number]
        var response = try await loader.response(
            in: archives[entry.archive],
            at: ArchiveLocation(offset: entry.offset),
            original: entry.original.map { ArchiveLocation(offset: $0) },
            maximumSize: maximumSize
        ).response
        // As the record has it, it may be written in another way.
        response.url = entry.url
        return response
    }
}
