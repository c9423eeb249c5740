public import Foundation

/// Chromium, headless, from Debian's package.
public enum Browser {
    private static let path = "/usr/bin/chromium"

    /// Whether it is installed: `Scripts/setup browser` does that.
    public static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// What a page has become once its scripts have run, and what was written to the console.
    ///
    /// Names but that of this machine do not resolve.
    public static func open(
        _ url: String,
        in folder: URL
    ) async throws -> (document: String, console: [String]) {
        var arguments = [
            "--headless", "--disable-gpu", "--no-first-run", "--disable-extensions",
            "--disable-background-networking",
            "--disable-component-update", "--enable-logging=stderr", "--user-data-dir=\(folder.path)",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--virtual-time-budget=20000",
            "--dump-dom",
        ]
        // As root, as in a container, it has no sandbox.
        if geteuid() == 0 { arguments.append("--no-sandbox") }
        let outcome = try await Command.run(path, arguments + [url])
        return (
            outcome.text,
            outcome.errors.split(separator: "\n").map(String.init).filter { $0.contains("CONSOLE") }
        )
    }
}
