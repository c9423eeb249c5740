/// The messages and the exceptions of scripts, from the browser's events.
enum ConsoleMessages {
    private static let longestText = 1000

    /// Returns the message of a call of the console (`Runtime.consoleAPICalled`).
    static func said(_ parameters: JSONValue) -> Rendering.Message {
        var words: [String] = []
        if case .array(let values) = parameters["args"] ?? .null {
            // A text has no room for more.
            words = values.prefix(longestText / 2).map(word)
        }
        return message(
            parameters["type"]?.string ?? "log",
            words.joined(separator: " "),
            place(parameters["stackTrace"])
        )
    }

    /// Returns the message of an uncaught exception (`Runtime.exceptionThrown`).
    static func thrown(_ parameters: JSONValue) -> Rendering.Message {
        let details = parameters["exceptionDetails"] ?? .null
        // The first line is the message; the others are the stack.
        let description = details["exception"]?["description"]?.string?.prefix { $0 != "\n" }
        let text = description.map(String.init) ?? details["text"]?.string ?? ""
        let url = details["url"]?.string
        return message(
            "exception",
            text,
            url.map { ($0, line(details["lineNumber"])) } ?? place(details["stackTrace"])
        )
    }

    /// Returns a message of the browser (`Log.entryAdded`); `nil` for failed requests, which are recorded as such.
    static func logged(_ parameters: JSONValue) -> Rendering.Message? {
        let entry = parameters["entry"] ?? .null
        guard entry["source"]?.string != "network" else { return nil }
        let place = entry["url"]?.string.map { ($0, line(entry["lineNumber"])) }
        return message(entry["level"]?.string ?? "info", entry["text"]?.string ?? "", place)
    }

    private static func message(
        _ level: String,
        _ text: String,
        _ place: (url: String, line: Int?)?
    ) -> Rendering.Message {
        let url = place?.url.prefix(scalars: longestText)
        return Rendering.Message(
            level: level.prefix(scalars: 20),
            text: text.prefix(scalars: longestText),
            url: url.flatMap { $0.isEmpty ? nil : $0 },
            line: place?.line
        )
    }

    /// Returns a value as the console shows it.
    private static func word(_ value: JSONValue) -> String {
        if let text = value["value"]?.string { return text }
        if let plain = value["value"] { return String(decoding: plain.serialized(), as: UTF8.self) }
        return value["description"]?.string ?? value["unserializableValue"]?.string ?? value["type"]?.string
            ?? ""
    }

    /// Returns the place of the first frame of a stack.
    private static func place(_ stack: JSONValue?) -> (url: String, line: Int?)? {
        guard case .array(let frames) = stack?["callFrames"] ?? .null, let first = frames.first,
            let url = first["url"]?.string
        else { return nil }
        return (url, line(first["lineNumber"]))
    }

    /// Returns a line number from 1, for one that the browser counts from 0.
    private static func line(_ value: JSONValue?) -> Int? {
        guard case .integer(let line) = value else { return nil }
        return Int(bounded: line) +| 1
    }
}
