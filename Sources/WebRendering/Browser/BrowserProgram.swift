import Glibc

/// The program of a browser, which is not part of this one.
struct BrowserProgram: Sendable, Equatable {
    /// The names of the program on the systems that have it, in the order in which they are looked up.
    static let names = [
        "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "headless_shell",
    ]

    /// Its path, from the root.
    let path: String

    private init(path: String) {
        self.path = path
    }

    /// Finds the browser of a path or a name, else that of `$WEBINSPECT_BROWSER`, else the first in `PATH` of those known.
    ///
    /// - Parameters:
    ///   - named: A path, or a name in `PATH`; nil for any browser.
    ///   - variable: The value of an environment variable.
    /// - Returns: A program that can be run.
    /// - Throws: ``/WebLoader/RenderingError`` of code `render.unavailable`, if there is none.
    static func find(
        _ named: String? = nil,
        variable: (String) -> String? = BrowserEnvironment.value
    ) throws(RenderingError) -> BrowserProgram {
        let folders = (variable("PATH") ?? BrowserEnvironment.usualPath).split(separator: ":")
            // Relative folders are ignored.
            .filter { $0.hasPrefix("/") }
        func installed(_ name: String) -> String? {
            folders.lazy.map { "\($0)/\(name)" }.first(where: isProgram)
        }
        func chosen(_ name: String, _ place: String) throws(RenderingError) -> BrowserProgram {
            let path = name.utf8.contains(UInt8(ascii: "/")) ? absolute(name) : installed(name)
            guard let path, isProgram(path) else {
                let reason = "\(place) is no program that can be run: \(name.shortened)"
                throw RenderingError(.unavailable, reason)
            }
            return BrowserProgram(path: path)
        }
        if let named { return try chosen(named, "the browser") }
        if let name = variable("WEBINSPECT_BROWSER"), !name.isEmpty {
            return try chosen(name, "WEBINSPECT_BROWSER")
        }
        guard let path = names.lazy.compactMap(installed).first else {
            throw RenderingError(
                .unavailable,
                "there is no browser in PATH, as \(names.joined(separator: ", ")): install one "
                    + "(Debian: apt install chromium), or have WEBINSPECT_BROWSER say where one is"
            )
        }
        return BrowserProgram(path: path)
    }

    private static func isProgram(_ path: String) -> Bool {
        // Folders can be executable, too.
        unsafe !path.utf8.contains(0) && access(path, X_OK) == 0 && access(path + "/", F_OK) != 0
    }

    /// Returns an absolute path; `nil` if the current folder of this process is gone.
    private static func absolute(_ path: String) -> String? {
        if path.hasPrefix("/") { return path }
        guard let folder = unsafe getcwd(nil, 0) else { return nil }
        defer { unsafe free(folder) }
        return unsafe "\(String(cString: folder))/\(path)"
    }
}
