import WebStandards

/// The names that files of a mirror get: a folder a host, and in it folders and files like those of the URLs.
///
/// They follow from the URLs and types alone, whatever the order in which they were loaded.
struct MirrorNames {
    /// What is to get a name.
    struct File {
        let url: WebURL
        let type: MediaType
    }

    /// The page at the top that leads in.
    static let index = "index.html"
    /// What the program keeps for itself.
    static let ownFolder = ".mirror"

    /// Bytes of a path within the mirror, at most: on Windows a path has 260 characters in all.
    static let maximumPathLength = 180
    /// Folders one in the other, at most.
    private static let maximumDepth = 24

    /// Gives names.
    ///
    /// - Parameter files: What is to get names.
    /// - Returns: The path of each, from the mirror's top, in their order.
    static func paths(for files: [File]) -> [[String]] {
        var tree = NameTree(reserving: [index, ownFolder])
        let order = files.indices.sorted { (files[$0].url.href, $0) < (files[$1].url.href, $1) }
        // Folders come first: a file "a" gives way to a folder "a".
        var folders = [(number: Int, isCut: Bool)](repeating: (NameTree.top, false), count: files.count)
        for index in order { folders[index] = folder(of: files[index].url, &tree) }
        var paths = [[String]](repeating: [], count: files.count)
        for index in order {
            let file = files[index]
            var folder = folders[index].number
            let (stem, ending) = name(of: file, isCut: folders[index].isCut)
            let href = file.url.href
            var given: String
            // Each may need a mark that tells it from others.
            let length = stem.utf8.count + ending.utf8.count + NameTree.markLength
            if tree.length(of: folder) + length > maximumPathLength {
                folder = tree.folder(in: host(file.url, &tree), for: "\u{0}", named: "_")
                let short = SafeFileName.name(like: stem.utf8, maximumLength: 40)
                given = tree.file(NameTree.marked(short, ending, href), ending, in: folder, href)
            } else if file.url.query != nil {
                given = tree.file(NameTree.marked(stem, ending, href), ending, in: folder, href)
            } else {
                given = tree.file(stem, ending, in: folder, href)
            }
            paths[index] = tree.path(of: folder) + [given]
        }
        return paths
    }

    // MARK: - Parts of URLs

    private static func host(_ url: WebURL, _ tree: inout NameTree) -> Int {
        let host = url.host == nil || url.hostAndPort.isEmpty ? url.scheme : url.hostAndPort
        return tree.folder(in: NameTree.top, for: host, named: SafeFileName.name(like: host.utf8))
    }

    /// The folder of a file; the host's own, where its path is cut off since it is too deep or too long.
    private static func folder(of url: WebURL, _ tree: inout NameTree) -> (number: Int, isCut: Bool) {
        let host = host(url, &tree)
        let parts = segments(of: url).dropLast()
        guard parts.count <= maximumDepth else { return (host, true) }
        var length = tree.length(of: host)
        let names = parts.map { SafeFileName.name(like: decoded($0)) }
        for name in names { length += name.utf8.count + 1 }
        // What is too deep is put elsewhere, and makes no folders that stay empty.
        guard length <= maximumPathLength - 20 else { return (host, true) }
        var folder = host
        for (part, name) in zip(parts, names) {
            folder = tree.folder(in: folder, for: String(part), named: name)
        }
        return (folder, false)
    }

    /// The parts of a path, the last of which is the file's; empty for a folder.
    private static func segments(of url: WebURL) -> ArraySlice<Substring> {
        let parts = url.path.split(separator: "/", omittingEmptySubsequences: false)
        return parts.first?.isEmpty == true ? parts.dropFirst() : parts[...]
    }

    private static func name(of file: File, isCut: Bool) -> (stem: String, ending: String) {
        let segments = segments(of: file.url)
        var last = decoded(segments.last ?? "")
        if last.isEmpty { last = Array("index".utf8) }
        let whole = SafeFileName.name(like: last, maximumLength: .largestBounded)
        var ending = FileExtension.added(for: file.type, to: whole)
        var stem = whole
        if ending.isEmpty, let dot = whole.utf8.lastIndex(of: UInt8(ascii: ".")) {
            ending = String(whole[dot...])
            stem = String(whole[..<dot])
        }
        let room = SafeFileName.maximumLength - ending.utf8.count
        if stem.utf8.count > room || isCut {
            // Two long names that begin alike, or end alike, are different ones.
            return (NameTree.marked(stem, ending, file.url.href + " "), ending)
        }
        return (SafeFileName.name(like: stem.utf8, maximumLength: room), ending)
    }

    /// The bytes that a part of a path stands for.
    private static func decoded(_ part: Substring) -> [UInt8] {
        PercentDecoding.decode(Array(part.utf8).span)
    }
}
