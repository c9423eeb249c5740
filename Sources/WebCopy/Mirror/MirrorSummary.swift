import WebStandards

/// A summary of a mirror: its files, its changes, and the URLs that it lacks.
package struct MirrorSummary: Sendable {
    /// A URL that the mirror lacks.
    package struct Missing: Sendable {
        package let url: String
        /// The reason, as a stable code.
        package let code: String
        /// Whether it is a dead link of the site: the linked page does not exist (404, 410), and the copy lacks
        /// nothing.
        package let isDeadLink: Bool

        /// Creates an entry for a URL; credentials are removed, since the URL is displayed.
        init(_ url: String, _ code: String, isLinked: Bool = false) {
            self.url = (try? WebURL(url))?.withoutCredentials.href ?? url
            self.code = code
            isDeadLink = isLinked && (code == "http.404" || code == "http.410")
        }

        fileprivate init?(_ value: JSONValue) {
            guard let url = value["url"]?.string, let code = value["code"]?.string else { return nil }
            (self.url, self.code) = (url, code)
            isDeadLink = value["kind"]?.string == "link"
        }
    }

    /// The number of files of the copy, including its index page.
    package var files = 0
    /// The size of these files, in bytes.
    package var bytes = 0
    /// The URLs that the mirror lacks, in the order in which they were found.
    package var missing: [Missing] = []
    /// The number of dead links among ``missing``.
    package var deadLinks: Int { missing.count(where: \.isDeadLink) }
    /// The number of changes to pages and style sheets, besides links, by the name of the change.
    package var changed: [String: Int] = [:]

    init() {}

    /// Reads a summary from its ``json``; `nil` if it is invalid.
    init?(_ value: JSONValue) {
        guard let files = value["files"]?.number, let bytes = value["bytes"]?.number,
            case .array(let missing)? = value["missing"], case .object(let changed)? = value["changed"]
        else { return nil }
        self.files = Int(bounded: files)
        self.bytes = Int(bounded: bytes)
        self.missing = missing.compactMap { Missing($0) }
        for member in changed { self.changed[member.name] = Int(bounded: member.value.number ?? 0) }
        guard self.missing.count == missing.count else { return nil }
    }

    /// The summary as JSON.
    package var json: JSONValue {
        let missing = missing.map { missing -> JSONValue in
            let what = missing.isDeadLink ? "link" : "content"
            return ["code": .string(missing.code), "kind": .string(what), "url": .string(missing.url)]
        }
        let changed = changed.sorted { $0.key < $1.key }.map {
            JSONValue.Member($0.key, .integer(Int64($0.value)))
        }
        return [
            "bytes": .integer(Int64(bytes)), "changed": .object(changed), "files": .integer(Int64(files)),
            "missing": .array(missing),
        ]
    }
}
