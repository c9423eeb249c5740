import WebLoader
import WebSite

/// The output of `webinspect check`.
struct CheckReport {
    enum Format: String, CaseIterable {
        /// For people: what is wrong, a line each.
        case text
        /// One document.
        case json
        /// One object a line, as they become known.
        case jsonl
        /// JUnit's XML, as build servers read it.
        case junit
        /// SARIF 2.1.0, as code scanners exchange it.
        case sarif
        /// A page for people.
        case html

        /// Whether a link is written as soon as it is known, rather than all of them at the end.
        var isLines: Bool { self == .text || self == .jsonl }
    }

    let format: Format
    /// Whether text says of each link what is known, and not only what is wrong.
    var saysAll = false
    var terminal = Terminal.none
    /// Whether broken links are compared with those of a former check.
    var isCompared = false
    /// Whether links are summed up by what they lead to.
    var groups: CheckGroups?
    /// Whether something was written that the next is to be parted from.
    private var hasItems = false

    init(_ format: Format, saysAll: Bool = false, terminal: Terminal = .none) {
        self.format = format
        self.saysAll = saysAll
        self.terminal = terminal
    }

    /// A link by itself, for a format of lines.
    func line(_ link: CheckedLink) -> [UInt8] {
        format == .jsonl
            ? link.jsonLine : Array(CheckText(terminal: terminal, saysAll: saysAll).line(link).utf8)
    }

    /// Writes what comes before the links.
    func begin(_ summary: CheckSummary, _ output: SiteOutput) throws(Failure) {
        switch format {
        case .text, .jsonl: break
        case .json: try output.add(Array((groups == nil ? "{\"links\":[" : "{\"groups\":[").utf8))
        case .junit: try output.add(CheckJUnit.begin(summary))
        case .sarif: try output.add(CheckSARIF.begin)
        case .html: try output.add(CheckHTML.begin(summary))
        }
    }

    /// Writes a link that was kept.
    mutating func add(_ line: [UInt8], _ output: SiteOutput) throws(Failure) {
        if groups != nil {
            if let link = CheckedLink(jsonLine: line) { groups?.add(link) }
            return
        }
        switch format {
        case .jsonl: return try output.add(line)
        case .json: return try addItem(Array(line.dropLast()), output)
        default: break
        }
        guard let link = CheckedLink(jsonLine: line) else { return }
        switch format {
        case .text, .json, .jsonl: try output.add(self.line(link))
        case .junit: try output.add(CheckJUnit.testCase(link))
        case .sarif: if let result = CheckSARIF.result(link) { try addItem(result.serialized(), output) }
        case .html: try output.add(CheckHTML.row(link))
        }
    }

    private mutating func addItem(_ item: [UInt8], _ output: SiteOutput) throws(Failure) {
        try output.add(hasItems ? [UInt8(ascii: ",")] + item : item)
        hasItems = true
    }

    /// Writes what comes behind the links.
    mutating func end(_ summary: CheckSummary, _ output: SiteOutput) throws(Failure) {
        let text = CheckText(terminal: terminal, saysAll: saysAll)
        let numbers = summary.json(isCompared: isCompared)
        if let groups {
            switch format {
            case .json:
                for group in groups.json { try addItem(group.serialized(sortingNames: false), output) }
            case .jsonl: for group in groups.json { try output.add(group.lineInOrder) }
            default: try output.add(groups.text(text))
            }
        }
        switch format {
        case .text: try output.add(Array(text.summary(summary).utf8))
        case .jsonl: try output.add(JSONValue.object([.init("summary", numbers)]).lineInOrder)
        case .json:
            try output.add(
                Array("],\"summary\":".utf8) + numbers.lineInOrder.dropLast() + Array("}\n".utf8)
            )
        case .junit: try output.add(CheckJUnit.end)
        case .sarif: try output.add(CheckSARIF.end)
        case .html: try output.add(CheckHTML.end)
        }
    }
}
