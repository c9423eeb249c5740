import WebLoader

extension PageResponseReport {
    /// Lines for people, each with its name; what stands out.
    var lines: [(name: String, text: String)] {
        var lines: [(name: String, text: String)] = []
        if let caching { lines.append(("Caching", caching.explanation)) }
        if let size = response.transferSize, !codings.isEmpty {
            let wire = TerminalText.bytes(size.body)
            lines.append(
                (
                    "Encoded",
                    "\(codings.joined(separator: ", ")), \(wire) for \(TerminalText.bytes(size.decodedBody))"
                )
            )
        }
        if let tls = response.tls {
            lines.append(("TLS", "\(tls.version), \(tls.cipher)\(tls.isVerified ? "" : ", not verified")"))
        }
        if let text = security.text { lines.append(("Security", text)) }
        let texts = cookies.map(\.text)
        if !texts.isEmpty { lines.append(("Cookies", Wording.first(4, of: texts))) }
        return lines
    }
}

extension SetCookie {
    /// As in "sid (scripts see it)".
    fileprivate var text: String {
        let label = name.isEmpty ? "without a name" : name
        return findings.isEmpty
            ? label : "\(label) (\(findings.map(\.explanation).joined(separator: "; ")))"
    }
}
