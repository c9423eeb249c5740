import WebLoader

/// The pages in a folder and the folders in it: of a mirror, or of what else has a site as files.
struct FolderPages {
    private let path: String
    /// Bytes that a page may have.
    private let limit: Int

    /// Folders in one another, at most: what has more was made to.
    private static let maximumDepth = 64

    init(_ path: String, limit: Int) {
        self.path = path
        self.limit = limit
    }

    /// The contents of the folder.
    struct Contents {
        /// By path in the folder.
        var pages: [String: ArchiveComparison.Print] = [:]
        /// The pages and folders that cannot be read.
        var damaged: Set<String> = []
        var failures: [Failure] = []
    }

    /// Reads all pages.
    ///
    /// - Throws: ``Failure`` if the folder itself cannot be read.
    /// - Complexity: O(n) in the bytes of the pages.
    func prints() throws(Failure) -> Contents {
        var contents = Contents()
        let names = try names(in: "")
        // The page at the top of a mirror is a list that each update makes anew.
        let isMirror = names.contains(".mirror")
        for name in names where !isMirror || name != "index.html" { read(name, 1, &contents) }
        return contents
    }

    private func read(_ name: String, _ depth: Int, _ contents: inout Contents) {
        let last = name.split(separator: "/").last ?? ""
        // Links may lead anywhere, and around in circles.
        guard !last.hasPrefix("."), let status = FileStatus("\(path)/\(name)", followsLinks: false) else {
            return
        }
        do throws(Failure) {
            switch status.kind {
            case .directory:
                guard depth < Self.maximumDepth else {
                    throw Failure(
                        subject: "\(path)/\(name)",
                        "more than \(depth) folders in one another",
                        code: "limit.depth",
                        status: .limit
                    )
                }
                for inner in try names(in: name) { read("\(name)/\(inner)", depth + 1, &contents) }
            case .regular where Self.isPage(name): contents.pages[name] = try print(name)
            default: break
            }
        } catch {
            contents.damaged.insert(name)
            contents.failures.append(error)
        }
    }

    private static func isPage(_ name: String) -> Bool {
        guard let type = MediaType.forFile(named: name) else { return false }
        return type.isHTML || type.essence == "application/xhtml+xml"
    }

    private func print(_ name: String) throws(Failure) -> ArchiveComparison.Print {
        let file = "\(path)/\(name)"
        do throws(File.Failure) {
            let bytes = try File(reading: file).read(limit +| 1)
            if bytes.count <= limit { return ArchiveComparison.Print(bytes) }
        } catch {
            throw Failure(subject: file, error.text, code: FileError.Code.unreadable.rawValue, status: .file)
        }
        throw Failure(
            subject: file,
            "it has more than \(limit) bytes; see --max-filesize",
            code: "limit.size",
            status: .limit
        )
    }

    private func names(in folder: String) throws(Failure) -> [String] {
        let path = folder.isEmpty ? path : "\(path)/\(folder)"
        do throws(File.Failure) {
            var directory = try Directory(path)
            var names: [String] = []
            while let name = try directory.next() { names.append(name) }
            return names.sorted()
        } catch {
            throw Failure(subject: path, error.text, code: FileError.Code.unreadable.rawValue, status: .file)
        }
    }

    /// The URL that the references of a page are relative to, whatever folder it is in.
    static func base(of name: String, _ given: String?) throws(Failure) -> String {
        do throws(WebURLError) {
            let path = try WebURL(filePath: "/\(name)")
            guard let given else { return path.href }
            return try WebURL("." + path.path, base: WebURL(given)).href
        } catch {
            throw Failure(usage: "--base-url", error.description)
        }
    }
}
