import WebStandards

/// An entry of a HAR: a request and its response.
///
/// [HAR 1.2](http://www.softwareishard.com/blog/har-12-spec/#entries); producers omit unknown values or write -1 for
/// them, and add members of their own.
struct HAREntry {
    /// The body of its response.
    enum Body {
        /// It is not in the file.
        case missing
        case empty
        /// The string is the text.
        case text(Range<Int>)
        /// The string is said to be Base64.
        case base64(Range<Int>)
    }

    var record: ArchiveRecord
    var body: Body
    /// The encoding that the content's type names, of what is said to be Base64; nil if none.
    var encoding: TextEncoding?
    /// The body's bytes as the entry counts them, if its type is one of bytes and not of text.
    var byteCount: Int?
    /// The ID of its page, nil if it has none.
    var page: String?

    /// Reads an entry; nil if it has no URL.
    ///
    /// - Parameters:
    ///   - capture: The JSON of the entry, copied from the file.
    ///   - report: Receives the problems of the entry.
    init?(_ capture: JSONCapture, _ report: (ArchiveFinding) -> Void) {
        let start = capture.range.lowerBound
        func note(_ code: ArchiveFinding.Code, _ message: String) {
            report(ArchiveFinding(code, offset: start, message))
        }
        guard !capture.isTooLong else {
            note(.header, "an entry has more than 16 MiB besides its body")
            return nil
        }
        guard !capture.isTooDeep else {
            note(.header, "an entry is nested too deeply")
            return nil
        }
        if capture.nextEntry != nil { note(.header, "an entry has no end") }
        let value: JSONValue
        do throws(JSONValue.ParsingError) {
            value = try Self.parse(capture, note)
        } catch {
            note(.header, "an entry is no JSON: \(error.message)")
            return nil
        }
        guard case .object? = value["request"], let url = value["request"]?["url"]?.string, !url.isEmpty
        else {
            note(.header, "an entry has no URL")
            return nil
        }
        record = ArchiveRecord(kind: .response)
        record.offset = start
        record.length = capture.range.count
        record.url = url
        record.method = value["request"]?["method"]?.string.flatMap { $0.isEmpty ? nil : $0 }
        record.date = value["startedDateTime"]?.string.flatMap { Timestamp(internetDate: $0) }
        if record.date == nil { note(.header, "the entry of \(Self.shown(url)) has no date") }
        page = value["pageref"]?.string
        guard let response = value["response"], case .object = response else {
            note(.header, "the entry of \(Self.shown(url)) has no response")
            record.isAnswered = false
            body = .missing
            return
        }
        let status = response["status"]?.number.map { Int(bounded: $0) }
        if let status, 100...999 ~= status {
            record.status = status
        } else if status == 0 || status == -1 {
            record.isAnswered = false
        } else {
            note(.header, "the entry of \(Self.shown(url)) has no status")
        }
        let head = HARMessage.head(of: response, status: record.status)
        if record.status != nil { record.http = head }
        let content = response["content"]
        let type = content?["mimeType"]?.string.flatMap { $0.isEmpty ? nil : $0 } ?? head["Content-Type"]
        record.mimeType = type.flatMap(Self.essence)
        let mediaType = type.flatMap { MediaType($0) }
        encoding = mediaType?[parameter: "charset"].flatMap { TextEncoding(label: $0) }
        if encoding == nil, mediaType.map(Self.isOfBytes) ?? false {
            byteCount = content?["size"]?.number.map { Int(bounded: $0) }
        }
        body = Self.body(content, status: record.status, capture.text)
        // A text is Unicode, whatever bytes the server sent: what the page says of its encoding counts no more.
        if case .text = body, record.http != nil, let mediaType, !Self.isOfBytes(mediaType),
            encoding != .utf8 || head["Content-Type"] == nil
        {
            encoding = nil
            let type = "\(mediaType.essence); charset=utf-8"
            record.http = HARMessage.head(of: response, status: record.status, contentType: type)
        }
    }

    /// The entry as JSON, what is often wrong with it corrected.
    private static func parse(
        _ capture: JSONCapture,
        _ note: (ArchiveFinding.Code, String) -> Void
    ) throws(JSONValue.ParsingError) -> JSONValue {
        if !capture.isBalanced { note(.header, "the brackets of an entry do not fit each other") }
        if capture.hasControlCharacter { note(.header, "a control character is in the text of a body") }
        if let value = try? JSONValue(parsing: capture.bytes) { return value }
        // Bytes that are no UTF-8 become U+FFFD.
        let text = String(decoding: capture.bytes, as: UTF8.self)
        let (value, repairs) = try JSONValue.repairing(Array(text.utf8))
        note(
            .header,
            repairs.isEmpty
                ? "an entry is not written in UTF-8"
                : "an entry is no JSON: \(repairs.map(\.rawValue).joined(separator: ", "))"
        )
        return value
    }

    private static func body(_ content: JSONValue?, status: Int?, _ text: Range<Int>?) -> Body {
        let size = content?["size"]?.number ?? -1
        guard let content, case .string? = content["text"], let text else {
            // Nothing was received, or nothing could be.
            let isEmpty = status == 204 || status == 205 || status == 304 || size == 0
            return isEmpty && status != nil ? .empty : .missing
        }
        // Producers that keep no bodies write an empty text.
        if text.isEmpty { return size > 0 ? .missing : .empty }
        let coding = content["encoding"]?.string ?? ""
        return coding.isEqualIgnoringASCIICase(to: "base64") ? .base64(text) : .text(text)
    }

    /// Whether content of a type is no text.
    private static func isOfBytes(_ type: MediaType) -> Bool {
        guard !type.isXML else { return false }
        let isApplication = ["application/octet-stream", "application/pdf", "application/wasm"].contains(
            type.essence
        )
        return type.isImage || type.isAudioOrVideo || type.isFont || type.isArchive || isApplication
    }

    /// A MIME type without its parameters, in lower case, whether it is well-formed or not.
    private static func essence(_ type: String) -> String? {
        let essence = String(asciiLowercasing: Array(type.prefix { $0 != ";" }.utf8)).trimmingASCIIWhitespace
        return essence.isEmpty ? nil : essence
    }

    /// A URL for a message.
    private static func shown(_ url: String) -> String {
        guard let parsed = try? WebURL(url) else { return "a URL that is none" }
        return String(parsed.withoutCredentials.href.prefix(200))
    }
}
