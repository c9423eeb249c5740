import WebLoader

/// The result of a recipe on a page, as JSON; names in the order of docs/recipes.md, data in the recipe's.
struct ExtractionReport {
    let extraction: Extraction
    let notesProvenance: Bool

    /// The error that ended the run or prevented it; `nil` if there was none.
    var error: JSONValue? {
        if let exceeded = extraction.exceeded { return Self.error(exceeded) }
        return extraction.failure.map(Self.error)
    }

    /// The members of a document of its own.
    var members: [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("data", extraction.data), .init("errors", .array(extraction.errors.map(Self.error))),
            .init("usage", usage(withTime: true)),
        ]
        if notesProvenance { members.append(.init("provenance", provenance)) }
        if !extraction.log.isEmpty {
            members.append(.init("log", .array(extraction.log.map(JSONValue.string))))
        }
        if let error { members.append(.init("error", error)) }
        return members
    }

    /// The same without what differs from one run to the next.
    var lineMembers: [JSONValue.Member] {
        members.map { $0.name == "usage" ? .init("usage", usage(withTime: false)) : $0 }
    }

    /// How the command ends.
    var status: ExitStatus {
        if extraction.exceeded != nil { return .limit }
        if let failure = extraction.failure { return ExitStatus(failure.code) }
        let codes = extraction.errors.map(\.code)
        for code in [RuleError.Code.invalid, .failed, .drift] where codes.contains(code) {
            return ExitStatus(code)
        }
        return .done
    }

    /// A line for each thing that went wrong.
    var lines: [String] {
        var lines = extraction.errors.map { "webinspect: \(TerminalText.visible($0.description))" }
        if let exceeded = extraction.exceeded {
            lines.append("webinspect: \(TerminalText.visible(exceeded.description))")
        }
        if let failure = extraction.failure {
            lines.append("webinspect: \(TerminalText.visible(failure.description))")
        }
        return lines
    }

    private func usage(withTime: Bool) -> JSONValue {
        let usage = extraction.usage
        var members: [JSONValue.Member] = []
        if withTime { members.append(.init("time_ms", .number(JSONValue.milliseconds(usage.time)))) }
        members.append(.init("memory_bytes", JSONValue(usage.memory?.bytes)))
        members.append(.init("output_bytes", JSONValue(usage.output.bytes)))
        if usage.pages > 0 { members.append(.init("pages", JSONValue(usage.pages))) }
        return .object(members)
    }

    private var provenance: JSONValue {
        .array(
            extraction.provenance.map { origin in
                var members: [JSONValue.Member] = [
                    .init("path", .string(origin.path)), .init("rule", .string(origin.rule)),
                ]
                if let node = origin.node { members.append(.init("node", .string(node))) }
                if let position = origin.position {
                    members.append(.init("line", JSONValue(position.line)))
                    if let column = position.column { members.append(.init("column", JSONValue(column))) }
                }
                members.append(.init("source", .string(origin.source)))
                return .object(members)
            }
        )
    }

    // MARK: - Errors

    static func error(_ error: RuleError) -> JSONValue {
        var members: [JSONValue.Member] = []
        if let rule = error.rule { members.append(.init("rule", .string(rule))) }
        members.append(.init("code", .string(error.code.rawValue)))
        members.append(.init("message", .string(error.message)))
        if let file = error.file { members.append(.init("file", .string(file))) }
        if let line = error.line { members.append(.init("line", JSONValue(line))) }
        if let column = error.column { members.append(.init("column", JSONValue(column))) }
        return .object(members)
    }

    private static func error(_ exceeded: BudgetExceeded) -> JSONValue {
        let unit =
            switch exceeded.code {
            case .time: "_ms"
            case .pages, .depth: ""
            default: "_bytes"
            }
        var members: [JSONValue.Member] = [.init("code", .string(exceeded.code.rawValue))]
        if let rule = exceeded.rule { members.append(.init("rule", .string(rule))) }
        members.append(.init("limit\(unit)", JSONValue(exceeded.allowed)))
        members.append(.init("used\(unit)", JSONValue(exceeded.used)))
        members.append(.init("message", .string(exceeded.message)))
        return .object(members)
    }
}

extension Failure {
    init(_ error: RuleError) {
        var place = error.file ?? "recipe"
        if let line = error.line { place += ":\(line)" }
        if let column = error.column { place += ":\(column)" }
        self.init(
            subject: place,
            error.rule.map { "\($0): \(error.message)" } ?? error.message,
            code: error.code.rawValue,
            status: ExitStatus(error.code)
        )
    }
}
