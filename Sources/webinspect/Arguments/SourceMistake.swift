import Glibc
import WebLoader

/// The likely meaning of a source that is neither a URL nor a file.
enum SourceMistake {
    /// Throws an error, before anything is loaded, for a source that is not a file and looks like a URL
    /// without its scheme.
    static func check(_ source: String) throws(Failure) {
        guard isMissing(source), isLikeURL(source) else { return }
        throw missing(source, "no such file; a URL begins with https://")
    }

    /// Throws an error, before anything is loaded, where the first source is no file and may be meant to be a command.
    static func check(command sources: [String]) throws(Failure) {
        guard let word = sources.first, isMissing(word), word.utf8.allSatisfy(\.isASCIIAlpha) else { return }
        let best = Suggestion.nearest(to: word, in: RootCommand.subcommandNames)
        guard sources.count > 1 || best != nil else { return }
        let hint = best.map { "; did you mean \($0)?" } ?? "; see webinspect --help"
        throw missing(word, "no such file, and no command\(hint)")
    }

    /// Throws an error for a file with the name of an archive, which contains pages but is not a page.
    static func check(archive source: String) throws(Failure) {
        let name = source.lowercased()
        guard let ending = archiveEndings.first(where: { name.hasSuffix($0) }),
            FileStatus(source, followsLinks: true)?.kind == .regular
        else { return }
        throw Failure(
            usage: source,
            "the name of an archive (\(ending)): URL --from \(source) is a page of it, --from \(source) --all each one"
        )
    }

    private static let archiveEndings = [
        ".warc", ".warc.gz", ".warc.zst", ".wacz", ".arc", ".arc.gz", ".har",
    ]

    private static func missing(_ source: String, _ message: String) -> Failure {
        Failure(subject: source, message, code: FileError.Code.notFound.rawValue, status: .file)
    }

    private static func isMissing(_ source: String) -> Bool {
        guard source != "-", !source.isEmpty, !source.contains("://") else { return false }
        let scheme = source.prefix { $0 != ":" }.lowercased()
        if scheme.utf8.count < source.utf8.count, ["http", "https", "file", "data"].contains(scheme) {
            return false
        }
        return unsafe access(source, F_OK) != 0 && errno == ENOENT
    }

    /// Whether a text begins with a host, as `www.example.com` and `example.com/page` do.
    private static func isLikeURL(_ source: String) -> Bool {
        let host = source.prefix { $0 != "/" && $0 != ":" && $0 != "?" }
        if host.lowercased().hasPrefix("www.") || host == "localhost" { return true }
        // A name with a dot alone may be that of a file: there are domains in "md" and "py".
        return source.utf8.count > host.utf8.count && PublicSuffix.registrableDomain(of: String(host)) != nil
    }
}
