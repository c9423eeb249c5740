import WebArchive
import WebDocument
import WebStandards

/// A page and its resources as Safari and other programs with WebKit save them: a property list in which each page,
/// also one in a frame, has its main resource, its subresources, and such an archive for each of its frames.
///
/// <https://github.com/WebKit/WebKit/blob/main/Source/WebCore/loader/archive/cf/LegacyWebArchive.cpp>
final class WebKitArchive {
    private let contents: CopyContents
    private let source: CopyLocation
    /// The maximum number of entries; nested frames can have many more than there are files.
    private let maximumEntries: Int
    private var entries = 0
    /// The names that frames have, by which they are found.
    private var names: Set<String> = []
    /// The URLs, without fragment, of the resources in the archive.
    private(set) var used: Set<WebURL> = []
    /// The resources that were loaded, but are not in the archive.
    private(set) var missing: [PageCopy.Missing] = []
    private var noted: Set<WebURL> = []

    /// A page, or anything else that is shown in the window or in a frame.
    private struct Shown {
        /// Its URL in the archive.
        let url: WebURL
        let body: [UInt8]
        let type: String
        let encoding: String?
        /// The name of its frame, empty for the window's; `nil` for a frame without a name, which is found by its URL.
        let name: String?
        /// The URLs of the pages around it, and its own.
        let chain: [WebURL]
        let needs: [ResourceWish]
        /// The names of its frames by their URLs without fragment.
        let frames: [WebURL: [String]]
    }

    init(_ contents: CopyContents, maximumFiles: Int) {
        self.contents = contents
        source = CopyLocation(of: contents.page.response.url)
        maximumEntries = max(1, maximumFiles) *| 16
    }

    /// Returns the whole archive.
    func propertyList() -> PropertyList {
        let page = contents.page
        let url = page.response.url.withoutFragment
        return archive(
            Shown(
                url: url,
                body: page.response.body,
                type: page.mediaType.essence,
                encoding: page.encoding?.encoding.name,
                name: "",
                chain: [url],
                needs: contents.firstNeeds,
                frames: Self.frames(of: page)
            )
        )
    }

    /// Returns the names of a page's frames by their URLs; a frame without a name has an empty one.
    private static func frames(of page: ParsedPage) -> [WebURL: [String]] {
        var frames: [WebURL: [String]] = [:]
        for frame in page.frames where !frame.isInert && frame.sourceDocumentSize == nil {
            if let url = frame.url { frames[url.withoutFragment, default: []].append(frame.name ?? "") }
        }
        return frames
    }

    // MARK: - Pages

    private func archive(_ shown: Shown) -> PropertyList {
        var resources: [PropertyList] = []
        var frames: [PropertyList] = []
        var seen: Set<ResourceWish.Need> = []
        var taken: Set<WebURL> = []
        var waiting = Array(shown.needs.reversed())
        while let wish = waiting.popLast() {
            guard seen.insert(wish.need).inserted, let resource = contents[wish.url],
                let response = resource.response
            else { continue }
            if wish.use == .frame, shown.frames[wish.url] != nil || contents.frames[wish.url] != nil {
                frames += archives(of: resource, response, in: shown)
                continue
            }
            waiting += (contents.needs[wish.need] ?? []).reversed()
            // A `data:` URL has its bytes in it, and is not looked up in an archive.
            guard wish.url.scheme != "data", resource.fault == nil || resource.isImageByItsBytes,
                taken.insert(wish.url).inserted, takeEntry(wish.url)
            else { continue }
            resources.append(
                entry(wish.url, response.body, resource.type, resource.encodingName, name: nil)
            )
        }
        var members = [
            PropertyList.Member(
                "WebMainResource",
                entry(shown.url, shown.body, shown.type, shown.encoding, name: shown.name)
            )
        ]
        if !resources.isEmpty { members.append(PropertyList.Member("WebSubresources", .array(resources))) }
        if !frames.isEmpty { members.append(PropertyList.Member("WebSubframeArchives", .array(frames))) }
        return .dictionary(members)
    }

    /// Returns the archives of the frames that show a URL.
    private func archives(
        of resource: CopiedResource,
        _ response: WebResponse,
        in shown: Shown
    ) -> [PropertyList] {
        let own = response.url.withoutFragment
        // As in browsers, a page may be within itself once.
        guard shown.chain.count(where: { $0 == own }) < 2 else { return [] }
        guard shown.chain.count <= ResourceWish.maximumDepth else {
            leaveOut(resource.url, .tooDeep)
            return []
        }
        let frame = contents.frames[resource.url]
        var archives: [PropertyList] = []
        var hasUnnamed = false
        for name in shown.frames[resource.url] ?? [""] {
            // One name is one frame; those without, and others of the same name, are found by their URL.
            let isNamed = !name.isEmpty && names.insert(name).inserted
            if !isNamed {
                guard !hasUnnamed else { continue }
                hasUnnamed = true
            }
            guard takeEntry(resource.url) else { return archives }
            archives.append(
                archive(
                    Shown(
                        url: isNamed ? own : resource.url,
                        body: response.body,
                        type: frame?.page.mediaType.essence ?? resource.type,
                        encoding: frame?.page.encoding?.encoding.name ?? resource.encodingName,
                        name: isNamed ? name : nil,
                        chain: shown.chain + [own],
                        needs: contents.needs[ResourceWish.Need(url: resource.url, use: .frame)] ?? [],
                        frames: frame.map { Self.frames(of: $0.page) } ?? [:]
                    )
                )
            )
        }
        return archives
    }

    // MARK: - Entries

    /// Counts an entry; false if there are too many.
    private func takeEntry(_ url: WebURL) -> Bool {
        guard entries < maximumEntries else {
            leaveOut(url, .tooMany(maximumEntries, "files, each time one is shown"))
            return false
        }
        entries += 1
        if url.scheme != "data" { used.insert(url) }
        return true
    }

    /// Records a resource that is not in the archive.
    private func leaveOut(_ url: WebURL, _ fault: CopyFault) {
        let url = url.scheme == "data" ? contents.page.response.url : url
        guard noted.insert(url).inserted else { return }
        missing.append(
            PageCopy.Missing(url: url, code: fault.code, message: fault.message, isDeadRule: false)
        )
    }

    private func entry(
        _ url: WebURL,
        _ body: [UInt8],
        _ type: String,
        _ encoding: String?,
        name: String?
    ) -> PropertyList {
        var members = [
            PropertyList.Member("WebResourceData", .data(body)),
            PropertyList.Member("WebResourceMIMEType", .string(type)),
            PropertyList.Member("WebResourceURL", .string(source.location(of: url).href)),
        ]
        if let encoding {
            members.append(PropertyList.Member("WebResourceTextEncodingName", .string(encoding)))
        }
        if let name { members.append(PropertyList.Member("WebResourceFrameName", .string(name))) }
        return .dictionary(members)
    }
}
