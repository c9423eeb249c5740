import WebLoader

/// A line of the input: the page that it requests, and the ID of its answer.
struct PageInput: Sendable {
    /// Where the page is.
    enum Content: Sendable {
        /// A URL or a path.
        case source(String)
        /// HTML, and its URL.
        case html(String, url: String?)
        /// A record of an archive.
        case record(file: String, ArchiveLocation)
        /// A page of an archive that was read already.
        case archived(url: String, date: Timestamp?, Result<WebResponse, LoadError>)
    }

    /// The ID as JSON: as it was given, else the number of the line.
    let id: [UInt8]
    /// The requested page; a failure if the line is invalid.
    let content: Result<Content, Failure>

    init(number: Int, _ content: Result<Content, Failure>) {
        self.init(id: Array("\(number)".utf8), content)
    }

    private init(id: [UInt8], _ content: Result<Content, Failure>) {
        self.id = id
        self.content = content
    }

    /// Reads a line; nil for an empty one.
    ///
    /// - Parameters:
    ///   - line: The bytes without their end.
    ///   - number: The number of the line, from 1.
    init?(_ line: ArraySlice<UInt8>, number: Int) {
        guard let first = line.firstIndex(where: { !Self.isSpace($0) }),
            let last = line.lastIndex(where: { !Self.isSpace($0) })
        else { return nil }
        let line = line[first...last]
        guard line.first == UInt8(ascii: "{") else {
            self.init(number: number, Self.source(line))
            return
        }
        do throws(JSONValue.ParsingError) {
            let object = try LocatedObject(Array(line))
            let id = object.text(of: "id") ?? Array("\(number)".utf8)
            self.init(id: id, Self.content(object.value))
        } catch {
            let message = "not JSON: column \(error.column): \(error.message)"
            self.init(number: number, .failure(Failure(input: message, code: "input.json")))
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0D || byte == 0x0A
    }

    private static func source(_ line: ArraySlice<UInt8>) -> Result<Content, Failure> {
        guard let text = String(validating: line, as: UTF8.self) else {
            return .failure(Failure(input: "the line is not valid UTF-8", code: "input.encoding"))
        }
        return source(text)
    }

    private static func source(_ text: String) -> Result<Content, Failure> {
        guard text != "-" else {
            return .failure(Failure(input: "\"-\" is no source for a line", code: "input.form"))
        }
        return .success(.source(text))
    }

    // MARK: - Objects

    private static func content(_ object: JSONValue) -> Result<Content, Failure> {
        for name in ["url", "html", "base_url", "warc", "part"] {
            switch object[name] {
            case nil, .null?, .string?: break
            default: return .failure(Failure(input: "\"\(name)\" is no string", code: "input.form"))
            }
        }
        let url = object["url"]?.string
        if let file = object["warc"]?.string {
            return record(file, object)
        }
        if let html = object["html"]?.string {
            return .success(.html(html, url: object["base_url"]?.string ?? url))
        }
        guard let url else {
            let message = "expected \"url\", \"html\" or \"warc\", a string"
            return .failure(Failure(input: message, code: "input.form"))
        }
        return source(url)
    }

    private static func record(_ file: String, _ object: JSONValue) -> Result<Content, Failure> {
        guard case .integer(let offset)? = object["offset"], offset >= 0 else {
            let message = "\"offset\" is no whole number of bytes, from 0"
            return .failure(Failure(input: message, code: "input.form"))
        }
        var length: Int?
        switch object["length"] {
        case nil, .null?: break
        case .integer(let number)? where number >= 0: length = Int(bounded: number)
        default:
            let message = "\"length\" is no whole number of bytes, from 0"
            return .failure(Failure(input: message, code: "input.form"))
        }
        let location = ArchiveLocation(
            part: object["part"]?.string,
            offset: Int(bounded: offset),
            length: length
        )
        return .success(.record(file: file, location))
    }
}

extension Failure {
    /// A line that cannot be understood.
    init(input message: String, code: String) {
        self.init(subject: "input", message, code: code, status: .usage)
    }
}

extension PageInput.Content {
    /// The URL that was asked for, as the answer to what could not be loaded has it.
    var name: String? {
        switch self {
        case .source(let name): Source.redacted(name)
        case .html(_, let url): url.map(Source.redacted)
        case .archived(let url, _, _): Source.redacted(url)
        case .record: nil
        }
    }
}
