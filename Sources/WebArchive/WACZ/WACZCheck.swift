import WebStandards

/// Checks all of a WACZ: its directory, its manifest, its pages, its records, and its indexes against them.
struct WACZCheck {
    private let contents: WACZContents
    /// Bytes that may be read to compute digests: members may lie over one another in the file, and so have no end.
    private var budget: Int

    init(_ contents: WACZContents) {
        self.contents = contents
        budget = max(4 << 30, (contents.zip.file.size ?? 0) *| 100)
    }

    mutating func run(_ report: (ArchiveFinding) -> Void) throws(ArchiveError) {
        checkDirectory(report)
        try checkManifest(report)
        for name in WACZPages.names {
            guard let entry = contents.zip[name] else { continue }
            try WACZPages(contents.zip, entry).findings.forEach(report)
        }
        if let pages = WACZPages.names.first, contents.zip[pages] == nil {
            report(finding(pages, "the archive does not have it"))
        }
        var revisits = RevisitCheck()
        var indexes = WACZIndexCheck(contents)
        for number in contents.parts.indices { try checkPart(number, &revisits, &indexes, report) }
        revisits.findings.forEach(report)
        try indexes.run(report)
    }

    private func finding(_ name: String, _ message: String) -> ArchiveFinding {
        ArchiveFinding(.manifest, part: name, message)
    }

    // MARK: - Directory

    private func checkDirectory(_ report: (ArchiveFinding) -> Void) {
        let zip = contents.zip
        if let damage = zip.damage { report(ArchiveFinding(.manifest, damage)) }
        for name in zip.duplicates { report(finding(name, "the name is there more than once")) }
        for entry in zip.entries {
            if !Self.staysInside(entry.name) {
                report(finding(entry.name, "the name leads out of the archive"))
            }
            guard !entry.isReadable, !entry.isFolder else { continue }
            let reason = entry.isEncrypted ? "it is encrypted" : "its compression is not supported"
            report(finding(entry.name, reason))
        }
    }

    /// Whether a name is of a file below the folder that the archive is unpacked to, whatever the system.
    static func staysInside(_ name: String) -> Bool {
        let segments = name.utf8.split(omittingEmptySubsequences: false) {
            $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\")
        }
        guard let first = segments.first, !first.isEmpty else { return false }
        let isDrive = first.first?.isASCIIAlpha == true && first.dropFirst().first == UInt8(ascii: ":")
        return !isDrive && !name.utf8.contains(0) && !segments.contains { $0.elementsEqual("..".utf8) }
    }

    // MARK: - Manifest

    private mutating func checkManifest(_ report: (ArchiveFinding) -> Void) throws(ArchiveError) {
        let manifest = try WACZManifest(contents.zip)
        manifest.findings.forEach(report)
        var listed: Set<String> = [WACZManifest.name, WACZManifest.digestName]
        for resource in manifest.resources {
            guard listed.insert(resource.path).inserted else {
                report(finding(resource.path, "the manifest has it more than once"))
                continue
            }
            guard let entry = contents.zip[resource.path] else {
                report(finding(resource.path, "the manifest has it, the archive does not"))
                continue
            }
            if let size = resource.size, size != entry.size {
                report(finding(resource.path, "it has \(entry.size) bytes, in the manifest \(size)"))
            }
            try checkDigest(of: entry, resource.hash, report)
        }
        for entry in contents.zip.entries where manifest.isReadable && Self.isToBeListed(entry) {
            guard listed.insert(entry.name).inserted else { continue }
            report(finding(entry.name, "the manifest does not have it"))
        }
        // Without a manifest nothing else would tell whether these can be read.
        for entry in contents.zip.entries where !manifest.isReadable && Self.isToBeListed(entry) {
            if listed.insert(entry.name).inserted { try checkDigest(of: entry, nil, report) }
        }
    }

    /// Whether a member is in one of the folders that the manifest is of.
    private static func isToBeListed(_ entry: ZIPArchive.Entry) -> Bool {
        !entry.isFolder && ["archive/", "indexes/", "pages/"].contains(where: entry.name.hasPrefix)
    }

    /// Reads a member, and compares it with its digest, if one is stated.
    private mutating func checkDigest(
        of entry: ZIPArchive.Entry,
        _ hash: String?,
        _ report: (ArchiveFinding) -> Void
    ) throws(ArchiveError) {
        // That it cannot be read was said before.
        guard entry.isReadable, !entry.isFolder else { return }
        var expected: Digest.Value?
        switch hash.map(Digest.parse) {
        case .value(let value): expected = value
        case .malformed: report(finding(entry.name, "its digest in the manifest is none"))
        case .unknown, nil: break
        }
        var digest = try Digest(expected?.algorithm ?? .md5)
        do throws(ArchiveError) {
            guard entry.size <= budget else {
                throw ArchiveError(.limit, "\(entry.name): the members together have too many bytes")
            }
            budget -= min(budget, entry.size)
            unsafe try contents.zip.read(entry, maximumSize: entry.likelySize) { piece throws(ArchiveError) in
                if expected != nil { unsafe digest.update(piece) }
                return true
            }
        } catch {
            guard error.code == .body || error.code == .limit else { throw error }
            report(finding(entry.name, error.message))
            return
        }
        if let expected, digest.finish() != expected.bytes {
            report(finding(entry.name, "it does not have its digest"))
        }
    }

    // MARK: - Records

    /// Checks the records of a part.
    private func checkPart(
        _ number: Int,
        _ revisits: inout RevisitCheck,
        _ indexes: inout WACZIndexCheck,
        _ report: (ArchiveFinding) -> Void
    ) throws(ArchiveError) {
        let entry = contents.parts[number]
        guard entry.isReadable else { return }
        do throws(ArchiveError) {
            let (part, failure) = try contents.part(entry)
            let reader = try WARCReader(part.file)
            revisits.part = entry.name
            while let record = try reader.next() {
                try reader.verifyRecord(&revisits)
                if !record.isRecovered {
                    indexes.take(record, part: number, length: try reader.currentLength())
                }
                pass(reader.takeFindings(), entry.name, report)
            }
            pass(reader.takeFindings(), entry.name, report)
            if let failure { throw failure }
        } catch {
            switch error.code {
            case .body, .limit, .notAnArchive: report(finding(entry.name, error.message))
            default: throw error
            }
        }
    }

    private func pass(_ findings: [ArchiveFinding], _ part: String, _ report: (ArchiveFinding) -> Void) {
        for var finding in findings {
            finding.part = part
            report(finding)
        }
    }
}
