import WebStandards

/// Parses the stderr of a job: lines of progress, and lines for people.
struct JobOutput {
    enum Event: Equatable, Sendable {
        /// A line of progress, reduced to what the page shows.
        case progress(JSONValue)
        case line(String)
    }

    /// The line that has not ended yet, up to its maximum length.
    private var line: [UInt8] = []

    /// The maximum bytes of a line, and of a line for people.
    static let longest = (line: 32 << 10, text: 500)

    /// Adds bytes, and returns the events of the lines that they complete.
    mutating func add(_ bytes: ArraySlice<UInt8>) -> [Event] {
        var events: [Event] = []
        var rest = bytes
        while let end = rest.firstIndex(of: 0x0A) {
            take(rest[..<end])
            rest = rest[(end + 1)...]
            events += self.end()
        }
        take(rest)
        return events
    }

    private mutating func take(_ bytes: ArraySlice<UInt8>) {
        line += bytes.prefix(Self.longest.line - line.count)
    }

    /// Ends the last line.
    mutating func end() -> [Event] {
        defer { line.removeAll(keepingCapacity: true) }
        if line.first == UInt8(ascii: "{"), let found = (try? JSONValue(parsing: line))?["progress"] {
            return [.progress(Self.progress(found))]
        }
        let text = String(decoding: line.prefix(Self.longest.text), as: UTF8.self).trimmingASCIIWhitespace
        return text.isEmpty ? [] : [.line(text)]
    }

    /// Returns the members of a progress that the page shows; invalid ones are null.
    static func progress(_ found: JSONValue) -> JSONValue {
        let numbers = ["done", "waiting", "failed", "bytes", "elapsed_ms"].map { name -> JSONValue.Member in
            guard case .integer(let number)? = found[name], number >= 0 else { return .init(name, .null) }
            return .init(name, .integer(number))
        }
        let texts = ["current", "note"].map { name in
            JSONValue.Member(name, JSONValue(found[name]?.string?.prefix(scalars: longest.text)))
        }
        return .object(numbers + texts)
    }
}
