import Glibc

/// The environment of a browser: of this process's, only the language, the time zone, and the paths of programs,
/// libraries and fonts.
enum BrowserEnvironment {
    /// The folders of programs if `PATH` is not set.
    static let usualPath = "/usr/local/bin:/usr/bin:/bin"

    private static let kept = [
        "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME", "LC_COLLATE",
        "LC_MONETARY",
        "TZ", "LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH",
    ]

    /// Returns the value of an environment variable of this process; `nil` if it is not set.
    static func value(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// Returns the variables of a browser with a folder: all that it stores is there, and is removed with it.
    static func variables(folder: String) -> [String] {
        [
            "PATH=\(value("PATH") ?? usualPath)", "HOME=\(folder)", "TMPDIR=\(folder)",
            "XDG_CONFIG_HOME=\(folder)/config", "XDG_CACHE_HOME=\(folder)/cache",
            "XDG_DATA_HOME=\(folder)/data", "XDG_STATE_HOME=\(folder)/state", "XDG_RUNTIME_DIR=\(folder)",
            // Without an address, the usual one is tried.
            "DBUS_SESSION_BUS_ADDRESS=disabled:", "DBUS_SYSTEM_BUS_ADDRESS=disabled:",
        ] + kept.compactMap { name in value(name).map { "\(name)=\($0)" } }
    }

    /// The folder in which those of browsers are created: that of temporary files, unless its path is too long.
    static var place: String {
        guard let folder = value("TMPDIR"), folder.hasPrefix("/"), folder.utf8.count <= longestPlace else {
            return "/tmp"
        }
        return folder
    }

    /// The maximum length of ``place``, in bytes.
    ///
    /// The path of a local socket has 107 bytes at most, and the browser ends if that of its own is longer:
    /// `/webinspect-browser-4194304-xxxxxx/org.chromium.Chromium.XXXXXX/SingletonSocket` in this folder.
    private static let longestPlace = 107 - 34 - 29 - 16
}
