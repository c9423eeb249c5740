import HTTPTypes

/// A response as `webinspect fetch --json` writes it.
package struct ResponseReport: ReportObject {
    private let response: WebResponse
    /// The body, where JSON can hold the bytes as they are.
    private let text: String?

    /// Takes a response.
    package init(_ response: WebResponse) {
        self.response = response
        text = String(validating: response.body, as: UTF8.self)
    }

    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("url", "The URL that answered, after redirects.") { $0.response.url }
        members.required("status", "The HTTP status; null where it did not come over HTTP.") {
            $0.response.status?.code
        }
        members.required("headers", nil) { HeaderFields($0.response.headerFields) }
        members.required("source", "Where the body came from.") { $0.response.source }
        members.required("timing", nil) { $0.response.timing }
        members.required("redirects", "The redirects, in their order.") { $0.response.redirects }
        members.optional("body", "The body, if it is valid UTF-8.", \.text)
        members.optional("body_base64", "The body, if it is not.") {
            $0.text == nil ? Base64.encode($0.response.body) : nil
        }
        members.optional("cache", nil) { $0.response.cacheVerdict }
        members.optional("record", nil) { $0.response.capture }
        members.include { ConnectionReport($0.response) }
    }
}

/// The response of a page, with its security fields, caching and cookies explained.
package struct PageResponseReport: ReportObject, Sendable {
    package let response: WebResponse
    package let security: SecurityFields
    package let caching: ResponseCaching?
    package let cookies: [SetCookie]

    init(_ response: WebResponse, _ security: SecurityFields) {
        self.response = response
        self.security = security
        caching = response.caching
        cookies = response.setCookies
    }

    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("response", "The response, explained.")
        members.required("headers", "The response's fields.") { HeaderFields($0.response.headerFields) }
        members.required("source", "Where the body came from.") { $0.response.source }
        members.required("security", "The security fields of the response.", \.security)
        members.required("cookies", "Each Set-Cookie field, in order.", \.cookies)
        members.optional("caching", "What HTTP lets a private cache do with it.", \.caching)
        members.optional("compression", "How it was compressed; absent if it was not.") {
            CompressionReport($0)
        }
        members.optional("record", nil) { $0.response.capture }
        members.include { ConnectionReport($0.response) }
    }

    /// The content codings of the body, in the order in which they were put on it.
    package var codings: [String] {
        response.headerFields[values: .contentEncoding].flatMap { value in
            value.split(separator: ",").map { $0.filter { $0 != " " && $0 != "\t" }.lowercased() }
        }.filter { !$0.isEmpty }
    }
}

private struct CompressionReport: ReportObject {
    let codings: [String]
    private let coded: Int?
    private let decoded: Int

    /// Nil for a body without codings.
    init?(_ report: PageResponseReport) {
        codings = report.codings
        coded = report.response.transferSize?.body ?? report.response.capture?.codedSize
        decoded = report.response.transferSize?.decodedBody ?? report.response.body.count
        if codings.isEmpty { return nil }
    }

    static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("codings", "The codings, in the order in which they were put on.", \.codings)
        members.optional("ratio", "Decoded bytes for each on the wire.", \.ratio)
    }

    private var ratio: Double? {
        guard let coded, coded > 0 else { return nil }
        return Double(decoded) / Double(coded)
    }
}

/// How a response came: what of the protocol, the address, sizes and TLS is known.
private struct ConnectionReport: ReportObject {
    let response: WebResponse

    init(_ response: WebResponse) {
        self.response = response
    }

    static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.optional("http_version", "The version of HTTP; absent where it was not HTTP.") {
            $0.response.httpVersion
        }
        members.optional("remote_address", "The IP address that answered.") { $0.response.remoteAddress }
        members.optional("transfer_size", "Bytes over the network; absent where none came.") {
            $0.response.transferSize
        }
        members.optional("tls", "The secure connection; absent without one.") { $0.response.tls }
        members.optional("retries", as: .integer(from: 1), "How often the request was made again.") {
            $0.response.retries > 0 ? $0.response.retries : nil
        }
        members.list("interim", "Interim responses, each a status and its fields.") {
            $0.response.interimResponses
        }
    }
}

/// Fields, each a name and a value.
private struct HeaderFields: ReportValue {
    let fields: HTTPFields

    init(_ fields: HTTPFields) {
        self.fields = fields
    }

    static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema {
        let schema = ValueSchema.array(.tuple(.string, .string))
        return definitions.define("headers", "Fields in their order, each a name and a value.", schema)
    }

    func write(into output: inout JSONWriter) { pairs.write(into: &output) }
    var reported: JSONValue { pairs.reported }

    private var pairs: [[String]] { fields.map { [$0.name.rawName, $0.value] } }
}

/// A status and fields.
extension WebResponse.Interim: ReportValue {
    package static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema {
        .tuple(.integer, HeaderFields.schema(&definitions))
    }

    package func write(into output: inout JSONWriter) {
        output.beginArray()
        status.code.write(into: &output)
        output.separator()
        HeaderFields(headerFields).write(into: &output)
        output.endArray()
    }

    package var reported: JSONValue { [status.code.reported, HeaderFields(headerFields).reported] }
}

extension TransferSize: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("headers", as: .count, "Bytes of status lines and fields.", \.headers)
        members.required("body", as: .count, "Bytes of the body in its content coding.", \.body)
        members.required(
            "decoded_body",
            as: .count,
            "Bytes of the body, without its content coding.",
            \.decodedBody
        )
    }
}

extension WebResponse.Source: ReportWord {}

