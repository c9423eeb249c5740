import WebLoader

/// The findings of a page, in the forms that people and programs read.
///
/// docs/findings.md describes them to users.
struct FindingsReport {
    let findings: Findings
    let source: String

    /// The URL that answered.
    let url: WebURL

    /// From what severity on a finding fails the page, in JUnit's form; warnings, where nobody said.
    var threshold: Finding.Severity = .warning

    // MARK: - SARIF

    /// [SARIF 2.1.0](https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html), as code scanners exchange it.
    var sarif: JSONValue {
        let codes = Finding.Code.allCases
        let rules = codes.map { code -> JSONValue in
            [
                "id": .string(code.rawValue), "shortDescription": ["text": .string(code.summary)],
                "help": ["text": .string(code.advice)],
                "defaultConfiguration": ["level": .string(code.severity.rawValue)],
            ]
        }
        return [
            "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
            "runs": [
                [
                    "tool": [
                        "driver": [
                            "name": "webinspect", "version": .string(WebLoaderVersion.current),
                            "rules": .array(rules),
                        ]
                    ],
                    "columnKind": "unicodeCodePoints",
                    "results": .array(findings.findings.map { sarif($0, codes) }),
                ]
            ],
        ]
    }

    private func sarif(_ finding: Finding, _ codes: [Finding.Code]) -> JSONValue {
        var place: [JSONValue.Member] = [.init("artifactLocation", ["uri": .string(url.description)])]
        if let position = finding.position {
            var region: [JSONValue.Member] = [.init("startLine", .integer(Int64(position.line)))]
            if let column = position.column { region.append(.init("startColumn", .integer(Int64(column)))) }
            place.append(.init("region", .object(region)))
        }
        return [
            "ruleId": .string(finding.code.rawValue),
            "ruleIndex": JSONValue(codes.firstIndex(of: finding.code)),
            "level": .string(finding.severity.rawValue),
            "message": ["text": .string(finding.message)],
            "locations": [["physicalLocation": .object(place)]],
        ]
    }

    // MARK: - JUnit

    /// JUnit's XML, as build servers read it: a test case a code, which fails where the page has a finding of it.
    var junit: [UInt8] {
        let codes = Finding.Code.allCases
        let failures = codes.filter { code in code.severity >= threshold && has(code) }
        let counts = "tests=\"\(codes.count)\" failures=\"\(failures.count)\""
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<testsuites \(counts)>",
            "  <testsuite name=\"\(Self.escaped(url.description))\" \(counts)>",
        ]
        for code in codes {
            let own = findings.findings.filter { $0.code == code }
            let test = "    <testcase classname=\"webinspect\" name=\"\(code.rawValue)\""
            guard !own.isEmpty else {
                lines.append("\(test)/>")
                continue
            }
            let text = own.map { finding in
                let place = finding.position.map { "\($0.line):\($0.column ?? 1): " } ?? ""
                return Self.escaped("\(place)\(finding.message)")
            }
            lines.append("\(test)>")
            if code.severity >= threshold {
                let summary = Self.escaped("\(code.summary) (\(own.count))")
                lines.append("      <failure type=\"\(code.severity.rawValue)\" message=\"\(summary)\">")
                lines += text
                lines.append("      </failure>")
            } else {
                lines.append("      <system-out>")
                lines += text
                lines.append("      </system-out>")
            }
            lines.append("    </testcase>")
        }
        lines += ["  </testsuite>", "</testsuites>", ""]
        return Array(lines.joined(separator: "\n").utf8)
    }

    private func has(_ code: Finding.Code) -> Bool { findings.findings.contains { $0.code == code } }

    /// Text for XML; what XML has no place for is left out.
    static func escaped(_ text: String) -> String {
        var output = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": output += "&amp;"
            case "<": output += "&lt;"
            case ">": output += "&gt;"
            case "\"": output += "&quot;"
            case "\t", "\n", "\r", " "..."\u{D7FF}", "\u{E000}"..."\u{FFFD}", "\u{10000}"...:
                output.unicodeScalars.append(scalar)
            default: break
            }
        }
        return output
    }
}

extension Findings {
    /// A line a finding, and one that counts them.
    var lines: [ReportLine] {
        let counts = Finding.Severity.allCases.reversed()
            .map { severity in (severity, findings.count { $0.severity == severity }) }
            .filter { $0.1 > 0 }
            .map { "\($1) \($0.rawValue)\($1 == 1 ? "" : "s")" }
        let rest = isTruncated ? "; there are more" : ""
        let sum = counts.isEmpty ? "nothing found" : counts.joined(separator: ", ") + rest
        return findings.map(ReportLine.finding) + [.item(sum)]
    }
}
