import WebLoader

/// The stored state of a watched page: the page as it was last seen, and the pending notifications.
struct WatchMemory: Sendable {
    /// An event, with the channels that have not received it yet.
    struct Owed: Equatable, Sendable {
        /// The event to report, as JSON.
        var event: JSONValue
        var owesLine = true
        var owesCommand = false
        var owesWebhook = false

        var isSettled: Bool { !owesLine && !owesCommand && !owesWebhook }
    }

    /// The maximum number of pending notifications; older ones are discarded.
    static let maximumOwed = 100
    /// The same limit in bytes of JSON; the last notification is stored whatever its size.
    static let maximumOwedSize = 16 << 20

    let name: String
    /// The path of the list with the entry.
    var list = ""
    /// The entry's URL.
    let url: String
    /// The time of the last request.
    var date = Timestamp(millisecondsSince1970: 0)
    /// The page, as it was last seen.
    var response: WebResponse?
    /// Whether the page was rendered.
    var isRendered = false
    /// The values that the recipe extracted, with the hash of the recipe.
    var data: JSONValue?
    var recipe: String?
    /// The conditions that held.
    var held: [String] = []
    /// The assertions that did not hold; `nil` if all did.
    var drift: String?
    /// The number of failures in a row, if the entry has a limit.
    var failures = 0
    var owed: [Owed] = []

    init(name: String, url: String) {
        self.name = name
        self.url = url
    }

    /// Creates the state of an entry that was never seen.
    init(_ entry: WatchEntry) {
        self.init(name: entry.name, url: entry.url.withoutCredentials.href)
    }

    /// Adds a notification; returns the number of older ones that are discarded for it.
    mutating func owe(_ owed: Owed) -> Int {
        self.owed.append(owed)
        let before = self.owed.count
        self.owed.removeFirst(max(0, before - Self.maximumOwed))
        var size = self.owed.reduce(0) { $0 +| $1.event.serialized().count }
        while size > Self.maximumOwedSize, self.owed.count > 1 {
            size -= self.owed.removeFirst().event.serialized().count
        }
        return before - self.owed.count
    }

    // MARK: - In a file

    /// The kind in the first line of a file, with the version of the format.
    private static let kind = "webinspect-watch 1"

    /// The content of a file: a line with the hash of the rest, a line of JSON, and the page's body.
    var bytes: [UInt8] {
        var members: [JSONValue.Member] = [
            .init("name", .string(name)), .init("list", .string(list)), .init("asked", .string(url)),
            .init("date", .integer(date.millisecondsSince1970)),
            .init("held", .array(held.map(JSONValue.string))), .init("drift", JSONValue(drift)),
            .init("failures", JSONValue(failures)),
            .init("recipe", JSONValue(recipe)), .init("owed", .array(owed.map(\.json))),
        ]
        if let data { members.append(.init("data", data)) }
        if let response {
            members += response.jsonMembers
            if response.source == .rendered { members.append(.init("rendered", true)) }
        }
        if isRendered { members.append(.init("render", true)) }
        return SealedBytes.seal(JSONValue.object(members).lineInOrder + (response?.body ?? []), as: Self.kind)
    }

    /// Parses a file; `nil` if it has another kind, or is damaged.
    init?(_ bytes: [UInt8]) {
        guard let rest = SealedBytes.open(bytes, as: Self.kind), let lineEnd = rest.firstIndex(of: 0x0A),
            let json = try? JSONValue(parsing: rest[..<lineEnd]), let name = json["name"]?.string,
            let asked = json["asked"]?.string
        else { return nil }
        self.init(name: name, url: asked)
        list = json["list"]?.string ?? ""
        if case .integer(let count)? = json["failures"] { failures = Int(bounded: count) }
        if case .integer(let milliseconds)? = json["date"] {
            date = Timestamp(millisecondsSince1970: milliseconds)
        }
        if case .array(let items)? = json["held"] { held = items.compactMap(\.string) }
        drift = json["drift"]?.string
        recipe = json["recipe"]?.string
        data = json["data"]
        if case .array(let items)? = json["owed"] { owed = items.compactMap(Owed.init) }
        response = WebResponse(json, body: Array(rest[(lineEnd + 1)...]), source: .network)
        if json["rendered"] == true { response?.source = .rendered }
        isRendered = json["render"] == true
    }
}

extension WatchMemory.Owed {
    fileprivate var json: JSONValue {
        [
            "event": event, "line": .bool(owesLine), "command": .bool(owesCommand),
            "webhook": .bool(owesWebhook),
        ]
    }

    fileprivate init?(_ json: JSONValue) {
        guard let event = json["event"] else { return nil }
        self.init(
            event: event,
            owesLine: json["line"] == true,
            owesCommand: json["command"] == true,
            owesWebhook: json["webhook"] == true
        )
    }
}
