import WebLoader
import WebStandards

/// The places of a mirror's files: the type and the path of each entry that has content; identical resources share a
/// file.
struct MirrorPlaces {
    /// The types of entries, as a browser interprets them.
    private(set) var types: [Int: MediaType] = [:]
    /// The paths, from the mirror's top.
    private(set) var paths: [Int: [String]] = [:]
    /// The entries whose files are written, in the order of their URLs; others share the file of one of them.
    private(set) var owners: [Int] = []

    /// The files, from the mirror's top.
    var files: [String] { owners.compactMap { paths[$0]?.joined(separator: "/") } }

    /// Assigns the places.
    ///
    /// - Parameters:
    ///   - index: The contents of the mirror.
    ///   - loader: Reads the bodies of responses that do not declare their type.
    init(_ index: MirrorIndex, _ loader: PageLoader) async {
        let content = index.entries.indices.filter { index.entries[$0].isContent }
            .sorted { index.entries[$0].url.href < index.entries[$1].url.href }
        var firsts: [String: Int] = [:]
        var shared: [(entry: Int, first: Int)] = []
        for number in content {
            let type = await Self.type(number, index, loader)
            types[number] = type
            // Files with references of their own resolve them from their own place, and cannot be shared.
            if !type.isHTML, !type.isXML, !type.isJavaScript, type.essence != "text/css",
                let digest = index.entries[number].digest
            {
                let key = "\(type.essence) \(digest)"
                if let first = firsts[key] {
                    shared.append((number, first))
                    continue
                }
                firsts[key] = number
            }
            owners.append(number)
        }
        let names = owners.map { number in
            MirrorNames.File(url: index.entries[number].url, type: types[number] ?? Self.unknown)
        }
        for (number, path) in zip(owners, MirrorNames.paths(for: names)) { paths[number] = path }
        for (entry, first) in shared { paths[entry] = paths[first] }
    }

    private static let unknown = MediaType.applicationOctetStream

    /// Returns the type of an entry: the server's, or that of its bytes if the server declares none, or a page for an
    /// image.
    private static func type(_ number: Int, _ index: MirrorIndex, _ loader: PageLoader) async -> MediaType {
        let entry = index.entries[number]
        let isNamedImage = MediaType.forFile(named: entry.url.path)?.isImage == true
        if let type = entry.type, !isNamedImage || !type.isHTML && type.essence != "text/plain" {
            return type
        }
        guard let response = try? await index.response(number, loader) else { return entry.type ?? unknown }
        let computed = MIMESniffing.computedType(
            supplied: nil,
            isApacheBug: false,
            noSniff: false,
            header: response.body.span
        )
        guard let type = entry.type else { return computed }
        return computed.isImage ? computed : type
    }
}
