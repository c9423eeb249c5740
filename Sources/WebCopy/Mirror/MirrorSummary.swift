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

        fileprivate init?(_ value: JSONValue) {
            guard let url = value["url"]?.string, let code = value["code"]?.string else { return nil }
            (self.url, self.code) = (url, code)
            isDeadLink = value["kind"]?.string == "link"
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

    init() {}

    /// Reads what ``json`` is; nil for anything else.
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
