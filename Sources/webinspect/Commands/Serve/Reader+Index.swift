import HTTPTypes
import WebLoader

extension Reader {
    /// Returns the entries of a folder that are new or changed since the server last listed them, and those
    /// that are gone.
    ///
    /// Unchanged files are not opened.
    func index(_ request: ReaderRequest) async throws(Failure) -> ReaderAnswer {
        let folder = try request.string("folder")
        guard CacheBrowser.isFolder(folder) else {
            throw Failure(input: "\"folder\" is none of the 256 of a cache", code: "input.form")
        }
        var known: [String: String] = [:]
        if case .object(let members)? = request.members["known"] {
            known.reserveCapacity(members.count)
            for member in members { known[member.name] = member.value.string ?? "" }
        }
        let files: [CacheBrowser.FolderFile]
        do throws(CacheBrowser.Failure) {
            files = try browser.files(in: folder)
        } catch {
            throw Failure(error)
        }
        var rows: [JSONValue] = []
        for file in files {
            // An entry that has become a note is gone.
            if known[file.stem] == file.stamp {
                known[file.stem] = nil
            } else if let row = IndexRow(file, in: folder, browser)?.json {
                rows.append(row)
                known[file.stem] = nil
            }
        }
        return .json([
            "rows": .array(rows), "gone": .array(known.keys.sorted().map { .string($0) }),
        ])
    }
}

/// An entry's row in the list of stored pages.
private struct IndexRow {
    let json: JSONValue

    /// Reads an entry's file; `nil` if it contains nothing to list.
    init?(_ file: CacheBrowser.FolderFile, in folder: String, _ browser: CacheBrowser) {
        let place: [JSONValue.Member] = [
            .init("stem", .string(file.stem)), .init("stamp", .string(file.stamp)),
        ]
        let content = browser.content(of: file.stem, in: folder) { entry in
            Self.mayBePage(entry) ? KeptTitle.startLength : 0
        }
        switch content {
        case .entry(let entry, let size, let start):
            json = .object(place + Self.members(entry, size, start))
        case .note, .absent: return nil
        case .damage(let damage):
            json = .object(place + [.init("url", .null), .init("damaged", .string(damage.message))])
        }
    }

    private static func members(_ entry: CacheEntry, _ size: Int, _ start: [UInt8]) -> [JSONValue.Member] {
        let response = response(entry, start)
        let type = try? PageContent.mediaType(of: response, ContentOverrides())
        let isPage = type.map(isPage) ?? false
        let isHTML = type?.isHTML ?? false
        let hasTitle = isPage && (isHTML || type?.isXML ?? false)
        return [
            .init("url", .string(entry.url)),
            .init("title", JSONValue(hasTitle ? KeptTitle(response, isHTML: isHTML).text : nil)),
            .init("status", .integer(Int64(entry.status))),
            .init("type", JSONValue(type?.essence)),
            .init("bytes", .integer(Int64(size))),
            .init("received_ms", .integer(entry.received.millisecondsSince1970)),
            .init("expires_ms", expiry(entry).map(JSONValue.integer) ?? .null),
            // A redirect is no page of its own, nor is a part.
            .init("is_page", .bool(isPage && !isRedirect(entry) && entry.status != 206)),
            .init("kept", .bool(entry.isKeptForOfflineUse)),
        ]
    }

    private static func response(_ entry: CacheEntry, _ start: [UInt8]) -> WebResponse {
        WebResponse(
            url: (try? WebURL(entry.url)) ?? .aboutBlank,
            status: HTTPResponse.Status(code: entry.status),
            headerFields: entry.headerFields,
            body: start,
            source: .memory
        )
    }

    /// Returns the time when an entry becomes stale, in milliseconds since 1970; `nil` if its lifetime is
    /// unknown.
    private static func expiry(_ entry: CacheEntry) -> Int64? {
        let atReceipt = entry.freshness(now: entry.received)
        guard let lifetime = atReceipt.lifetime else { return nil }
        // A response that was once fresh never counts as stale from its receipt.
        let left = atReceipt.isFresh ? max(0, lifetime -| atReceipt.age) : 0
        let seconds = entry.received.secondsSince1970 +| left
        return Timestamp(millisecondsSince1970: seconds *| 1000).millisecondsSince1970
    }

    private static func isRedirect(_ entry: CacheEntry) -> Bool {
        300...399 ~= entry.status && entry.headerFields[.location] != nil
    }

    // MARK: - Types

    /// Whether the body has to be looked at: the fields name a type of pages, or no type that can be relied on.
    private static func mayBePage(_ entry: CacheEntry) -> Bool {
        let type = MediaType.extract(fromContentTypeFields: entry.headerFields[values: .contentType])
        guard let type else { return true }
        return isPage(type) || type.essence == "unknown/unknown" || type.essence == "application/unknown"
    }

    /// HTML, XHTML, XML, JSON and plain text, but no style sheets, scripts and images.
    private static func isPage(_ type: MediaType) -> Bool {
        if type.isHTML || type.isJSON { return true }
        if type.isXML { return type.type != "image" }
        return type.type == "text" && type.essence != "text/css" && !type.isJavaScript
    }
}
