import WebArchive
import WebLoader
import WebSite
import WebStandards

/// An index of the responses for a mirror: for each URL, where its body is, or where it redirects to.
struct MirrorIndex: Sendable {
    /// The response of a URL.
    struct Entry: Sendable {
        let url: WebURL
        /// The number, in the index, of the archive that has the response.
        var archive: Int
        /// The offset of the response's record.
        var offset: Int
        /// The offset of the record that has the body, if this one is a revisit.
        var original: Int?
        var status: Int
        /// The essence of the type that its server declares.
        var type: MediaType?
        /// The offset of the record that has the page as its scripts make it, if they were run.
        var scripted: Int?
        /// The digest of the body; `nil` if the archive does not have it.
        var digest: String?
        /// The target of the redirect, with its fragment.
        var redirect: WebURL?

        /// Whether the response has content to show.
        var isContent: Bool { redirect == nil && 200..<300 ~= status }
    }

    /// The archives, the newest last.
    private(set) var archives: [Archive] = []
    private(set) var entries: [Entry] = []
    private let canonical: CanonicalURL
    private var numbers: [String: Int] = [:]
    /// The offsets of the bodies in the newest archive, by their digests.
    private var originals: [String: Int] = [:]

    /// The maximum number of redirects that are followed from one link.
    private static let maximumRedirects = 20
    /// The maximum length of the URL of a redirect, in bytes: a longer one is not requested either.
    private static let maximumLocation = CrawlLimits().maximumURLLength

    init(_ canonical: CanonicalURL) { self.canonical = canonical }

    /// Whether any entry has content to show.
    var hasContent: Bool { entries.contains(where: \.isContent) }

    /// Returns the index with the contents of another archive, read on a thread that may block.
    ///
    /// - Parameter path: As for ``add(_:)``.
    /// - Returns: The contents of both.
    /// - Throws: ``/WebSite/StateError`` if it cannot be read.
    func adding(_ path: String) async throws(StateError) -> MirrorIndex {
        try await BlockingWork.threads.run { () throws(StateError) -> MirrorIndex in
            var index = self
            try index.add(path)
            return index
        }
    }

    /// Adds the contents of an archive, which replace the known entries of the same URLs.
    ///
    /// - Parameter path: The path of a WARC; a missing one adds nothing.
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

    /// Records the offset and the type of an earlier page as its scripts make it.
    private mutating func addScripted(_ record: ArchiveRecord) {
        guard let url = record.url.flatMap({ try? WebURL($0) }), let number = entry(of: url),
            entries[number].archive == archives.count - 1
        else { return }
        entries[number].scripted = record.offset
        entries[number].type = record.mimeType.flatMap { MediaType($0) }.flatMap { MediaType($0.essence) }
    }

    /// Returns the key of a URL, the same for URLs that are equivalent; credentials are ignored.
    func key(of url: WebURL) -> String { canonical.key(of: url.withoutCredentials) }

    /// Returns the entry of a URL itself, not of its redirect.
    func entry(of url: WebURL) -> Int? { numbers[key(of: url)] }

    /// The target of a reference, after all redirects.
    enum End {
        /// Content to show, by its entry, and the fragment there.
        case content(entry: Int, fragment: String?)
        /// A response that is neither content nor a redirect, by its entry.
        case nothing(entry: Int)
        /// A URL of which nothing is known.
        case unknown(WebURL)
        /// No target: the redirects are a circle, or too many.
        case nowhere
    }

    /// Returns the target of a reference, after the redirects that are known.
    func end(of url: WebURL) -> End {
        var url = url
        var fragment = url.fragment
        for _ in 0...Self.maximumRedirects {
            guard let number = entry(of: url) else { return .unknown(url) }
            guard let next = entries[number].redirect else {
                return entries[number].isContent
                    ? .content(entry: number, fragment: fragment) : .nothing(entry: number)
            }
            // The fragment is kept, unless the redirect has one: RFC 9110, section 10.2.2.
            if let new = next.fragment { fragment = new }
            url = next
        }
        return .nowhere
    }

    /// Returns the content that a reference refers to, after redirects.
    ///
    /// - Parameter url: The reference's URL.
    /// - Returns: The entry, which has content, and the fragment there; `nil` if no content is stored.
    func target(of url: WebURL) -> (entry: Int, fragment: String?)? {
        guard case .content(let entry, let fragment) = end(of: url) else { return nil }
        return (entry, fragment)
    }

    /// Returns the response of an entry, with the page as its scripts make it, if they were run.
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

    /// Returns the response of an entry, with its body.
    ///
    /// - Parameters:
    ///   - number: The entry.
    ///   - loader: The loader that reads archives, within its limits.
    ///   - maximumSize: The maximum size of the body in bytes; `nil` for the limit of the loader.
    /// - Returns: The response, with the entry's URL.
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
        // The record may spell the URL in another way.
        response.url = entry.url
        return response
    }
}
