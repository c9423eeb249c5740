public import Foundation

/// Where the project's files are, found from this file's own path.
public enum ProjectFolder {
    /// The top of the project.
    public static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// The fixture pages.
    public static let fixtures = root.appendingPathComponent("Fixtures/html")

    /// The shared test data beside the project, or where `WEBINSPECT_SHARED` says; nil where it is absent.
    public static let shared: URL? = {
        let named = ProcessInfo.processInfo.environment["WEBINSPECT_SHARED"].map { URL(fileURLWithPath: $0) }
        let folder = named ?? root.deletingLastPathComponent().appendingPathComponent("shared")
        return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
    }()

    /// The pages of a folder, by name.
    public static func pages(in folder: URL) throws -> [URL] {
        try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .filter { ["html", "xhtml", "xml", "txt", "png"].contains($0.pathExtension) }
            .sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
