import WebStandards

/// The manifest of a WACZ: which files it has, with their sizes and digests.
///
/// [WACZ 1.1.1, datapackage.json](https://specs.webrecorder.net/wacz/1.1.1/#datapackage-json)
struct WACZManifest {
    struct Resource {
        let path: String
        /// As written, nil if there is none.
        let hash: String?
        let size: Int?
    }

    static let name = "datapackage.json"
    static let digestName = "datapackage-digest.json"

    private(set) var resources: [Resource] = []
    private(set) var findings: [ArchiveFinding] = []

    /// Whether it is there and can be read.
    private(set) var isReadable = false

    /// Bytes of the manifest that are accepted.
    ///
    /// They are enough for tens of thousands of resources. Read, JSON takes many times the memory.
    private static let maximumSize = 4 << 20

    /// Reads the manifest of an archive, and compares it with its digest.
    init(_ zip: ZIPArchive) throws(ArchiveError) {
        let bytes = try contents(of: Self.name, in: zip)
        if let bytes { readResources(bytes) }
        if zip[Self.name] == nil { add("there is no datapackage.json") }
        guard let digest = try contents(of: Self.digestName, in: zip) else { return }
        guard let value = try? JSONValue(parsing: digest), let hash = value["hash"]?.string else {
            add("it is not JSON with a digest", Self.digestName)
            return
        }
        if let path = value["path"]?.string, path != Self.name {
            add("it is the digest of \(path)", Self.digestName)
            return
        }
        guard let bytes else { return }
        switch Digest.parse(hash) {
        case .unknown: break
        case .malformed: add("its digest is none", Self.digestName)
        case .value(let value):
            var digest = try Digest(value.algorithm)
            digest.update(bytes)
            guard digest.finish() != value.bytes else { return }
            add("datapackage.json does not have its digest", Self.digestName)
        }
    }

    private mutating func contents(of name: String, in zip: ZIPArchive) throws(ArchiveError) -> [UInt8]? {
        guard let entry = zip[name] else { return nil }
        do throws(ArchiveError) {
            return try zip.contents(of: entry, maximumSize: min(Self.maximumSize, entry.likelySize))
        } catch {
            guard error.code == .body || error.code == .limit else { throw error }
            add(error.message, name)
            return nil
        }
    }

    private mutating func readResources(_ bytes: [UInt8]) {
        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
        let value: JSONValue
        do throws(JSONValue.ParsingError) {
            value = try JSONValue(parsing: text)
        } catch {
            add("it is not JSON: \(error)")
            return
        }
        guard case .array(let items) = value["resources"] else {
            add("it has no list of resources")
            return
        }
        isReadable = true
        for item in items {
            guard let path = item["path"]?.string else {
                add("a resource has no path")
                continue
            }
            let size = item["bytes"]?.number.map { Int(bounded: $0) }
            resources.append(Resource(path: path, hash: item["hash"]?.string, size: size))
        }
    }

    private mutating func add(_ message: String, _ name: String = name) {
        guard findings.count < 1000 else { return }
        findings.append(ArchiveFinding(.manifest, part: name, message))
    }
}
