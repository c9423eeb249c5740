import WebLoader

/// What is remembered of a page that is watched: as it was seen last, and what is still to be told.
struct WatchMemory: Sendable {
    /// Something that happened, with who has not been told of it yet.
    struct Owed: Equatable, Sendable {
        /// What is told, as JSON.
        var event: JSONValue
        var owesLine = true
        var owesCommand = false
        var owesWebhook = false

        var isSettled: Bool { !owesLine && !owesCommand && !owesWebhook }
    }

    /// The most that is kept to be told; what is older is given up.
    static let maximumOwed = 100
    /// The same in bytes of JSON; the last is kept whatever its size.
    static let maximumOwedSize = 16 << 20

    let name: String
    /// The path of the list that it is in.
    var list = ""
    /// The entry's URL.
    let url: String
    /// When it was asked for.
    var date = Timestamp(millisecondsSince1970: 0)
    /// The page, as it was seen last.
    var response: WebResponse?
    /// Whether it was what scripts make of the page that was looked at.
    var isRendered = false
    /// What the recipe found on it, and which recipe that was.
    var data: JSONValue?
    var recipe: String?
    /// The conditions that held.
    var held: [String] = []
    /// Which assertions did not hold; nil if all did.
    var drift: String?
    /// How often in a row it could not be seen, where the list asks for that.
    var failures = 0
    var owed: [Owed] = []

    init(name: String, url: String) {
        self.name = name
        self.url = url
    }

    /// An entry of which nothing is known.
    init(_ entry: WatchEntry) {
        self.init(name: entry.name, url: entry.url.withoutCredentials.href)
    }

    /// Adds something to tell; returns how much is given up for it.
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

    /// The first word of a file, with the version of the format.
    private static let kind = "webinspect-watch 1"

    /// A line with the hash of the rest, a line of JSON, and the page's body.
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

    /// Reads a file; nil if it is none, or damaged.
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
