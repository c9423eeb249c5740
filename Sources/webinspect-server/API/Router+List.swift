import WebStandards

/// The list of stored pages, and the user's own lists.
extension Router {
    func list(_ request: HTTPRequest) async throws(ServeError) -> JSONValue {
        let query = try ListQuery(request)
        let from = request.number("from", default: 0, in: 0...Int(Int32.max))
        let count = request.number("count", default: 100, in: 0...Catalogue.largestWindow)
        let window = try await catalogue.run { try $0.window(query, from: from, count: count) }
        return window.json(reading: indexer.progress)
    }

    func position(_ request: HTTPRequest) async throws(ServeError) -> JSONValue {
        let query = try ListQuery(request)
        let url = try request.parameter("url")
        return ["index": JSONValue(try await catalogue.run { try $0.position(of: url, in: query) })]
    }

    func setFold(_ body: JSONValue) async throws(ServeError) {
        let host = body["host"]?.string
        let isClosed = body["open"] == .bool(false)
        try await change { try $0.setFold(host: host, isClosed: isClosed) }
    }

    // MARK: - Pages

    /// Adds loads of pages, and adds the pages to a list if one is named.
    func load(_ body: JSONValue) async throws(ServeError) -> JSONValue {
        var urls = try body.strings("urls", atMost: Catalogue.mostURLs)
        if let url = body["url"]?.string { urls.append(url) }
        guard !urls.isEmpty else { throw ServeError(400, "usage", "url or urls is missing") }
        let list = body["list"] == nil ? nil : try body.identifier("list")
        if let list { try await catalogue.run { try $0.checkList(list) } }
        let (loads, rejected) = try loads.add(urls, reloads: body["reload"] == .bool(true))
        if let list {
            let kept = loads.map { $0.url.withoutFragment.withoutCredentials.href }
            try await change { try $0.addToList(list, urls: kept, before: nil) }
            events.send("lists", true)
        }
        let added = loads.map { ["id": .integer($0.id), "url": .string($0.url.href)] as JSONValue }
        return ["loads": .array(added), "rejected": .array(rejected)]
    }

    /// Returns the rows of those URLs that are in the cache.
    func kept(_ body: JSONValue) async throws(ServeError) -> JSONValue {
        let urls = try body.strings("urls", atMost: Catalogue.mostURLs)
        return ["kept": .array(try await catalogue.run { try $0.kept(urls) }.map(\.json))]
    }

    func remove(_ body: JSONValue) async throws(ServeError) -> JSONValue {
        let urls = try body.strings("urls", atMost: Catalogue.mostURLs)
        let hosts = try body.strings("hosts", atMost: Catalogue.mostURLs)
        let now = Timestamp.now.millisecondsSince1970
        let (undo, count) = try await change { try $0.remove(urls: urls, hosts: hosts, now: now) }
        return ["undo": undo.map(JSONValue.integer) ?? .null, "count": .integer(Int64(count))]
    }

    func undo(_ body: JSONValue) async throws(ServeError) -> JSONValue {
        let id = try body.identifier("undo")
        return ["count": .integer(Int64(try await change { try $0.undo(id) }))]
    }

    /// Changes the list, and reports its new version.
    private func change<Value: Sendable>(
        _ body: @escaping @Sendable (Catalogue) throws -> Value
    ) async throws(ServeError) -> Value {
        let (value, version) = try await catalogue.run { (try body($0), $0.version) }
        events.send(list: version)
        return value
    }

    // MARK: - Lists of one's own

    func lists() async throws(ServeError) -> JSONValue {
        let lists = try await catalogue.run { try $0.lists() }
        return [
            "lists": .array(
                lists.map {
                    [
                        "id": .integer($0.id), "name": .string($0.name),
                        "count": .integer(Int64($0.count)),
                    ]
                }
            )
        ]
    }

    /// Performs the action that follows "lists/" in the path; an empty action creates a list.
    func changeLists(_ action: String, _ body: JSONValue) async throws(ServeError) -> JSONValue {
        var answer: JSONValue = [:]
        switch action {
        case "":
            let name = try body.member("name")
            answer = ["id": .integer(try await change { try $0.createList(name: name) })]
        case "rename":
            let (id, name) = (try body.identifier(), try body.member("name"))
            try await change { try $0.renameList(id, to: name) }
        case "delete":
            let id = try body.identifier()
            try await change { try $0.deleteList(id) }
        case "add":
            let (id, urls) = (try body.identifier(), try body.strings("urls", atMost: Catalogue.mostURLs))
            let before = body["before"]?.string
            try await change { try $0.addToList(id, urls: urls, before: before) }
        case "take":
            let (id, urls) = (try body.identifier(), try body.strings("urls", atMost: Catalogue.mostURLs))
            try await change { try $0.takeFromList(id, urls: urls) }
        case "move":
            let (id, url) = (try body.identifier(), try body.member("url"))
            let before = body["before"]?.string
            try await change { try $0.moveInList(id, url: url, before: before) }
        default: throw Self.missing
        }
        events.send("lists", true)
        return answer
    }

    func setSettings(_ body: JSONValue) async throws(ServeError) {
        let settings = body["settings"] ?? .null
        try await catalogue.run { try $0.setSettings(settings) }
    }
}
