import NIOHTTP1
import WebStandards

/// A request that may be answered: whole, bounded, and from who may ask.
struct HTTPRequest: Sendable {
    let method: HTTPMethod
    /// The path, without its query.
    let path: String
    /// The parameters of the query, decoded; of several with one name the first.
    let parameters: [String: String]
    let body: [UInt8]

    /// The parameters that are read at most.
    private static let maximumParameters = 64

    /// Takes the target of a head apart, which the guard has let through.
    init(_ head: HTTPRequestHead, body: [UInt8]) {
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let entries = parts.count > 1 ? URLSearchParameters(parsing: String(parts[1])).entries : []
        method = head.method
        path = String(parts[0])
        parameters = Dictionary(
            entries.prefix(Self.maximumParameters).map { ($0.name, $0.value) },
            uniquingKeysWith: { first, _ in first }
        )
        self.body = body
    }

    /// The body as JSON.
    func json() throws(ServeError) -> JSONValue {
        do throws(JSONValue.ParsingError) {
            return try JSONValue(parsing: body)
        } catch {
            throw ServeError(400, "json.invalid", "the body is not JSON: \(error)")
        }
    }

    /// A parameter of the query that has to be there.
    func parameter(_ name: String) throws(ServeError) -> String {
        guard let value = parameters[name], !value.isEmpty else {
            throw ServeError(400, "usage", "the parameter \(name) is missing")
        }
        return value
    }

    /// A parameter as a number in a range; what lies outside is moved to its end.
    func number(_ name: String, default number: Int, in range: ClosedRange<Int>) -> Int {
        guard let text = parameters[name], let value = Int(bounded: text) else { return number }
        return min(max(value, range.lowerBound), range.upperBound)
    }
}

extension JSONValue {
    /// A member that has to be a string.
    func member(_ name: String) throws(ServeError) -> String {
        guard let text = self[name]?.string else {
            throw ServeError(400, "usage", "the member \(name) has to be a string")
        }
        return text
    }

    /// A member that has to be an ID.
    func identifier(_ name: String = "id") throws(ServeError) -> Int64 {
        guard case .integer(let number)? = self[name] else {
            throw ServeError(400, "usage", "the member \(name) has to be a whole number")
        }
        return number
    }

    /// A member that is a list of strings, empty where it is not there.
    func strings(_ name: String, atMost count: Int) throws(ServeError) -> [String] {
        guard let value = self[name], value != .null else { return [] }
        guard case .array(let values) = value else {
            throw ServeError(400, "usage", "the member \(name) has to be a list of strings")
        }
        guard values.count <= count else {
            throw ServeError(413, "limit.count", "\(name) has \(values.count) entries, \(count) are allowed")
        }
        var strings: [String] = []
        strings.reserveCapacity(values.count)
        for value in values {
            guard let text = value.string else {
                throw ServeError(400, "usage", "the member \(name) has to be a list of strings")
            }
            strings.append(text)
        }
        return strings
    }
}
