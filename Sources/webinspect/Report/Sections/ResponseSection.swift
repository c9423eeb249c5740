import HTTPTypes
import WebLoader

/// What the response of a page says, explained.
struct ResponseSection {
    private let response: WebResponse
    private let security: SecurityFields
    private let caching: ResponseCaching?
    private let cookies: [SetCookie]

    init(_ response: WebResponse, _ security: SecurityFields) {
        self.response = response
        self.security = security
        caching = response.caching
        cookies = response.setCookies
    }

    /// docs/json-report.md describes it to users, as all sections.
    var json: JSONValue {
        let report = ResponseReport(response)
        var members: [JSONValue.Member] = [
            .init("headers", report.headers), .init("source", .string(response.source.rawValue)),
            .init("security", security.json), .init("cookies", .array(cookies.map(\.json))),
        ]
        if let caching { members.append(.init("caching", caching.json)) }
        if let compression { members.append(.init("compression", compression)) }
        return .object(members + report.connection)
    }

    /// The content codings of the body, in the order in which they were put on it.
    private var codings: [String] {
        response.headerFields[values: .contentEncoding].flatMap { value in
            value.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        }.filter { !$0.isEmpty }
    }

    private var compression: JSONValue? {
        guard !codings.isEmpty else { return nil }
        var members: [JSONValue.Member] = []
        members.add("codings", codings)
        if let size = response.transferSize, size.body > 0 {
            members.append(.init("ratio", .number(Double(size.decodedBody) / Double(size.body))))
        }
        return .object(members)
    }

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

extension ResponseCaching {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("storable", .bool(isStorable)), .init("explanation", .string(explanation)),
        ]
        members.add("refusal", refusal)
        members.add("fresh_for_s", freshnessLifetime)
        members.add("lifetime_source", lifetimeSource?.rawValue)
        members.add("shared_fresh_for_s", sharedLifetime)
        members.add("private", if: isPrivate)
        members.add("no_cache", if: asksBeforeUse)
        members.add("must_revalidate", if: mustRevalidate)
        members.add("immutable", if: isImmutable)
        members.add("stale_while_revalidate_s", staleWhileRevalidate)
        members.add("stale_if_error_s", staleIfError)
        members.add("validators", validators)
        members.add("vary", varyingFields)
        return .object(members)
    }
}

extension SetCookie {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("name", .string(name)), .init("value", .string(value)),
            .init("secure", .bool(isSecure)), .init("http_only", .bool(isHTTPOnly)),
        ]
        members.add("same_site", sameSite?.rawValue)
        members.add("domain", domain)
        members.add("path", path)
        members.add("expires", expires?.text)
        members.add("max_age_s", maximumAge)
        members.add("partitioned", if: isPartitioned)
        members.add("findings", findings.map(\.rawValue))
        return .object(members)
    }

    /// As in "sid (scripts see it)".
    fileprivate var text: String {
        let label = name.isEmpty ? "without a name" : name
        return findings.isEmpty
            ? label : "\(label) (\(findings.map(\.explanation).joined(separator: "; ")))"
    }
}
