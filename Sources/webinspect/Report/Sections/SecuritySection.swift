import WebLoader

extension SecurityFields {
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
