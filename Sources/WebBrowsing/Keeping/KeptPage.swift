import WebLoader
import WebSite

/// A page as a session stores it: the response, and the body of its request.
struct KeptPage: Sendable {
    /// The response with its body; its URL is that of the page when it was loaded.
    var response: WebResponse
    /// The body of the request, and its type; `nil` if there was none.
    var httpBody: [UInt8]?
    var contentType: String?

    /// The kind and the version of the file format.
    private static let kind = "webinspect-page 1"

    /// The approximate size in bytes.
    var size: Int { response.body.count +| (httpBody?.count ?? 0) +| 1024 }

    // MARK: - In a file

    /// The contents of the file: a line of JSON, the body of the request, the body of the response.
    var bytes: [UInt8] {
        var members = response.jsonMembers
        if let httpBody {
            members.append(.init("sent", JSONValue(httpBody.count)))
            members.append(.init("sent_type", JSONValue(contentType)))
        }
        return SealedBytes.seal(
            JSONValue.object(members).lineInOrder + (httpBody ?? []) + response.body,
            as: Self.kind
        )
    }

    /// Reads a file; `nil` if it is not a stored page, or is damaged.
    init?(_ bytes: [UInt8]) {
        guard let rest = SealedBytes.open(bytes, as: Self.kind), let lineEnd = rest.firstIndex(of: 0x0A),
            let json = try? JSONValue(parsing: rest[..<lineEnd])
        else { return nil }
        var bodies = rest[(lineEnd + 1)...]
        if case .integer(let count)? = json["sent"] {
            guard count >= 0, count <= bodies.count else { return nil }
            let sent = Int(bounded: count)
            httpBody = Array(bodies.prefix(sent))
            contentType = json["sent_type"]?.string
            bodies = bodies.dropFirst(sent)
        }
        guard let response = WebResponse(json, body: Array(bodies), source: .cache) else { return nil }
        self.response = response
    }

    init(_ response: WebResponse, sent request: WebRequest) {
        self.response = response
        httpBody = request.httpBody
        contentType = request.headerFields[.contentType]
    }
}
