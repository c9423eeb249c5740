import HTTPTypes
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
    private static let magic = "webinspect-watch 1 "
    /// Fields that are secrets of the one who asked.
    private static let secretFields: Set<String> = ["set-cookie", "set-cookie2"]

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
            let fields = response.headerFields.filter { !Self.secretFields.contains($0.name.canonicalName) }
            members.append(.init("url", .string(response.url.withoutCredentials.href)))
            members.append(.init("status", JSONValue(response.status.map { Int($0.code) })))
            members.append(
                .init("fields", .array(fields.map { [.string($0.name.rawName), .string($0.value)] }))
            )
        }
        let rest = JSONValue.object(members).lineInOrder + (response?.body ?? [])
        return Array("\(Self.magic)\(Self.hash(rest).hexadecimal(digits: 16))\n".utf8) + rest
    }

    /// Reads a file; nil if it is none, or damaged.
    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: 0x0A) else { return nil }
        let rest = Array(bytes[(end + 1)...])
        let head = Array("\(Self.magic)\(Self.hash(rest).hexadecimal(digits: 16))".utf8)
        guard bytes[..<end].elementsEqual(head), let lineEnd = rest.firstIndex(of: 0x0A),
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
        guard let text = json["url"]?.string, let url = try? WebURL(text) else { return }
        var status: HTTPResponse.Status?
        if case .integer(let code)? = json["status"], 100..<600 ~= code {
            status = HTTPResponse.Status(code: Int(bounded: code))
        }
        var fields = HTTPFields()
        if case .array(let items)? = json["fields"] {
            for case .array(let pair) in items {
                guard pair.count == 2, let name = pair[0].string.flatMap({ HTTPField.Name($0) }),
                    let value = pair[1].string
                else { continue }
                fields.append(HTTPField(name: name, value: value))
            }
        }
        response = WebResponse(
            url: url,
            status: status,
            headerFields: fields,
            body: Array(rest[(lineEnd + 1)...]),
            // What it was, since types are found in another way in what came from nowhere.
            source: status == nil ? .file : .network
        )
    }

    /// A hash that finds damage, not forgery.
    static func hash(_ bytes: [UInt8]) -> UInt64 {
        unsafe bytes.withUnsafeBufferPointer {
            unsafe KeyHash(k0: 0x7761_7463_685F_6C69, k1: 0x7374_5F6D_656D_6F72).hash($0)
        }
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
