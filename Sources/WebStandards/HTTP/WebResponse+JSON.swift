import HTTPTypes

/// A response without its body as members of JSON, for files that keep pages.
extension WebResponse {
    /// Fields that are secrets of the one who asked.
    private static let secretFields: Set<String> = ["set-cookie", "set-cookie2"]

    /// Its URL without credentials, its status and its fields but those that set cookies: `url`, `status`, `fields`.
    package var jsonMembers: [JSONValue.Member] {
        let fields = headerFields.filter { !Self.secretFields.contains($0.name.canonicalName) }
        return [
            .init("url", .string(url.withoutCredentials.href)),
            .init("status", JSONValue(status.map { Int($0.code) })),
            .init("fields", .array(fields.map { [.string($0.name.rawName), .string($0.value)] })),
        ]
    }

    /// Reads such members; nil without a URL.
    ///
    /// - Parameters:
    ///   - json: An object with the members.
    ///   - body: The body.
    ///   - source: Where it is said to be from, if it has a status; a response without one is a file's.
    package init?(_ json: JSONValue, body: [UInt8], source: Source) {
        guard let text = json["url"]?.string, let url = try? WebURL(text) else { return nil }
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
                fields.append(received: HTTPField(name: name, value: value))
            }
        }
        // Types are found in another way in what came from nowhere.
        self.init(
            url: url,
            status: status,
            headerFields: fields,
            body: body,
            source: status == nil ? .file : source
        )
    }
}
