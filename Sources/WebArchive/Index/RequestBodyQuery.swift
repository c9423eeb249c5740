import WebStandards

/// The body of a request as a query, as indexes have it in their keys.
///
/// [Request body canonicalization](https://specs.webrecorder.net/request-body-canonicalization/latest/)
enum RequestBodyQuery {
    /// The characters of a query that are kept.
    private static let maximumLength = 4096

    /// The query; empty if the body says nothing that can be read.
    static func query(contentType: String?, body: [UInt8]) -> String {
        let type = contentType?.trimmingASCIIWhitespace ?? ""
        let essence = type.prefix { $0 != ";" }.lowercased().trimmingASCIIWhitespace
        let query =
            switch essence {
            case "application/x-www-form-urlencoded": form(body)
            case "application/json": json(body) ?? ""
            case "text/plain": json(body) ?? binary(body)
            case "application/x-amf": ""
            case _ where essence.hasPrefix("multipart/"): multipart(body, type) ?? binary(body)
            default: binary(body)
            }
        return String(String.UnicodeScalarView(query.unicodeScalars.prefix(maximumLength)))
    }

    private static func binary(_ body: [UInt8]) -> String {
        // Base64 of three bytes has four characters.
        "__wb_post_data=" + Base64.encode(Array(body.prefix(maximumLength)))
    }

    private static func form(_ body: [UInt8]) -> String {
        guard String(validating: body, as: UTF8.self) != nil else { return binary(body) }
        return String(decoding: PercentDecoding.decode(body.span, plusAsSpace: true), as: UTF8.self)
    }

    // MARK: - JSON

    /// The names and values of JSON, or of a line of JSON each; nil if it is neither.
    private static func json(_ body: [UInt8]) -> String? {
        var values: [JSONValue] = []
        if let value = try? JSONValue(parsing: body) {
            values = [value]
        } else {
            for line in body.split(separator: 0x0A) {
                guard let value = try? JSONValue(parsing: line) else { return nil }
                values.append(value)
            }
            guard values.count > 1 else { return nil }
        }
        var names = FlatNames()
        for value in values { names.add(value, name: "") }
        return names.parameters.description
    }

    /// The members of nested objects, all in one list.
    private struct FlatNames {
        private(set) var parameters = URLSearchParameters()
        private var counts: [String: Int] = [:]

        mutating func add(_ value: JSONValue, name: String) {
            let text: String
            switch value {
            case .object(let members):
                for member in members { add(member.value, name: member.name) }
                return
            case .array(let values):
                for value in values { add(value, name: name) }
                return
            // As Python writes them: the first to write such keys was a program in it.
            case .null: text = "None"
            case .bool(let isTrue): text = isTrue ? "True" : "False"
            case .integer(let integer): text = String(integer)
            case .number(let number): text = number.description
            case .string(let string): text = string
            }
            guard !name.isEmpty else { return }
            let count = (counts[name] ?? 0) + 1
            counts[name] = count
            parameters.append(count == 1 ? name : "\(name).\(count)_", text)
        }
    }

    // MARK: - Parts

    /// The names and values of the parts of a form; nil without a boundary.
    private static func multipart(_ body: [UInt8], _ type: String) -> String? {
        guard let boundary = MediaType(type)?[parameter: "boundary"], !boundary.isEmpty else { return nil }
        var query = ""
        let delimiter = Array("--\(boundary)".utf8)
        for part in parts(body, delimiter) {
            guard let end = headEnd(part) else { continue }
            let head = MessageHead(bytes: [0x0A] + part[..<end.head])
            guard let name = parameter("name", of: head["Content-Disposition"] ?? "") else { continue }
            if !query.isEmpty { query += "&" }
            query += encoded(Array(name.utf8)) + "=" + encoded(Array(part[end.body...]))
            if query.utf8.count > 3 * maximumLength { break }
        }
        return query
    }

    /// Returns the parts between the delimiters, without the line ends that belong to these.
    private static func parts(_ body: [UInt8], _ delimiter: [UInt8]) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var start: Int?
        var line = body.startIndex
        while line < body.endIndex {
            let next = body[line...].firstIndex(of: 0x0A).map { $0 + 1 } ?? body.endIndex
            if body[line...].starts(with: delimiter) {
                if let start, line > start {
                    let part = body[start..<line].dropLast()
                    parts.append(part.last == 0x0D ? part.dropLast() : part)
                }
                start = next
            }
            line = next
        }
        return parts
    }

    /// Where the head of a part ends, and where its body begins.
    private static func headEnd(_ part: ArraySlice<UInt8>) -> (head: Int, body: Int)? {
        var line = part.startIndex
        while line < part.endIndex {
            guard let end = part[line...].firstIndex(of: 0x0A) else { return nil }
            if end == line || end == line + 1 && part[line] == 0x0D { return (line, end + 1) }
            line = end + 1
        }
        return nil
    }

    /// A parameter of Content-Disposition, in quotes or not.
    private static func parameter(_ name: String, of field: String) -> String? {
        for piece in field.split(separator: ";").dropFirst() {
            let text = String(piece).trimmingASCIIWhitespace
            guard text.lowercased().hasPrefix("\(name)=") else { continue }
            let value = text.dropFirst(name.count + 1)
            return value.first == "\"" && value.last == "\"" && value.count > 1
                ? String(value.dropFirst().dropLast()) : String(value)
        }
        return nil
    }

    /// Bytes as a form has them in a query.
    private static func encoded(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        for byte in bytes.prefix(maximumLength) {
            if byte.isASCIIAlphanumeric || "-._~".utf8.contains(byte) {
                result.append(byte)
            } else if byte == 0x20 {
                result.append(UInt8(ascii: "+"))
            } else {
                result.append(UInt8(ascii: "%"))
                result += UInt64(byte).hexadecimal(digits: 2).utf8
            }
        }
        return String(decoding: result, as: UTF8.self)
    }
}
