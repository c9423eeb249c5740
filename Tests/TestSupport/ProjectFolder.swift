public import Foundation

/// Where the project's files are, found from this file's own path.
public enum ProjectFolder {
    /// The top of the project.
    public static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The fixture pages.
    public static let fixtures = root.appendingPathComponent("Fixtures/html")

    /// A file or folder of the conformance data, by its path; nil where it is absent.
    ///
    /// The data is beside the project in `../shared`, or where `WEBLOADER_SHARED` says. Files that are missing there
    /// may be in `.suites`, where `Scripts/suites` puts the public suites.
    public static func suite(_ path: String) -> URL? {
        [shared, published].lazy.map { $0.appendingPathComponent(path) }
            .first { FileManager.default.fileExists(atPath: $0.path) }
    }

    /// Whether a part of the conformance data is as its authors publish it: `../shared` has two thirds of most suites.
    public static func isWhole(_ path: String) -> Bool {
        suite(path)?.path == published.appendingPathComponent(path).path
    }

    private static let shared =
        ProcessInfo.processInfo.environment["WEBLOADER_SHARED"].map { URL(fileURLWithPath: $0) }
        ?? root.deletingLastPathComponent().appendingPathComponent("shared")

    private static let published = root.appendingPathComponent(".suites")

    /// The pages of a folder, by name.
    public static func pages(in folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { ["html", "xhtml", "xml", "txt", "png"].contains($0.pathExtension) }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
