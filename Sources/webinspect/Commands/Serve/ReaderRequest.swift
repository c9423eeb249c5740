import WebLoader

/// A request of the server to a reader: a line of its standard input.
struct ReaderRequest: Sendable {
    /// The number that the answer has too.
    let id: Int64
    /// The name of the request: the member "do".
    let name: String
    /// All members of the line.
    let members: JSONValue

    /// The longest line in bytes, which a list of a folder's entries is far from.
    static let maximumLength = 4 << 20

    /// Reads a line without its end.
    ///
    /// - Throws: ``Failure`` for a line that is no request; its answer has the ID 0.
    init(_ line: ArraySlice<UInt8>) throws(Failure) {
        let members: JSONValue
        do throws(JSONValue.ParsingError) {
            members = try JSONValue(parsing: line)
        } catch {
            throw Failure(
                input: "the request is not JSON: column \(error.column): \(error.message)",
                code: "input.json"
            )
        }
        guard case .integer(let id)? = members["id"], let name = members["do"]?.string else {
            throw Failure(input: "the request has no \"id\", or no \"do\"", code: "input.form")
        }
        self.id = id
        self.name = name
        self.members = members
    }

    /// A member that has to be there, a string.
    func string(_ name: String) throws(Failure) -> String {
        guard let text = optionalString(name) else {
            throw Failure(input: "\"\(name)\" is missing, or is no string", code: "input.form")
        }
        return text
    }

    /// A member that is a string; nil without one.
    func optionalString(_ name: String) -> String? { members[name]?.string }

    /// A member that is a number, or the digits of one, as the nearest of a range.
    func integer(_ name: String, default standard: Int, in range: ClosedRange<Int>) -> Int {
        let number: Int? =
            switch members[name] {
            case .integer(let number)?: Int(bounded: number)
            case .number(let number)?: Int(bounded: number)
            case .string(let digits)?: Int(bounded: digits)
            case nil, .null?, .bool?, .array?, .object?: nil
            }
        return min(max(number ?? standard, range.lowerBound), range.upperBound)
    }

    /// The URL of the page, as it was given.
    func url() throws(Failure) -> String {
        _ = try webURL()
        return try string("url")
    }

    /// The URL of the page: what the cache may have, and never a file of this machine.
    func webURL() throws(Failure) -> WebURL {
        let text = try string("url")
        let url = try Source.parse(text)
        guard url.scheme == "http" || url.scheme == "https" else {
            throw Failure(
                usage: text,
                "\(url.scheme): URLs are not kept, only http and https",
                code: "url.unsupported",
                nsURLErrorCode: -1002
            )
        }
        return url
    }

    /// The date of the version that is asked for, nil for the newest.
    func date(_ name: String = "date") throws(Failure) -> Timestamp? {
        guard let text = optionalString(name), !text.isEmpty else { return nil }
        guard let date = Timestamp(archiveDate: text) else {
            throw Failure(usage: text, "not a date, as in 2024-05-01 or 2024-05-01T12:30:00Z")
        }
        return date
    }
}
