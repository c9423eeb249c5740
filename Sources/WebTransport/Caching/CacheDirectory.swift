import Glibc

/// The standard location of cache directories.
public enum CacheDirectory {
    /// The directory of this name in the user's cache directory: `$XDG_CACHE_HOME`, or `~/.cache`; nil if neither
    /// that nor `$HOME` is an absolute path.
    ///
    /// [XDG Base Directory Specification](https://specifications.freedesktop.org/basedir-spec/latest/)
    public static func standard(named name: String) -> String? {
        if let base = environment("XDG_CACHE_HOME") { return "\(base)/\(name)" }
        return environment("HOME").map { "\($0)/.cache/\(name)" }
    }

    private static func environment(_ name: String) -> String? {
        guard let value = unsafe getenv(name) else { return nil }
        let path = unsafe String(cString: value)
        return path.utf8.first == UInt8(ascii: "/") ? path : nil
    }
}
