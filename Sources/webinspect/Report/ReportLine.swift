import WebLoader

/// A line of a report for people.
enum ReportLine {
    case blank
    /// A name in ten columns, and a value.
    case field(String)
    /// The name of a section.
    case heading(String)
    /// An entry of a section.
    case item(String)
    /// A link, its kind in a column of this width.
    case link(Link, kindWidth: Int)
    case finding(Finding)

    /// The line as a terminal shows it: coloured where it has colours, a link shortened to the width that there is.
    func text(for terminal: Terminal) -> String {
        switch self {
        case .blank: return ""
        case .field(let text):
            let text = TerminalText.visible(text)
            let name = text.prefix(10)
            guard terminal.isColored, name.utf8.last == UInt8(ascii: " ") else { return text }
            return terminal.styled(String(name), .strong) + text.dropFirst(10)
        case .heading(let name): return terminal.styled(name, .strong)
        case .item(let text): return "  \(TerminalText.visible(text))"
        case .link(let link, let kindWidth): return Self.line(link, kindWidth, terminal)
        case .finding(let finding): return Self.line(finding, terminal)
        }
    }

    private static func line(_ link: Link, _ kindWidth: Int, _ terminal: Terminal) -> String {
        let kind = TerminalText.padded(link.kind.rawValue, to: kindWidth)
        let failure = link.failure.map { "\($0)" } ?? ""
        var target = TerminalText.visible(link.url?.description ?? "\(link.reference) (\(failure))")
        var text = link.text.map(TerminalText.visible) ?? ""
        if let width = terminal.width {
            // The URL has two thirds of the line, or what the text leaves of it.
            let room = max(8, width - 4 - kindWidth)
            let rest = text.isEmpty ? 0 : min(TerminalText.width(text) + 2, room / 3)
            target = TerminalText.shortenedInTheMiddle(target, to: room - rest)
            text = TerminalText.shortened(text, to: max(1, room - TerminalText.width(target) - 2))
        }
        return "  \(terminal.styled(kind, .dim))  \(target)\(text.isEmpty ? "" : "  \(text)")"
    }

    private static func line(_ finding: Finding, _ terminal: Terminal) -> String {
        let place = finding.position.map { "\($0.line):\($0.column ?? 1)" } ?? "-"
        let severity = terminal.styled(finding.severity.rawValue, finding.severity.style)
        return "  \(place)  \(severity)  \(finding.code.rawValue)  \(TerminalText.visible(finding.message))"
    }
}

extension Finding.Severity {
    fileprivate var style: Terminal.Style {
        switch self {
        case .note: .note
        case .warning: .warning
        case .error: .error
        }
    }
}
