import HTTPTypes

/// A relay that answers the requests of a page: with the page itself, which was loaded before, or through the page's
/// loader.
///
/// The browser cannot open a socket, so that no request bypasses this.
struct RequestRelay: Sendable {
    /// A request that the browser holds until it is answered.
    struct Held: Sendable {
        let id: String
        let session: String?
        /// The request's identifier in network events; `nil` if there are none.
        let name: String?
        let url: WebURL
        let request: Rendering.Request
        let fields: [(name: String, value: String)]
        let body: [UInt8]?
        /// Whether the response is to replace the page.
        var isNavigation = false

        /// Reads the parameters of `Fetch.requestPaused`; `nil` if they are invalid.
        init?(_ parameters: JSONValue, session: String?) {
            guard let id = parameters["requestId"]?.string, let asked = parameters["request"],
                let text = asked["url"]?.string, let url = try? WebURL(text)
            else { return nil }
            self.id = id
            self.session = session
            name = parameters["networkId"]?.string
            self.url = url
            var fields: [(name: String, value: String)] = []
            if case .object(let members) = asked["headers"] ?? .null {
                for member in members { fields.append((member.name, member.value.string ?? "")) }
            }
            let isStream = fields.contains {
                $0.name.lowercased() == "accept" && $0.value == "text/event-stream"
            }
            request = Rendering.Request(
                url: url.withoutFragment.description.prefix(scalars: 2000),
                method: (asked["method"]?.string ?? "GET").prefix(scalars: 100),
                kind: isStream ? "eventsource" : parameters["resourceType"]?.string?.lowercased() ?? "other"
            )
            self.fields = fields
            if case .array(let entries) = asked["postDataEntries"] ?? .null {
                body = entries.reduce(into: []) { $0 += Base64.decode($1["bytes"]?.string ?? "") }
            } else {
                body = asked["postData"]?.string.map { Array($0.utf8) }
            }
        }
    }

    let pipe: BrowserPipe
    let page: ServedPage
    let record: RenderingRecord
    /// The URL of the page in the browser.
    let pageURL: WebURL
    /// The slots of concurrent loads.
    private let slots = TaskSlots(16)

    init(pipe: BrowserPipe, page: ServedPage, record: RenderingRecord, pageURL: WebURL) {
        (self.pipe, self.page, self.record, self.pageURL) = (pipe, page, record, pageURL)
    }

    /// The fields of requests that the loader sets: those about the connection, the encodings that it decodes, and its
    /// identity, and those that only browsers may send.
    private static let ownFields: Set<String> = [
        "accept-encoding", "connection", "content-length", "cookie", "host", "keep-alive", "te", "trailer",
        "transfer-encoding", "upgrade", "upgrade-insecure-requests", "user-agent",
    ]

    /// The fields of responses that described the connection, or bytes that are decoded by now.
    private static let droppedFields: Set<String> = [
        "alt-svc", "connection", "content-encoding", "content-length", "keep-alive", "nel", "report-to",
        "reporting-endpoints", "strict-transport-security", "transfer-encoding",
    ]

    /// Answers a request, once there is an answer.
    func answer(_ held: Held, isPage: Bool) async {
        guard let number = record.begin(held.request, sending: held.body?.count ?? 0) else {
            return fail(held)
        }
        let result: Result<WebResponse, LoadError>
        if isPage {
            result = .success(page.response)
        } else {
            // Each response is in memory until the browser has it.
            await slots.enter()
            defer { slots.leave() }
            do throws(LoadError) {
                result = .success(try await load(held))
            } catch {
                result = .failure(error)
            }
        }
        guard record.end(number, result), case .success(let response) = result else { return fail(held) }
        fulfil(held, response, isPage: isPage)
    }

    /// Makes a request fail in the page, as without a network.
    func fail(_ held: Held) {
        // A failure would replace the page by an error of the browser's; a response without content keeps the page.
        if held.isNavigation {
            return pipe.send(
                "Fetch.fulfillRequest",
                ["requestId": .string(held.id), "responseCode": 204],
                session: held.session
            )
        }
        pipe.send(
            "Fetch.failRequest",
            ["requestId": .string(held.id), "errorReason": "InternetDisconnected"],
            session: held.session
        )
    }

    private func load(_ held: Held) async throws(LoadError) -> WebResponse {
        guard Self.mayAsk(for: held.url, from: pageURL) else {
            throw LoadError(
                FetchError(.unsupportedURL, "a page may not ask for \(held.url.scheme): URLs of this kind"),
                url: held.url
            )
        }
        var request = page.request(for: held.url)
        request.httpMethod = held.request.method
        request.httpBody = held.body
        for field in held.fields where !Self.isOwn(field.name) {
            guard let name = HTTPField.Name(field.name), HTTPField.isValidValue(field.value) else { continue }
            request.headerFields[name] = field.value
        }
        let own = page.cookies(for: request)
        if let cookies = held.fields.first(where: { $0.name.lowercased() == "cookie" })?.value {
            request.headerFields[.cookie] = Self.cookies(cookies, without: own ?? "")
        }
        return try await page.load(request)
    }

    private static func isOwn(_ name: String) -> Bool {
        let name = name.lowercased()
        return ownFields.contains(name) || name.hasPrefix("sec-") || name.hasPrefix("proxy-")
    }

    /// Whether a page may request a URL at all: any URL of HTTP; a file of this machine only if the page is a file
    /// itself, and only in the page's folder.
    private static func mayAsk(for url: WebURL, from page: WebURL) -> Bool {
        switch url.scheme {
        case "http", "https": return true
        case "file":
            guard page.scheme == "file", url.hostname == page.hostname else { return false }
            return url.pathname.hasPrefix(
                page.pathname.prefix(through: page.pathname.lastIndex(of: "/") ?? page.pathname.startIndex)
            )
        default: return false
        }
    }

    /// Returns the browser's cookies without those that the loader sends by itself; `nil` if none is left.
    static func cookies(_ field: String, without own: String) -> String? {
        let names = Set(own.split(separator: ";").map { cookieName($0) })
        let rest = field.split(separator: ";").filter { !names.contains(cookieName($0)) }
        guard !rest.isEmpty else { return nil }
        return rest.map { $0.drop { $0 == " " } }.joined(separator: "; ")
    }

    private static func cookieName(_ pair: Substring) -> Substring {
        pair.drop { $0 == " " }.prefix { $0 != "=" }
    }

    private func fulfil(_ held: Held, _ response: WebResponse, isPage: Bool) {
        var fields: [JSONValue] = []
        func add(_ name: String, _ value: String) {
            fields.append(["name": .string(name), "value": .string(value)])
        }
        for field in response.headerFields where !Self.droppedFields.contains(field.name.canonicalName) {
            // The encoding is known already, by the rules of the loader and its flags.
            if isPage, field.name == .contentType { continue }
            add(field.name.rawName, field.value)
        }
        if isPage { add("Content-Type", page.contentType) }
        // Nobody in the page waits for the response to a ping.
        if let name = held.name, held.request.kind != "ping" { record.expect(name) }
        pipe.send(
            "Fetch.fulfillRequest",
            [
                "requestId": .string(held.id), "responseCode": .integer(Int64(response.status?.code ?? 200)),
                "responseHeaders": .array(fields),
            ],
            adding: "body",
            response.body,
            session: held.session
        )
    }
}
