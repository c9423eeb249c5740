import WebLoader

/// Writes what happened, a line a page.
actor WatchLines {
    private let isJSON: Bool

    init(isJSON: Bool) {
        self.isJSON = isJSON
    }

    /// Writes the line of an event; returns why it could not be written.
    func write(_ event: JSONValue) -> String? {
        do throws(Failure) {
            try Output.write(isJSON ? event.lineInOrder : Array(Self.text(event).utf8))
            return nil
        } catch {
            return error.message
        }
    }

    /// As in "changed https://example.com/: text changed: …".
    private static func text(_ event: JSONValue) -> String {
        let (result, name) = (event["result"]?.string ?? "", event["name"]?.string ?? "")
        let again = event["again"] == true ? " (told again)" : ""
        return "\(TerminalText.visible("\(result) \(name): \(event["summary"]?.string ?? "")"))\(again)\n"
    }
}
