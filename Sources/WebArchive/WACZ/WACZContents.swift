import Synchronization
package import WebStandards

/// A WACZ: a ZIP archive of WARCs, with indexes, a list of pages and a manifest.
///
/// The contents are determined from the ZIP's members, so that a WACZ without a manifest, or with its WARCs in another
/// folder, can be read too. WARCs are read in place; a compressed one is copied first.
///
/// [WACZ 1.1.1](https://specs.webrecorder.net/wacz/1.1.1/), [WACZ 1.2.0](https://specs.webrecorder.net/wacz/1.2.0/)
package final class WACZContents: ArchiveContents {
    package let format = "WACZ"

    let zip: ZIPArchive
    /// The entries of its WARCs, in the directory's order, each name once.
    let parts: [ZIPArchive.Entry]
    private let numbers: [String: Int]
    /// The numbers of the parts by the last component of their path.
    private let lastNames: [String: Int]
    /// The last part that had to be copied, since parts are read one after the other.
    private let copied = Mutex<(name: String, file: ArchiveFile, failure: ArchiveError?)?>(nil)
    private let known = Mutex<[any CaptureIndex]?>(nil)

    /// Reads the contents of an archive.
    ///
    /// - Parameter file: A file that can be read at any place.
    /// - Throws: ``ArchiveError/Code/notAnArchive`` if it is no ZIP archive, or has neither WARCs nor a manifest.
    package init(file: ArchiveFile) throws(ArchiveError) {
        zip = try ZIPArchive(file: file)
        var numbers: [String: Int] = [:]
        var lastNames: [String: Int] = [:]
        var parts: [ZIPArchive.Entry] = []
        for entry in zip.entries where numbers[entry.name] == nil && Self.isPart(entry, in: zip) {
            numbers[entry.name] = parts.count
            let last = String(entry.name.split(separator: "/").last ?? "")
            if lastNames[last] == nil { lastNames[last] = parts.count }
            parts.append(entry)
        }
        (self.parts, self.numbers, self.lastNames) = (parts, numbers, lastNames)
        guard !parts.isEmpty || zip[WACZManifest.name] != nil else {
            throw ArchiveError(
                .notAnArchive,
                "\(file.path): a ZIP archive without WARCs and datapackage.json"
            )
        }
    }

    // MARK: - Parts

    private static let endings = [".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz"]

    /// Whether a member is a WARC, by its name or, in the folder for them, by its first bytes.
    private static func isPart(_ entry: ZIPArchive.Entry, in zip: ZIPArchive) -> Bool {
        guard !entry.isFolder else { return false }
        let name = entry.name.lowercased()
        if endings.contains(where: name.hasSuffix) { return true }
        guard name.hasPrefix("archive/"), entry.size > 0, !name.hasSuffix(".txt"), !name.hasSuffix(".json"),
            let part = try? zip.stored(entry), let head = try? part.bytes(at: 0, count: 9)
        else { return false }
        return head.starts(with: "WARC/".utf8) || head.starts(with: "filedesc:".utf8)
            || head.starts(with: [0x1F, 0x8B]) || head.starts(with: [0x28, 0xB5, 0x2F, 0xFD])
    }

    /// A part, and what keeps the rest of it from being read.
    func part(
        _ entry: ZIPArchive.Entry
    ) throws(ArchiveError) -> (contents: WARCContents, failure: ArchiveError?) {
        if let (name, file, failure) = copied.withLock({ $0 }), name == entry.name {
            return (WARCContents(file: file), failure)
        }
        let (file, failure) = try zip.member(entry, maximumSize: entry.likelySize)
        if entry.method != .stored { copied.withLock { $0 = (entry.name, file, failure) } }
        return (WARCContents(file: file), failure)
    }

    /// The part that an index means, by its path, its path in the folder for WARCs, or its last name.
    func partIndex(ofName name: String) -> Int? {
        numbers[name] ?? numbers["archive/\(name)"] ?? lastNames[name]
    }

    package func records() throws(ArchiveError) -> any RecordReader { WACZReader(self) }

    package func records(at location: ArchiveLocation) throws(ArchiveError) -> any RecordReader {
        guard let name = location.part, let index = partIndex(ofName: name) else {
            throw ArchiveError(.miss, "\(zip.file.path): it has no \(location.part ?? "part without a name")")
        }
        return WACZReader(self, fromPart: index, at: location)
    }

    // MARK: - Indexes

    /// The indexes that can be read.
    func indexes() throws(ArchiveError) -> [any CaptureIndex] {
        if let known = known.withLock({ $0 }) { return known }
        let (indexes, _) = try openIndexes()
        known.withLock { $0 = indexes }
        return indexes
    }

    /// Opens the indexes, and says what is wrong with those that cannot be read.
    func openIndexes() throws(ArchiveError) -> (indexes: [any CaptureIndex], findings: [ArchiveFinding]) {
        var indexes: [any CaptureIndex] = []
        var findings: [ArchiveFinding] = []
        for entry in zip.entries where !entry.isFolder && entry.size > 0 {
            let name = entry.name.lowercased()
            let isPlain = name.hasSuffix(".cdx") || name.hasSuffix(".cdxj")
            guard isPlain || name.hasSuffix(".cdx.gz") || name.hasSuffix(".cdxj.gz") else { continue }
            do throws(ArchiveError) {
                let (file, failure) = try zip.member(entry, maximumSize: entry.likelySize)
                if let failure { findings.append(ArchiveFinding(.index, part: entry.name, failure.message)) }
                if isPlain {
                    indexes.append(CDXJFile(file, part: entry.name))
                } else {
                    let blocks = try blocks(of: entry)
                    indexes.append(try ZipNumIndex(blocks: blocks, data: file, part: entry.name))
                }
            } catch {
                guard error.code == .body || error.code == .limit else { throw error }
                findings.append(ArchiveFinding(.index, part: entry.name, error.message))
            }
        }
        return (indexes, findings)
    }

    /// The second index of a compressed one, which has its name but ends in ".idx"; nil without one.
    private func blocks(of entry: ZIPArchive.Entry) throws(ArchiveError) -> ArchiveFile? {
        let stem = entry.name.split(separator: ".", omittingEmptySubsequences: false).dropLast(2)
        guard let other = zip[stem.joined(separator: ".") + ".idx"] else { return nil }
        let (file, failure) = try zip.member(other, maximumSize: other.likelySize)
        if let failure { throw failure }
        return file
    }

    package func captures(of url: WebURL) throws(ArchiveError) -> [ArchiveCapture]? {
        let indexes = try indexes()
        guard !indexes.isEmpty else { return nil }
        return try WACZCaptures(self, url).find(in: indexes)
    }

    // MARK: - Pages and checks

    package func pages() throws(ArchiveError) -> [ArchivePage]? {
        var pages: [ArchivePage]?
        for name in WACZPages.names {
            guard let entry = zip[name] else { continue }
            let list = try WACZPages(zip, entry)
            pages = (pages ?? []) + list.pages
        }
        return pages
    }

    package func verify(_ report: (ArchiveFinding) -> Void) throws(ArchiveError) {
        var check = WACZCheck(self)
        try check.run(report)
    }
}
