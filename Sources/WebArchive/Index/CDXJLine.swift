package import WebStandards

/// A line of an index: the key of a URL, when it was captured, and where its record is.
///
/// [CDXJ 0.1](https://specs.webrecorder.net/cdxj/0.1.0/)
package struct CDXJLine: Sendable, Equatable {
    /// Why a line cannot be read.
    struct Failure: Error, Equatable {
        let message: String
    }

    /// The key, as ``SURT`` makes it.
    package var key: String
    /// 14 digits, or 17.
    package var timestamp: String
    /// The properties of the capture, in the order of the line.
    package var members: [JSONValue.Member]

    package init(key: String, timestamp: String, members: [JSONValue.Member]) {
        self.key = key
        self.timestamp = timestamp
        self.members = members
    }

    /// Reads a line, without its line end.
    init(parsing line: ArraySlice<UInt8>) throws(Failure) {
        let key = line.prefix { $0 != 0x20 }
        let timestamp = line.dropFirst(key.count + 1).prefix { $0 != 0x20 }
        guard !key.isEmpty, !timestamp.isEmpty, timestamp.allSatisfy(\.isASCIIDigit) else {
            throw Failure(message: "it does not begin with a key and a time")
        }
        self.key = String(decoding: key, as: UTF8.self)
        self.timestamp = String(decoding: timestamp, as: UTF8.self)
        do {
            let value = try JSONValue(parsing: line.dropFirst(key.count + 1 + timestamp.count))
            guard case .object(let members) = value else { throw Failure(message: "its JSON is no object") }
            self.members = members
        } catch let error as Failure {
            throw error
        } catch let error as JSONValue.ParsingError {
            throw Failure(message: "its JSON is damaged, \(error.message)")
        } catch {
            throw Failure(message: "its JSON is damaged")
        }
    }

    /// Whether a line is a comment of the format, such as "!meta", or the head of a CDX.
    static func isComment(_ line: ArraySlice<UInt8>) -> Bool {
        line.first == UInt8(ascii: "!") || line.first == 0x20
    }

    // MARK: - Fields

    /// The text of a member, of a number its digits; nil without one.
    package subscript(name: String) -> String? {
        switch members.last(where: { $0.name == name })?.value {
        case .string(let text): text
        case .integer(let number): String(number)
        case .number, .bool, .null, .array, .object, nil: nil
        }
    }

    package var url: String? { self["url"] }
    package var filename: String? { self["filename"] }
    package var offset: Int? { number("offset") }
    package var length: Int? { number("length") }
    package var status: Int? { number("status") }
    package var date: Timestamp? { Timestamp(archiveDate: timestamp) }

    private func number(_ name: String) -> Int? {
        guard let number = self[name].flatMap({ Int(inBounds: $0) }), number >= 0 else { return nil }
        return number
    }

    // MARK: - Writing

    /// The line with its line end.
    package var bytes: [UInt8] {
        var bytes = Array("\(key) \(timestamp) ".utf8)
        bytes += JSONValue.object(members).serialized(sortingNames: false)
        bytes.append(0x0A)
        return bytes
    }
}

extension CDXJLine {
    /// The line of a record, with the names that cdxj-indexer uses; nil if indexes have none of its kind.
    ///
    /// - Parameters:
    ///   - record: The record.
    ///   - length: Bytes that its member takes in the file.
    ///   - filename: The name of the file; that of its part if nil.
    ///   - key: The key; that of its URL if nil.
    package init?(_ record: ArchiveRecord, length: Int?, filename: String? = nil, key: String? = nil) {
        guard Self.hasLine(record), let url = record.url, let date = record.date, let offset = record.offset
        else {
            return nil
        }
        var members = [JSONValue.Member("url", .string(url))]
        let mimeType =
            record.kind == .revisit
            ? "warc/revisit" : record.mimeType ?? record.fields["Content-Type"].map(Self.essence)
        if let mimeType { members.append(JSONValue.Member("mime", .string(mimeType))) }
        if let status = record.status { members.append(JSONValue.Member("status", .string(String(status)))) }
        if let digest = record.payloadDigest { members.append(JSONValue.Member("digest", .string(digest))) }
        if let length { members.append(JSONValue.Member("length", .string(String(length)))) }
        members.append(JSONValue.Member("offset", .string(String(offset))))
        if let name = filename ?? record.part { members.append(JSONValue.Member("filename", .string(name))) }
        self.init(
            key: key ?? SURT.key(of: url),
            timestamp: String(date.text.filter { $0.isNumber }),
            members: members
        )
    }

    /// Whether records of this kind are to be found by an index.
    static func hasLine(_ record: ArchiveRecord) -> Bool {
        switch record.kind {
        case .response, .revisit: true
        case .resource, .metadata:
            record.fields["Content-Type"].map(essence) != "application/warc-fields"
        default: false
        }
    }

    private static func essence(_ type: String) -> String {
        String(type.prefix { $0 != ";" && $0 != " " })
    }
}
