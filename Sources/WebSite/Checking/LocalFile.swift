import Glibc
import WebStandards

/// The file that a web server would serve for a path; for a folder, its `index.html`.
struct LocalFile: Sendable {
    /// The file's URL.
    let url: WebURL
    /// Why the file cannot be read, as a stable code; `nil` if it can.
    let failure: String?

    /// Looks up a path; blocks the calling thread.
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
