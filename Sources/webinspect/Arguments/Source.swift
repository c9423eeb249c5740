import Glibc
import WebLoader

/// The source of a command.
enum Source {
    case url(WebURL)
    case standardInput

    /// Parses a source of a line; with `--from` it is a URL in the archives.
    init(_ text: String, _ options: LoadingOptions) throws(Failure) {
        if options.archives.isEmpty {
            try self.init(text)
        } else {
            self = .url(try Self.parse(text))
        }
    }

    /// Parses a URL, a path, or "-".
    ///
    /// A text with a scheme that can be loaded is a URL; other text without "://" is a path.
    init(_ text: String) throws(Failure) {
        if text == "-" {
            self = .standardInput
            return
        }
        let scheme = text.prefix { $0 != ":" }.lowercased()
        if scheme.utf8.count < text.utf8.count, ["http", "https", "file", "data"].contains(scheme) {
            self = .url(try Self.parse(text))
        } else if text.contains("://") {
            throw Failure(
                usage: Self.redacted(text),
                "\(scheme): URLs cannot be loaded, only http, https, file and data",
                code: "url.unsupported",
                nsURLErrorCode: -1002
            )
        } else {
            try SourceMistake.check(text)
            self = .url(try Self.file(text))
        }
    }

    static func parse(_ text: String) throws(Failure) -> WebURL {
        do throws(WebURLError) {
            return try WebURL(text)
        } catch {
            throw Failure(
                usage: redacted(text),
                "not a URL: \(error)",
                code: "url.invalid",
                nsURLErrorCode: -1000
            )
        }
    }

    private static func file(_ path: String) throws(Failure) -> WebURL {
        do throws(WebURLError) {
            return try WebURL(filePath: path.hasPrefix("/") ? path : "\(workingDirectory())/\(path)")
        } catch {
            throw Failure(usage: path, "not a path: \(error)", code: "file.path")
        }
    }

    private static func workingDirectory() -> String {
        guard let path = unsafe getcwd(nil, 0) else { return "/" }
        defer { unsafe free(path) }
        return unsafe String(cString: path)
    }

    /// A URL, possibly invalid, with everything that may be a password replaced by "***"; paths are left as they are.
    static func redacted(_ text: String) -> String {
        guard let at = text.lastIndex(of: "@") else { return text }
        // An "@" in the path or the query does not mark a password, and slashes before a host may be missing.
        if let url = try? WebURL(text) { return url.includesCredentials ? url.description : text }
        let scheme = text.prefix { $0 != ":" }
        guard text[..<at].contains("://") || ["http", "https"].contains(scheme.lowercased()) else {
            return text
        }
        return "\(scheme)://***\(text[at...])"
    }
}
