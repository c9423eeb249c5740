import WebStandards

/// The names of a mirror's files: a folder for each host, and in it folders and files like those of the URLs.
///
/// They depend on the URLs and types alone, not on the order of loading.
struct MirrorNames {
    /// A file to be named.
    struct File {
        let url: WebURL
        let type: MediaType
    }

    /// The index page at the top.
    static let index = "index.html"
    /// The program's own folder.
    static let ownFolder = ".mirror"

    /// The maximum length of a path within the mirror, in bytes: on Windows a path has 260 characters in all.
    static let maximumPathLength = 180
    /// The maximum depth of nested folders.
    private static let maximumDepth = 24

    /// Returns the paths of files.
    ///
    /// - Parameter files: The files to be named.
    /// - Returns: The path of each file, from the mirror's top, in their order.
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
            // Each may need a mark that distinguishes it from others.
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

    /// Returns the folder of a file: the host's own, marked as cut off, if the path is too deep or too long.
    private static func folder(of url: WebURL, _ tree: inout NameTree) -> (number: Int, isCut: Bool) {
        let host = host(url, &tree)
        let parts = segments(of: url).dropLast()
        guard parts.count <= maximumDepth else { return (host, true) }
        var length = tree.length(of: host)
        let names = parts.map { SafeFileName.name(like: decoded($0)) }
        for name in names { length += name.utf8.count + 1 }
        // A path that is too long is put elsewhere, and creates no folders that stay empty.
        guard length <= maximumPathLength - 20 else { return (host, true) }
        var folder = host
        for (part, name) in zip(parts, names) {
            folder = tree.folder(in: folder, for: String(part), named: name)
        }
        return (folder, false)
    }

    /// Returns the segments of a path, the last of which is the file's; it is empty for a folder.
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
            // Two long names that begin or end alike have to stay different.
            return (NameTree.marked(stem, ending, file.url.href + " "), ending)
        }
        return (SafeFileName.name(like: stem.utf8, maximumLength: room), ending)
    }

    /// Returns the bytes that a part of a path stands for.
    private static func decoded(_ part: Substring) -> [UInt8] {
        PercentDecoding.decode(Array(part.utf8).span)
    }
}