extension WebResponse.Capture: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named(
            "record",
            "The capture of an archive that it is; absent where it is not from an archive."
        )
        members.required("archive", "The path of the archive.", \.archive)
        members.optional("date", "When it was captured.") { $0.date?.text }
        members.optional("part", "The file inside of the archive.", \.part)
        members.optional("offset", as: .count, "Where its record begins in the file, in bytes.", \.offset)
        members.optional("id", "The ID of its record.", \.recordID)
        members.optional("revisit", "Whether another record has its body.") { $0.isRevisit ? true : nil }
    }
}

extension WebResponse.Redirect: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("redirect", "A redirect on the way to the response.")
        members.required("url", "The URL that answered with the redirect.", \.url)
        members.required("status", "The HTTP status.") { $0.status.code }
        members.required("headers", "The fields of the redirect.") { HeaderFields($0.headerFields) }
        members.required("source", "Where it came from.", \.source)
        members.required("timing", "How long it took.", \.timing)
    }
}

extension LoadTiming: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named(
            "timing",
            "Milliseconds from the start of the request; phases that did not take place are absent."
        )
        members.optional("name_lookup_ms", "Until the name was resolved.", \.nameLookup)
        members.optional("connect_ms", "Until the connection was established.", \.connect)
        members.optional("tls_ms", "Until TLS was established.", \.tls)
        members.optional("first_byte_ms", "Until the first byte of the response.", \.firstByte)
        members.optional("total_ms", "Until the last byte of the response.", \.total)
    }
}

extension TLSInformation: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("tls", "The secure connection.")
        members.required("version", "The version of TLS.", \.version)
        members.required("cipher", "The cipher, by OpenSSL's name.", \.cipher)
        members.required("verified", "Whether the certificate was verified.", \.isVerified)
        members.required("certificates", "The certificates, the server's first.", \.certificates)
    }
}

extension TLSInformation.Certificate: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("subject", "The name of its owner.", \.subject)
        members.required("issuer", "Who issued it.", \.issuer)
        members.required("valid_from", "When it begins to be valid, in ISO 8601.") { $0.validFrom.text }
        members.required("expires", "When it expires, in ISO 8601.") { $0.expires.text }
    }
}

// MARK: - Caching

extension CacheVerdict.Outcome: ReportWord {}

extension CacheVerdict: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("cache", "What the cache did, and why.")
        members.required("outcome", "What the cache did.", \.outcome)
        members.required("reason", "Why, as a stable word.", \.reason)
        members.required("explanation", "Why, for people.", \.explanation)
        members.required("stored", "Whether the response stands in the cache now.", \.isStored)
        members.optional("age_s", as: .count, "Seconds since the origin made or validated it.", \.age)
        members.optional(
            "fresh_for_s",
            "Seconds for which it is fresh, from when it was made.",
            \.freshnessLifetime
        )
        members.optional("damage", "What was wrong with the entry that was stored.", \.damage)
        members.optional("failure", "Why it could not be written to the cache.", \.failure)
    }
}

extension ResponseCaching.LifetimeSource: ReportWord {}

extension ResponseCaching: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("caching", "What HTTP lets a private cache do with the response.")
        members.required("storable", "Whether it may be kept.", \.isStorable)
        members.required("explanation", "What may be done with it, in a sentence for people.", \.explanation)
        members.optional("refusal", "Why it may not be kept, as a stable word.", \.refusal)
        members.optional("fresh_for_s", "Seconds for which it is fresh.", \.freshnessLifetime)
        members.optional("lifetime_source", "Where the lifetime is stated.", \.lifetimeSource)
        members.optional(
            "shared_fresh_for_s",
            "Seconds for which shared caches may use it.",
            \.sharedLifetime
        )
        members.flag("private", "Present if shared caches may not keep it.", \.isPrivate)
        members.flag("no_cache", "Present if it is validated before each use.", \.asksBeforeUse)
        members.flag("must_revalidate", "Present if it may never be used stale.", \.mustRevalidate)
        members.flag("immutable", "Present if it does not change while it is fresh.", \.isImmutable)
        members.optional(
            "stale_while_revalidate_s",
            "Seconds for which it may be used while it is validated.",
            \.staleWhileRevalidate
        )
        members.optional(
            "stale_if_error_s",
            "Seconds for which it may be used if the server fails.",
            \.staleIfError
        )
        members.list("validators", "The fields that it can be validated by.", \.validators)
        members.list("vary", "The request's fields that it depends on.", \.varyingFields)
    }
}

// MARK: - Cookies

extension SetCookie.SameSite: ReportWord {}
extension SetCookie.Finding: ReportWord {}

extension SetCookie: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("cookie", "A cookie that the response sets.")
        members.required("name", "The name; may be empty.", \.name)
        members.required("value", "The value.", \.value)
        members.required("secure", "Whether it is sent over TLS only.", \.isSecure)
        members.required("http_only", "Whether scripts do not see it.", \.isHTTPOnly)
        members.optional("same_site", "Which sites' requests have it.", \.sameSite)
        members.optional("domain", "The Domain attribute; absent for the host only.", \.domain)
        members.optional("path", "The Path attribute.", \.path)
        members.optional("expires", "The Expires attribute, in ISO 8601.") { $0.expires?.text }
        members.optional("max_age_s", "The Max-Age attribute, in seconds.", \.maximumAge)
        members.flag("partitioned", "Present if it is partitioned by top-level site.", \.isPartitioned)
        members.list("findings", "What is wrong with it.", \.findings)
    }
}
