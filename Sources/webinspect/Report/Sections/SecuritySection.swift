import WebLoader

extension SecurityFields {
    /// docs/json-report.md describes it to users, as all sections.
    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("nosniff", .bool(isNoSniff)),
            .init("csp", .array(contentSecurityPolicies.map(\.json))),
            .init(
                "findings",
                .array(
                    findings.map {
                        ["code": .string($0.code.rawValue), "explanation": .string($0.explanation)]
                    }
                )
            ),
        ]
        if let transportSecurity {
            members.append(
                .init(
                    "hsts",
                    [
                        "max_age_s": .integer(transportSecurity.maximumAge),
                        "include_subdomains": .bool(transportSecurity.includesSubdomains),
                        "preload": .bool(transportSecurity.isPreload),
                    ]
                )
            )
        }
        members.add("frame_options", frameOptions)
        members.add("referrer_policy", referrerPolicy)
        if !permissions.isEmpty {
            members.append(
                .init(
                    "permissions",
                    .array(permissions.map { [.string($0.feature), .string($0.allowlist)] })
                )
            )
        }
        members.add("opener_policy", openerPolicy)
        members.add("embedder_policy", embedderPolicy)
        members.add("resource_policy", resourcePolicy)
        return .object(members)
    }

    /// What is missing or weak; nil where nothing is.
    var text: String? {
        var parts = findings.map(\.explanation)
        for weakness in contentSecurityPolicies.flatMap(\.weaknesses) {
            let text = "CSP: \(weakness.explanation)\(weakness.directive.map { " (\($0))" } ?? "")"
            // Weaknesses of one kind come one after the other.
            if parts.last != text { parts.append(text) }
        }
        return parts.isEmpty ? nil : Wording.first(6, of: parts)
    }
}

extension ContentSecurityPolicy {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("source", .string(source.rawValue)),
            .init(
                "directives",
                .array(
                    directives.map {
                        ["name": .string($0.name), "values": .array($0.values.map(JSONValue.string))]
                    }
                )
            ),
            .init("weaknesses", .array(weaknesses.map(\.json))),
        ]
        members.add("report_only", if: isReportOnly)
        return .object(members)
    }
}

extension ContentSecurityPolicy.Weakness {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("code", .string(code.rawValue)), .init("explanation", .string(explanation)),
        ]
        members.add("directive", directive)
        members.add("value", value)
        return .object(members)
    }
}
