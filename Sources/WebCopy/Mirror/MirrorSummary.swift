import WebStandards

/// What a mirror has.
package struct MirrorSummary: Sendable {
    /// What could not be had.
    package struct Missing: Sendable {
        package let url: String
        /// Why, by a stable code.
        package let code: String

        /// Names a URL; a password in it is left out, since it is shown.
        init(_ url: String, _ code: String) {
            self.url = (try? WebURL(url))?.withoutCredentials.href ?? url
            self.code = code
        }
    }

    /// Files of the copy, its index page among them.
    package var files = 0
    /// Their bytes.
    package var bytes = 0
    /// What could not be had, in the order of finding.
    package var missing: [Missing] = []
    /// What was changed on pages and in style sheets, by its name, besides links.
    package var changed: [String: Int] = [:]
}
