import WebLoader
import WebSite

extension CheckedLink {
    /// The link as a line of JSON.
    var jsonLine: [UInt8] {
        var json = JSONWriter()
        json.name("code")
        json.write(JSONValue(code))
        json.name("column")
        json.write(JSONValue(column))
        json.name("fragment")
        json.write(JSONValue(fragment?.rawValue))
        json.name("from")
        json.write(JSONValue(origin?.rawValue))
        json.name("kind")
        json.write(kind)
        if isKnown {
            json.name("known")
            json.write(JSONValue.bool(true))
        }
        json.name("line")
        json.write(JSONValue(line))
        if isMoved {
            json.name("note")
            json.write("redirect.permanent")
        }
        json.name("page")
        json.write(JSONValue(page))
        json.name("redirects")
        json.beginArray()
        for (index, redirect) in redirects.enumerated() {
            if index > 0 { json.separator() }
            let outer = json.beginObject()
            json.name("status")
            json.write(Int64(redirect.status))
            json.name("url")
            json.write(redirect.url)
            json.endObject(outer)
        }
        json.endArray()
        json.name("result")
        json.write(result.rawValue)
        json.name("status")
        json.write(JSONValue(status))
        json.name("url")
        json.write(url)
        return json.written(isLine: true)
    }

    /// Reads a line that was written so; nil for any other.
    init?(jsonLine line: some Collection<UInt8>) {
        guard let json = try? JSONValue(parsing: line), let url = json["url"]?.string,
            let result = json["result"]?.string.flatMap(Result.init(rawValue:))
        else { return nil }
        self.init(
            page: json["page"]?.string,
            line: json["line"]?.number,
            column: json["column"]?.number,
            url: url,
            kind: json["kind"]?.string ?? "other",
            result: result,
            code: json["code"]?.string,
            status: json["status"]?.number,
            fragment: json["fragment"]?.string.flatMap(FragmentResult.init(rawValue:)),
            redirects: (json["redirects"]?.items ?? []).compactMap { hop in
                guard let url = hop["url"]?.string, let status = hop["status"]?.number else { return nil }
                return LinkRedirect(url: url, status: status)
            },
            origin: json["from"]?.string.flatMap(Origin.init(rawValue:))
        )
        isKnown = json["known"] == .bool(true)
    }
}

extension CheckSummary {
    /// The numbers as JSON, that of the new ones only where they were compared with others.
    func json(isCompared: Bool) -> JSONValue {
        var numbers = [
            ("pages", pages), ("links", links), ("ok", ok), ("broken", broken), ("unknown", unknown),
            ("skipped", skipped), ("moved", moved),
        ]
        if isCompared { numbers.append(("new", new)) }
        return .object(numbers.map { JSONValue.Member($0.0, .integer(Int64($0.1))) })
    }
}

extension JSONValue {
    fileprivate var number: Int? {
        guard case .integer(let number) = self else { return nil }
        return Int(bounded: number)
    }

    fileprivate var items: [JSONValue] {
        guard case .array(let items) = self else { return [] }
        return items
    }
}
