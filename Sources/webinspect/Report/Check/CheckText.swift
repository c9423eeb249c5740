import WebLoader
import WebSite

/// The results of a check for people: one line per link in the format of compilers, so that editors can open
/// the place.
struct CheckText {
    let terminal: Terminal
    let saysAll: Bool

    /// Returns the line of a link; empty if there is nothing to report.
    func line(_ link: CheckedLink) -> String {
        let isSaid = link.result == .broken || link.result == .unknown || link.isMoved || saysAll
        return isSaid ? "\(place(of: link)): \(word(of: link)): \(target(of: link))\n" : ""
    }

    /// Returns the state of a link, as "broken".
    func word(of link: CheckedLink) -> String {
        switch link.result {
        case .broken: terminal.styled("broken", .error) + (link.isKnown ? " (known)" : "")
        case .unknown: terminal.styled("unknown", .warning)
        case .skipped: terminal.styled("skipped", .dim)
        case .ok: link.isMoved ? terminal.styled("moved", .note) : terminal.styled("ok", .good)
        }
    }

    /// Returns the target of a link, and the reason for its state.
    func target(of link: CheckedLink) -> String {
        let url = TerminalText.visible(link.url)
        if link.result == .ok { return link.isMoved ? "\(url) redirects for good\(way(link))" : url }
        return url + reason(link)
    }

    /// As in "http://h/page:12:5".
    func place(of link: CheckedLink) -> String {
        guard let page = link.page else { return link.line.map { "\(link.kind):\($0)" } ?? link.kind }
        let place = [link.line, link.column].compactMap { $0.map { ":\($0)" } }.joined()
        return TerminalText.visible(page) + place
    }

    private func reason(_ link: CheckedLink) -> String {
        let code = link.code.map { " (\($0))" } ?? ""
        return link.redirects.isEmpty ? code : "\(code)\(way(link))"
    }

    private func way(_ link: CheckedLink) -> String {
        let hops = link.redirects.count
        return hops > 1 ? ", by \(hops) redirects" : ", by a redirect"
    }

    /// The last line.
    func summary(_ summary: CheckSummary) -> String {
        let parts = [Wording.number(summary.links, "link"), "on \(Wording.number(summary.pages, "page"))"]
        var counts = ["\(summary.ok) ok"]
        if summary.broken > 0 {
            let new = summary.new < summary.broken ? " (\(summary.new) new)" : ""
            counts.append(terminal.styled("\(summary.broken) broken\(new)", .error))
        } else {
            counts.append("0 broken")
        }
        if summary.unknown > 0 { counts.append(terminal.styled("\(summary.unknown) unknown", .warning)) }
        if summary.skipped > 0 { counts.append("\(summary.skipped) skipped") }
        if summary.moved > 0 { counts.append("\(summary.moved) moved for good") }
        return "\(parts.joined(separator: " ")): \(counts.joined(separator: ", "))\n"
    }
}
