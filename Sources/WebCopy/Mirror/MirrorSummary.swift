import WebStandards

/// What a mirror has.
package struct MirrorSummary: Sendable {
    /// What could not be had.
    package struct Missing: Sendable {
        package let url: String
        /// Why, by a stable code.
        package let code: String
        /// Whether it is a dead link of the site: the page that it leads to is not there (404, 410), and the copy lacks nothing.
        package let isDeadLink: Bool

        /// Names a URL; a password in it is left out, since it is shown.
        init(_ url: String, _ code: String, isLinked: Bool = false) {
            self.url = (try? WebURL(url))?.withoutCredentials.href ?? url
            self.code = code
            isDeadLink = isLinked && (code == "http.404" || code == "http.410")
        }
    }

    /// Files of the copy, its index page among them.
    package var files = 0
    /// Their bytes.
    package var bytes = 0
    /// What could not be had, in the order of finding.
    package var missing: [Missing] = []
    /// How many of these are dead links.
    package var deadLinks: Int { missing.count(where: \.isDeadLink) }
    /// What was changed on pages and in style sheets, by its name, besides links.
    package var changed: [String: Int] = [:]
}
