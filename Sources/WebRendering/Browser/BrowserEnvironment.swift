import Glibc

/// What a browser has as its environment: nothing of this process's but the language, the time zone, and where programs are.
enum BrowserEnvironment {
    /// Where programs are if nothing says so.
    static let usualPath = "/usr/local/bin:/usr/bin:/bin"

    private static let kept = [
        "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "LC_NUMERIC", "LC_TIME", "LC_COLLATE",
        "LC_MONETARY",
        "TZ", "LD_LIBRARY_PATH", "FONTCONFIG_FILE", "FONTCONFIG_PATH",
    ]

    /// The value of a variable of this process's; nil if it has none.
    static func value(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }

    /// The variables of a browser whose folder has that path: all that it keeps is there, and goes with it.
    static func variables(folder: String) -> [String] {
        [
            "PATH=\(value("PATH") ?? usualPath)", "HOME=\(folder)", "TMPDIR=\(folder)",
            "XDG_CONFIG_HOME=\(folder)/config", "XDG_CACHE_HOME=\(folder)/cache",
            "XDG_DATA_HOME=\(folder)/data", "XDG_STATE_HOME=\(folder)/state", "XDG_RUNTIME_DIR=\(folder)",
            // Where there is no address, the usual one is tried.
            "DBUS_SESSION_BUS_ADDRESS=disabled:", "DBUS_SYSTEM_BUS_ADDRESS=disabled:",
        ] + kept.compactMap { name in value(name).map { "\(name)=\($0)" } }
    }

    /// The folder that those of browsers are made in: that of temporary files, unless its path is too long.
    static var place: String {
        guard let folder = value("TMPDIR"), folder.hasPrefix("/"), folder.utf8.count <= longestPlace else {
            return "/tmp"
        }
        return folder
    }

    /// The path of a local socket has 107 bytes at most, and the browser ends where that of its own has more:
    /// `/webinspect-browser-4194304-xxxxxx/org.chromium.Chromium.XXXXXX/SingletonSocket` in this one.
    private static let longestPlace = 107 - 34 - 29 - 16
}
