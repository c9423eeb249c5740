import WebLoader
import WebSite

/// [SARIF 2.1.0](https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html): broken links are errors, unknown ones warnings,
/// and what moved for good is a note.
enum CheckSARIF {
    private static let rules: [(id: String, text: String)] = [
        ("broken", "What a link leads to is not there."),
        ("unknown", "Whether what a link leads to is there cannot be told."),
        ("moved", "What a link leads to is elsewhere for good."),
    ]

    static var begin: [UInt8] {
        let rules = rules.map { rule -> JSONValue in
            ["id": .string(rule.id), "shortDescription": ["text": .string(rule.text)]]
        }
        let driver: JSONValue = [
            "name": "webinspect", "version": .string(WebLoaderVersion.current), "rules": .array(rules),
        ]
        let document: JSONValue = [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": [
                ["tool": ["driver": driver], "columnKind": "unicodeCodePoints", "results": []]
            ],
        ]
        // The results are written one after the other.
        return document.lineInOrder.dropLast(end.count)
    }

    /// A result; nil for a link of which nothing is to be said.
    static func result(_ link: CheckedLink) -> JSONValue? {
        let level: (rule: String, level: String)
        switch link.result {
        case .broken: level = ("broken", "error")
        case .unknown: level = ("unknown", "warning")
        case .ok where link.isMoved: level = ("moved", "note")
        case .ok, .skipped: return nil
        }
        let artifact: JSONValue = ["uri": .string(link.page ?? link.url)]
        var place: [JSONValue.Member] = [.init("artifactLocation", artifact)]
        if let line = link.line {
            var region: [JSONValue.Member] = [.init("startLine", .integer(Int64(line)))]
            if let column = link.column { region.append(.init("startColumn", .integer(Int64(column)))) }
            place.append(.init("region", .object(region)))
        }
        let code = link.code.map { " (\($0))" } ?? ""
        let result: JSONValue = [
            "ruleId": .string(level.rule), "level": .string(level.level),
            "message": ["text": .string("\(link.url)\(code)")],
            "locations": [["physicalLocation": .object(place)]],
            "properties": [
                "url": .string(link.url), "code": JSONValue(link.code), "kind": .string(link.kind),
            ],
        ]
        guard link.isKnown, case .object(let members) = result else { return result }
        return .object(members + [.init("baselineState", "unchanged")])
    }

    static let end = Array("]}]}\n".utf8)
}
