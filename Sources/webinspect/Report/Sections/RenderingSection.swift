import WebLoader

extension Rendering {
    /// As in "12 requests (340.1 KB), 2 failed, 3 messages; quiet after 1.2 s".
    var text: String {
        var parts = ["\(Wording.number(requestCount, "request")) (\(TerminalText.bytes(bytes)))"]
        if !failures.isEmpty { parts.append("\(failures.count) failed") }
        if messageCount > 0 { parts.append(Wording.number(messageCount, "message")) }
        let end = "\(ending.words) after \(TerminalText.milliseconds(duration))"
        return
            "\(parts.joined(separator: ", ")); \(end)\(isOfScripts ? "" : "; the page is as it was served")"
    }

    /// Requests that failed and what scripts have said, a line each.
    var lines: [String] {
        failures.map { "\($0.code ?? $0.status.map { "\($0)" } ?? "-")  \($0.kind)  \($0.url)" }
            + messages.map { message in
                let place = message.url.map { "  \($0)\(message.line.map { ":\($0)" } ?? "")" } ?? ""
                return "\(message.level)  \(message.text)\(place)"
            }
    }
}

extension Rendering.Ending {
    /// For people.
    var words: String {
        switch self {
        case .quiet: "quiet"
        case .selector: "there"
        case .wait: "taken"
        case .time: "its time was over"
        case .memory: "its memory was over"
        case .crash: "the browser ended"
        }
    }
}
