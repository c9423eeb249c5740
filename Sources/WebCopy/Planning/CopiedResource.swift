import HTTPTypes
import WebDocument
import WebLoader
import WebStandards

/// The outcome of loading a resource.
struct CopiedResource: Sendable {
    /// The URL that was requested, without its fragment.
    let url: WebURL
    /// The response with its body, which may be an error page; `nil` if there is none.
    let response: WebResponse?
    /// The reason for which it is missing; `nil` if it is not.
    var fault: CopyFault?

    /// The type that its server declares, or that of its bytes if the server declares none.
    ///
    /// Browsers decide by it whether a response is a style sheet or an SVG image.
    var type: String {
        guard let response else { return "text/plain" }
        if let type = response.contentType { return type.essence }
        return (try? PageContent.mediaType(of: response, ContentOverrides()))?.essence
            ?? "application/octet-stream"
    }

    /// The name of the encoding that its server declares, if it is text.
    var encodingName: String? {
        guard let type = MediaType(type),
            type.type == "text" || type.isJavaScript || type.isJSON || type.isXML
        else { return nil }
        return response?.contentType?[parameter: "charset"].flatMap { TextEncoding(label: $0) }?.name
    }

    /// Its type, with the encoding of a text.
    var typeWithEncoding: String {
        guard type.hasPrefix("text/"), let label = response?.contentType?[parameter: "charset"],
            let encoding = TextEncoding(label: label)
        else { return type }
        return "\(type);charset=\(encoding.name)"
    }

    /// Whether its bytes are an image's that is not text, whatever its type says.
    var isImageByItsBytes: Bool {
        guard let response, !response.body.isEmpty else { return false }
        var unnamed = WebResponse(url: response.url, status: nil, body: [], source: .memory)
        unnamed.body = Array(response.body.prefix(MIMESniffing.resourceHeaderLength))
        return (try? PageContent.mediaType(of: unnamed, ContentOverrides()))?.type == "image"
    }
}

/// The reason for which a resource is not in a copy.
struct CopyFault: Error, Hashable, Sendable {
    /// The reason, as a stable identifier.
    let code: String
    /// The reason, in words.
    let message: String

    /// A file that the page must not bring into its copy.
    static let outside = CopyFault(code: "load.refused", message: "not a file of the page's folder")

    /// Too many frames or imports within each other.
    static let tooDeep = CopyFault(
        code: "limit.depth",
        message: "more than \(ResourceWish.maximumDepth) frames or imports within each other"
    )

    /// Returns the fault of a resource for which there was no time.
    static func tooLate(_ limit: Duration) -> CopyFault {
        CopyFault(code: "limit.time", message: "not within \(limit.inSeconds) s")
    }

    /// Returns the fault of exceeding a maximum number.
    static func tooMany(_ count: Int, _ what: String) -> CopyFault {
        CopyFault(code: "limit.resources", message: "more than \(count) \(what)")
    }
}
