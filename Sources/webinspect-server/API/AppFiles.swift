import CServer
import WebStandards

/// The files of the app, which are part of the program.
enum AppFiles {
    /// The paths that all return the same page, whose script shows the view of the path.
    private static let pages: Set<String> = ["/", "/page", "/compare", "/rules", "/jobs"]

    /// Returns the file of a path, given the origin of the views of stored pages; `nil` if there is no such file.
    static func answer(_ path: String, views: String) -> HTTPAnswer? {
        if pages.contains(path) || path.hasPrefix("/jobs/") {
            guard var answer = file("index.html") else { return nil }
            answer.fields = [("content-security-policy", policy(views)), ("x-frame-options", "DENY")]
            return answer
        }
        guard path.hasPrefix("/assets/") else { return nil }
        return file(String(path.dropFirst("/assets/".count)))
    }

    private static func file(_ name: String) -> HTTPAnswer? {
        for index in 0..<webl_asset_count {
            guard let asset = unsafe webl_asset_at(index)?.pointee,
                unsafe String(cString: asset.name) == name
            else { continue }
            let body = unsafe [UInt8](UnsafeBufferPointer(start: asset.bytes, count: asset.length))
            return unsafe HTTPAnswer(type: String(cString: asset.type), body: .bytes(body))
        }
        return nil
    }

    /// The Content-Security-Policy: only the app's own files run or load, and text cannot become a script.
    private static func policy(_ views: String) -> String {
        """
        default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
        frame-src \(views); base-uri 'none'; form-action 'none'; frame-ancestors 'none'; \
        require-trusted-types-for 'script'; trusted-types default
        """
    }
}
