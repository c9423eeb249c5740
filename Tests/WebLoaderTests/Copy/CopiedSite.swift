import Foundation
import TestSupport
import WebCopy

@testable import WebLoader
@testable import WebStandards

/// A site of a few files whose pages are copied.
struct CopiedSite {
    /// The site's answer for a path.
    struct File: Sendable {
        var status = 200
        let type: String?
        let body: String
        var fields: [(String, String)] = []

        init(_ type: String?, _ body: String, status: Int = 200, fields: [(String, String)] = []) {
            self.type = type
            self.body = body
            self.status = status
            self.fields = fields
        }

        static func html(_ body: String) -> File { File("text/html", "<!DOCTYPE html>\(body)") }

        static func redirect(_ location: String) -> File {
            File(nil, "", status: 302, fields: [("Location", location)])
        }
    }

    let fetcher: ScriptedFetcher

    /// Creates a site.
    ///
    /// - Parameter files: Its files by host and path, as in `a.test/b.png`.
    init(_ files: [String: File]) {
        fetcher = ScriptedFetcher { request in
            guard let file = files[request.url.hostname + request.url.path] else {
                return .answering(request, 404)
            }
            let type = file.type.map { [("Content-Type", $0)] } ?? []
            return .answering(request, file.status, type + file.fields, body: file.body)
        }
    }

    /// The URLs that were requested, without the page's.
    var asked: [String] { fetcher.requests.dropFirst().map { $0.url.href } }

    func copy(
        _ url: String = "http://a.test/",
        options: PageCopy.Options = PageCopy.Options(),
        _ configure: (inout WebRequest) -> Void = { _ in }
    ) async throws -> PageCopy {
        var request = WebRequest(url: try WebURL(url))
        configure(&request)
        return try await PageCopy(of: PageLoader(fetcher).load(request), options: options)
    }
}

extension PageCopy {
    /// Writes the copy, and returns the text of the file and the summary.
    func written() async throws -> (text: String, summary: Summary) {
        try await withTemporaryFolder { folder in
            let path = folder.appending(path: "copy").path
            let summary = try write(to: path)
            return (String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self), summary)
        }
    }
}
