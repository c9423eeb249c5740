import Glibc

/// Folders of this machine that files may be read from, wherever the links in a file's path lead.
///
/// A page that was downloaded must not bring other files of this machine into what is passed on, not by a symbolic link either.
package struct LocalFolders: Sendable {
    /// Their paths without links, with a "/" at the end.
    private let paths: [String]

    /// Creates it for the folders that files are in; it blocks.
    ///
    /// - Parameter files: Their URLs; others than those of files do not count.
    package init(of files: some Sequence<WebURL>) {
        paths = files.compactMap { file in
            guard let path = file.filePath, let folder = Self.resolved(Directory.split(path).folder) else {
                return nil
            }
            return folder.hasSuffix("/") ? folder : folder + "/"
        }
    }

    /// Whether a file is in one of them or below, and is one of bytes, not a pipe or a device that may never end; it blocks.
    ///
    /// True of what is not there too, since nothing is read of it.
    package func contains(_ file: WebURL) -> Bool {
        guard let path = file.filePath, let resolved = Self.resolved(path) else { return true }
        let kind = FileStatus(resolved, followsLinks: false)?.kind
        guard kind == nil || kind == .regular || kind == .directory else { return false }
        return paths.contains { resolved.utf8.starts(with: $0.utf8) }
    }

    /// A path without symbolic links; nil if nothing is there.
    private static func resolved(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
}
