import WebStandards

/// The description of an exchange in a HAR, without its body: the members of an entry as JSON.
struct HAREntryDescription {
    /// The members before the response.
    let start: [UInt8]
    /// The members of the response except `content`.
    let response: [UInt8]
    /// The members after the response.
    let end: [UInt8]
    let mimeType: String

    private typealias Member = JSONValue.Member

    init(_ exchange: ArchivedExchange, withSecrets: Bool) {
        let timings = HARTimings(exchange.timing)
        start = Self.members([
            Member("startedDateTime", .string(Self.text(of: exchange.date))),
            Member("time", .number(timings.total)),
            Member("request", Self.request(exchange, withSecrets)),
        ])
        mimeType = Self.contentType(of: exchange) ?? ""
        let fields = HARFields(exchange.responseFields, of: exchange.url, withSecrets: withSecrets)
        response = Self.members([
            Member("status", JSONValue(exchange.status)), Member("statusText", .string(exchange.reason)),
            Member("httpVersion", .string("HTTP/" + exchange.version)),
            Member("cookies", .array(fields.responseCookies)), Member("headers", .array(fields.list)),
            Member("redirectURL", .string(fields["Location"] ?? "")), Member("headersSize", -1),
            Member("bodySize", JSONValue(exchange.body?.count ?? -1)),
        ])
        var end = [Member("cache", .object([])), Member("timings", timings.json)]
        if let address = exchange.address { end.append(Member("serverIPAddress", .string(address))) }
        self.end = Self.members(end)
    }

    private static func members(_ members: [Member]) -> [UInt8] {
        Array(JSONValue.object(members).serialized(sortingNames: false).dropFirst().dropLast())
    }

    /// The value of the last Content-Type, nil without one.
    static func contentType(of exchange: ArchivedExchange) -> String? {
        exchange.responseFields.last { $0.name.isEqualIgnoringASCIICase(to: "Content-Type") }
            .map { HARFields.text($0.value) }
    }

    private static func text(of date: Timestamp) -> String {
        let rest = date.millisecondsSince1970 &- date.secondsSince1970 &* 1000
        let digits = String(rest)
        return date.text.dropLast() + "." + String(repeating: "0", count: max(0, 3 - digits.utf8.count))
            + digits + "Z"
    }

    // MARK: - Request

    private static func request(_ exchange: ArchivedExchange, _ withSecrets: Bool) -> JSONValue {
        let url = withSecrets ? exchange.url : exchange.url.withoutCredentials
        let fields = HARFields(exchange.requestFields, of: url, withSecrets: withSecrets)
        var members = [
            Member("method", .string(exchange.method)), Member("url", .string(url.href)),
            Member("httpVersion", .string("HTTP/" + exchange.version)),
            Member("cookies", .array(fields.requestCookies)), Member("headers", .array(fields.list)),
            Member("queryString", .array(queryString(of: url))), Member("headersSize", -1),
            Member("bodySize", JSONValue(exchange.requestBody.count)),
        ]
        if !exchange.requestBody.isEmpty {
            let type = fields["Content-Type"] ?? ""
            let data = withSecrets ? postData(exchange.requestBody, type: type) : withoutText(type)
            members.append(Member("postData", data))
        }
        return .object(members)
    }

    /// The body of a request; HAR has no place for one that is no text, so that it is said how it is written.
    private static func postData(_ body: [UInt8], type: String) -> JSONValue {
        guard let text = String(validating: body, as: UTF8.self) else {
            return [
                "mimeType": .string(type), "params": [], "text": .string(Base64.encode(body)),
                "encoding": "base64",
            ]
        }
        return ["mimeType": .string(type), "params": [], "text": .string(text)]
    }

    /// A body of a request that is not passed on.
    ///
    /// Which of its parts are secrets, whatever its type, only its server knows.
    private static func withoutText(_ type: String) -> JSONValue {
        ["mimeType": .string(type), "params": [], "text": "", "comment": "left out: it may have secrets"]
    }

    private static func queryString(of url: WebURL) -> [JSONValue] {
        guard let query = url.query, !query.isEmpty else { return [] }
        return query.utf8.split(separator: UInt8(ascii: "&")).map { pair in
            let name = pair.prefix { $0 != UInt8(ascii: "=") }
            return [
                "name": .string(decoded(name)), "value": .string(decoded(pair.dropFirst(name.count + 1))),
            ]
        }
    }

    /// A name or a value of a form, decoded.
    private static func decoded(_ text: Substring.UTF8View) -> String {
        func value(_ byte: UInt8) -> UInt8? {
            Character(Unicode.Scalar(byte)).hexDigitValue.map { UInt8(truncatingIfNeeded: $0) }
        }
        let input = Array(text)
        var output: [UInt8] = []
        var index = 0
        while index < input.count {
            if input[index] == UInt8(ascii: "%"), index + 2 < input.count, let high = value(input[index + 1]),
                let low = value(input[index + 2])
            {
                output.append(high << 4 | low)
                index += 3
            } else {
                output.append(input[index] == UInt8(ascii: "+") ? 0x20 : input[index])
                index += 1
            }
        }
        return String(decoding: output, as: UTF8.self)
    }
}
