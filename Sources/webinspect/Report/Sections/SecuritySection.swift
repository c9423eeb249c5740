import WebLoader

extension SecurityFields {
    /// The missing and the weak fields; `nil` if there are none.
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
