import FlyingFox
public import Foundation

extension TestServer {
    /// Serves the files of a folder, by the types of their extensions, fresh for an hour.
    public static func files(of folder: URL) -> Handler {
        let root = folder.standardizedFileURL.path + "/"
        return { request in
            let file = folder.appendingPathComponent(request.path).standardizedFileURL
            // A file that cannot be read counts as missing, whatever the reason.
            guard file.path.hasPrefix(root), let bytes = try? Data(contentsOf: file) else {
                return HTTPResponse(statusCode: .notFound)
            }
            return HTTPResponse(
                statusCode: .ok,
                headers: [
                    .contentType: contentTypes[file.pathExtension] ?? "application/octet-stream",
                    .init("Cache-Control"): "max-age=3600",
                ],
                body: bytes
            )
        }
    }

    private static let contentTypes = [
        "html": "text/html", "xhtml": "application/xhtml+xml", "xml": "text/xml", "txt": "text/plain",
        "png": "image/png",
    ]
}
