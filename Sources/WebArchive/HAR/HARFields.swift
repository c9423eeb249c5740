import WebStandards

/// The fields of a message as a HAR has them.
struct HARFields {
    private let fields: [(name: String, value: String)]

    /// Those that are passed on; secrets are left out.
    ///
    /// URLs in fields may be relative to what was asked for.
    init(_ fields: [(name: String, value: [UInt8])], of url: WebURL, withSecrets: Bool) {
        let base = url.withoutCredentials
        self.fields = fields.compactMap { name, value in
            let text = Self.text(value)
            guard !withSecrets else { return (name, text) }
            let name = name
            if Self.secrets.contains(where: { name.isEqualIgnoringASCIICase(to: $0) }) { return nil }
            return (name, Self.withoutCredentials(text, base))
        }
    }

    private static let secrets: [StaticString] = [
        "Cookie", "Cookie2", "Set-Cookie", "Set-Cookie2", "Authorization", "Proxy-Authorization",
    ]

    /// A value as text: UTF-8, or else each byte as the character of its number.
    static func text(_ value: [UInt8]) -> String {
        String(validating: value, as: UTF8.self)
            ?? String(String.UnicodeScalarView(value.map { Unicode.Scalar($0) }))
    }

    /// A value without the credentials of the URL that it is, as in Location and Referer.
    private static func withoutCredentials(_ value: String, _ base: WebURL) -> String {
        guard value.utf8.contains(UInt8(ascii: "@")), let url = try? WebURL(value, base: base),
            url.includesCredentials
        else { return value }
        return url.withoutCredentials.href
    }

    /// The first value of a name; nil without one.
    subscript(name: StaticString) -> String? {
        fields.first { $0.name.isEqualIgnoringASCIICase(to: name) }?.value
    }

    /// All fields.
    var list: [JSONValue] { fields.map { ["name": .string($0.name), "value": .string($0.value)] } }

    /// The cookies that a request sent.
    var requestCookies: [JSONValue] {
        values("Cookie").flatMap { $0.split(separator: ";") }.map { Self.cookie(String($0)) }
    }

    /// The cookies that a response set.
    var responseCookies: [JSONValue] {
        values("Set-Cookie").compactMap { $0.split(separator: ";").first }.map { Self.cookie(String($0)) }
    }

    private func values(_ name: StaticString) -> [String] {
        fields.filter { $0.name.isEqualIgnoringASCIICase(to: name) }.map(\.value)
    }

    private static func cookie(_ pair: String) -> JSONValue {
        let name = pair.prefix { $0 != "=" }
        let value = pair.dropFirst(name.count + 1)
        return [
            "name": .string(String(name).trimmingASCIIWhitespace),
            "value": .string(String(value).trimmingASCIIWhitespace),
        ]
    }
}
