import WebStandards

/// The list as the app reads it.
extension ListWindow {
    /// The rows, and how far reading the cache is, null if it is read.
    func json(reading progress: JSONValue) -> JSONValue {
        [
            "version": .integer(version), "total": .integer(Int64(total)), "pages": .integer(Int64(pages)),
            "hosts": .integer(Int64(hosts)), "damaged": .integer(Int64(damaged)),
            "from": .integer(Int64(from)), "indexing": progress, "rows": .array(rows.map(\.json)),
        ]
    }
}

extension ListRow {
    var json: JSONValue {
        switch self {
        case .section(let host, let count, let isOpen):
            ["section": .string(host), "count": .integer(Int64(count)), "open": .bool(isOpen)]
        case .page(let page): page.json
        }
    }
}

extension PageRow {
    var json: JSONValue {
        [
            "url": .string(url), "host": .string(host), "title": JSONValue(title),
            "status": JSONValue(status), "type": JSONValue(type), "bytes": JSONValue(bytes),
            "received_ms": received.map(JSONValue.integer) ?? .null,
            "expires_ms": expires.map(JSONValue.integer) ?? .null, "page": .bool(isPage),
            "stored": .bool(isStored), "kept": .bool(isKeptForOfflineUse),
        ]
    }
}

extension ListQuery {
    /// Reads the list that the parameters of a request name.
    init(_ request: HTTPRequest) throws(ServeError) {
        if let name = request.parameters["kind"] {
            guard let kind = Kind(rawValue: name) else { throw Self.unknown("kind", name) }
            self.kind = kind
        }
        if let name = request.parameters["sort"], !name.isEmpty {
            guard let sort = Sort(rawValue: name) else { throw Self.unknown("sort", name) }
            self.sort = sort
        }
        if let text = request.parameters["list"], !text.isEmpty {
            guard let number = Int(inBounds: text) else { throw Self.unknown("list", text) }
            list = Int64(number)
        }
        filter = request.parameters["filter"] ?? ""
        isDescending = request.parameters["order"] == "desc"
        isGrouped = request.parameters["group"] != "none"
    }

    private static func unknown(_ name: String, _ value: String) -> ServeError {
        ServeError(400, "usage", "\(name) cannot be \(value.shortened)")
    }
}
