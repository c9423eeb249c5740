public import Foundation

/// Chromium, headless, from Debian's package.
public enum Browser {
    private static let path = "/usr/bin/chromium"

    /// Whether it is installed: `Scripts/setup browser` does that.
    public static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Returns a page's document after its scripts have run, and what pages of its origin have written to the console.
    ///
    /// Names other than this machine's do not resolve. Chromium has two minutes.
    public static func open(
        _ url: String,
        in folder: URL
    ) async throws -> (document: String, console: [String]) {
        var arguments = [
            "--headless", "--disable-gpu", "--no-first-run", "--disable-extensions",
            "--disable-background-networking",
            "--disable-component-update", "--disable-dev-shm-usage", "--enable-logging=stderr",
            "--user-data-dir=\(folder.path)",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--virtual-time-budget=20000",
            "--dump-dom",
        ]
        // As root, as in a container, it has no sandbox.
        if geteuid() == 0 { arguments.append("--no-sandbox") }
        let outcome = try await Command.run(path, arguments + [url], seconds: 120)
        // It has messages of its own there, others in each version. Those of pages may have several lines.
        let origin = url.prefix(through: url.dropFirst("http://".count).firstIndex(of: "/") ?? url.startIndex)
        let messages = outcome.errors.matches(of: /(?s)CONSOLE[^\]]*\] (.*?), source: (\S*) \(\d+\)/)
        return (outcome.text, messages.filter { $0.2.hasPrefix(origin) }.map { String($0.1) })
    }
}
