import WebLoader
import WebSite

/// The saved state of a session: its history and its cookies, as JSON.
///
/// ```json
/// {"version":1,"current":0,"entries":[{"id":1,"url":"https://example.com/","initial_url":"https://example.com/",
/// "title":"Example","time":1767225600000,"page":"0123456789abcdef"}],"cookies":[]}
/// ```
struct SessionState: Sendable {
    var entries: [HistoryEntry] = []
    var currentIndex: Int?
    var cookies: [Cookie] = []

    /// The version of the format; other versions are not read.
    static let version: Int64 = 1

    /// The largest state that is read, in bytes.
    static let maximumSize = 32 << 20

    // MARK: - Writing

    /// The state as JSON, with a line feed at its end.
    var bytes: [UInt8] {
        JSONValue.object([
            .init("version", .integer(Self.version)), .init("current", JSONValue(currentIndex)),
            .init("entries", .array(entries.map(Self.json))),
            .init("cookies", .array(cookies.map(Self.json))),
        ]).lineInOrder
    }

    private static func json(_ entry: HistoryEntry) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("id", JSONValue(entry.id)), .init("url", .string(entry.url.href)),
            .init("initial_url", .string(entry.initialURL.href)),
            .init("time", .integer(entry.date.millisecondsSince1970)),
        ]
        func add(_ name: String, _ value: String?) {
            if let value { members.append(.init(name, .string(value))) }
        }
        add("title", entry.title)
        add("page", entry.cacheKey)
        if entry.httpMethod != "GET" { add("method", entry.httpMethod) }
        add("referrer", entry.referrer?.href)
        if let view = entry.view {
            var parts: [JSONValue.Member] = [
                .init("text", .string(view.text)), .init("offset", JSONValue(view.offset)),
            ]
            if let path = view.path { parts.append(.init("path", .string(path))) }
            if let position = view.position {
                parts.append(.init("line", JSONValue(position.line)))
                parts.append(.init("column", JSONValue(position.column)))
            }
            members.append(.init("view", .object(parts)))
        }
        return .object(members)
    }

    private static func json(_ cookie: Cookie) -> JSONValue {
        var members: [JSONValue.Member] = [
            .init("name", .string(cookie.name)), .init("value", .string(cookie.value)),
            .init("domain", .string(cookie.domain)), .init("path", .string(cookie.path)),
            .init("host_only", .bool(cookie.isHostOnly)), .init("secure", .bool(cookie.isSecure)),
            .init("http_only", .bool(cookie.isHTTPOnly)),
        ]
        if let sameSite = cookie.sameSite { members.append(.init("same_site", .string(sameSite.rawValue))) }
        if let expires = cookie.expires {
            members.append(.init("expires", .integer(expires.millisecondsSince1970)))
        }
        return .object(members)
    }

    // MARK: - Reading

    init() {}

    /// Reads a state.
    ///
    /// - Throws: `StateError`: `state.version` for another version, `state.damaged` for an invalid or incomplete state.
    init(_ bytes: [UInt8]) throws(StateError) {
        guard bytes.count <= Self.maximumSize else {
            throw StateError(
                .damaged,
                "the session's state has \(bytes.count) bytes, more than the \(Self.maximumSize) that one may have"
            )
        }
        let json: JSONValue
        do throws(JSONValue.ParsingError) {
            json = try JSONValue(parsing: bytes)
        } catch {
            throw Self.damaged("\(error.message) (line \(error.line), column \(error.column))")
        }
        switch json["version"] {
        case .integer(Self.version)?: break
        case let version?:
            let found = String(decoding: version.serialized(), as: UTF8.self).prefix(40)
            throw StateError(
                .version,
                "the session's state is of version \(found), and this program reads version \(Self.version)"
            )
        case nil: throw Self.damaged("it has no version")
        }
        guard case .array(let entries)? = json["entries"], case .array(let cookies)? = json["cookies"] else {
            throw Self.damaged("it has no entries, or no cookies")
        }
        for (number, entry) in entries.enumerated() {
            guard let entry = Self.entry(entry) else {
                throw Self.damaged("entry \(number + 1) has no ID, URL, initial URL or time")
            }
            self.entries.append(entry)
        }
        guard Set(self.entries.map(\.id)).count == self.entries.count else {
            throw Self.damaged("two entries have the same ID")
        }
        if case .integer(let index)? = json["current"] { currentIndex = Int(bounded: index) }
        guard
            self.entries.isEmpty
                ? currentIndex == nil : currentIndex.map(self.entries.indices.contains) == true
        else { throw Self.damaged("it does not say which entry is in view") }
        self.cookies = cookies.compactMap(Self.cookie)
    }

    private static func damaged(_ reason: String) -> StateError {
        StateError(.damaged, "the session's state is damaged: \(reason)")
    }

    private static func entry(_ json: JSONValue) -> HistoryEntry? {
        guard case .integer(let id)? = json["id"], id > 0, id < 1 << 53, let url = url(json["url"]),
            let initialURL = self.url(json["initial_url"]), case .integer(let time)? = json["time"]
        else { return nil }
        var view: HistoryEntry.View?
        if let json = json["view"], let text = json["text"]?.string {
            var position: SourcePosition?
            if case .integer(let line)? = json["line"], line > 0 {
                var column: Int?
                if case .integer(let number)? = json["column"], number > 0 { column = Int(bounded: number) }
                position = SourcePosition(line: Int(bounded: line), column: column)
            }
            var offset = 0
            if case .integer(let number)? = json["offset"] { offset = max(0, Int(bounded: number)) }
            view = HistoryEntry.View(
                text: text.prefix(scalars: HistoryEntry.titleLength),
                path: json["path"]?.string.flatMap { $0.utf8.count <= HistoryEntry.pathSize ? $0 : nil },
                offset: offset,
                position: position
            )
        }
        return HistoryEntry(
            id: Int(bounded: id),
            url: url,
            initialURL: initialURL,
            title: HistoryEntry.title(json["title"]?.string),
            date: Timestamp(millisecondsSince1970: time),
            httpMethod: json["method"]?.string == "POST" ? "POST" : "GET",
            referrer: self.url(json["referrer"]).flatMap {
                $0.href.utf8.count <= HistoryEntry.referrerSize ? $0 : nil
            },
            cacheKey: json["page"]?.string.flatMap { KeptPages.isKey($0) ? $0 : nil },
            view: view
        )
    }

    private static func url(_ json: JSONValue?) -> WebURL? {
        // The caller reports an entry without a valid URL as damage.
        json?.string.flatMap { try? WebURL($0) }
    }

    /// Reads a cookie; `nil` if it is invalid, as the jar would not accept it either.
    private static func cookie(_ json: JSONValue) -> Cookie? {
        guard let name = json["name"]?.string, let value = json["value"]?.string,
            let domain = json["domain"]?.string, let path = json["path"]?.string
        else { return nil }
        var cookie = Cookie(name: name, value: value, domain: domain, path: path)
        cookie.isHostOnly = json["host_only"] != false
        cookie.isSecure = json["secure"] == true
        cookie.isHTTPOnly = json["http_only"] == true
        cookie.sameSite = json["same_site"]?.string.flatMap { Cookie.SameSite(rawValue: $0) }
        if case .integer(let time)? = json["expires"] {
            cookie.expires = Timestamp(millisecondsSince1970: time)
        }
        guard !cookie.isHostOnly else { return cookie }
        // As for cookies from servers: never for a public suffix, and an address has no subdomains.
        if WebURL.isAddress(host: domain) { cookie.isHostOnly = true }
        return PublicSuffix.contains(domain) ? nil : cookie
    }
}
