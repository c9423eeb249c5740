import Glibc
import WebStandards

/// What a path leads to, as a web server would serve it: of a folder its `index.html`.
struct LocalFile: Sendable {
    /// The file's URL.
    let url: WebURL
    /// Why there is nothing, by a stable code; nil if there is.
    let failure: String?

    /// Looks at a path; it blocks the calling thread.
    init(_ path: String) {
        var path = path
        var found = FileStatus(path, followsLinks: true)
        if found?.kind == .directory {
            path += path.hasSuffix("/") ? "index.html" : "/index.html"
            found = FileStatus(path, followsLinks: true)
        }
        url = (try? WebURL(filePath: path)) ?? .aboutBlank
        switch found?.kind {
        case .regular?: failure = nil
        case .directory?: failure = "file.directory"
        case nil: failure = errno == EACCES ? "file.permission" : "file.not-found"
        default: failure = "file.unreadable"
        }
    }
}
