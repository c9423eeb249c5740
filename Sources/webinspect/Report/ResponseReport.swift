import HTTPTypes
import WebLoader

/// A response as JSON: the parts that `fetch` and the page report share.
struct ResponseReport {
    private let response: WebResponse

    init(_ response: WebResponse) {
        self.response = response
    }

    /// All of it.
    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("url", .string(response.url.description)),
            .init("status", JSONValue(response.status?.code)),
            .init("headers", headers),
            .init("source", .string(response.source.rawValue)),
            .init("timing", timing),
            .init("redirects", redirects),
        ]
        // Text where JSON can hold the bytes as they are.
        if let text = String(validating: response.body, as: UTF8.self) {
            members.append(.init("body", .string(text)))
        } else {
            members.append(.init("body_base64", .string(Base64.encode(response.body))))
        }
        if let cache { members.append(.init("cache", cache)) }
        return .object(members + connection)
    }

    /// How it came: what of the protocol, the address, sizes and TLS is known.
    var connection: [JSONValue.Member] {
        var members: [JSONValue.Member] = []
        if let version = response.httpVersion { members.append(.init("http_version", .string(version))) }
        if let address = response.remoteAddress { members.append(.init("remote_address", .string(address))) }
        if let size = response.transferSize {
            members.append(
                .init(
                    "transfer_size",
                    [
                        "headers": .integer(Int64(size.headers)), "body": .integer(Int64(size.body)),
                        "decoded_body": .integer(Int64(size.decodedBody)),
                    ]
                )
            )
        }
        if let tls = response.tls { members.append(.init("tls", Self.json(tls))) }
        if response.retries > 0 { members.append(.init("retries", .integer(Int64(response.retries)))) }
        if !response.interimResponses.isEmpty {
            members.append(
                .init(
                    "interim",
                    .array(
                        response.interimResponses.map {
                            [.integer(Int64($0.status.code)), Self.fields($0.headerFields)]
                        }
                    )
                )
            )
        }
        return members
    }

    /// The fields, in their order.
    var headers: JSONValue { Self.fields(response.headerFields) }

    /// What the cache did and why; nil where none was asked.
    var cache: JSONValue? {
        guard let verdict = response.cacheVerdict else { return nil }
        var members: [JSONValue.Member] = [
            .init("outcome", .string(verdict.outcome.rawValue)), .init("reason", .string(verdict.reason)),
            .init("explanation", .string(verdict.explanation)), .init("stored", .bool(verdict.isStored)),
        ]
        if let age = verdict.age { members.append(.init("age_s", .integer(age))) }
        if let lifetime = verdict.freshnessLifetime {
            members.append(.init("fresh_for_s", .integer(lifetime)))
        }
        if let damage = verdict.damage { members.append(.init("damage", .string(damage))) }
        if let failure = verdict.failure { members.append(.init("failure", .string(failure))) }
        return .object(members)
    }

    private static func json(_ tls: TLSInformation) -> JSONValue {
        [
            "version": .string(tls.version), "cipher": .string(tls.cipher), "verified": .bool(tls.isVerified),
            "certificates": .array(
                tls.certificates.map { certificate in
                    [
                        "subject": .string(certificate.subject), "issuer": .string(certificate.issuer),
                        "valid_from": .string(certificate.validFrom.text),
                        "expires": .string(certificate.expires.text),
                    ]
                }
            ),
        ]
    }

    /// Milliseconds from the start to the end of each phase.
    var timing: JSONValue { Self.json(response.timing) }

    private static func json(_ timing: LoadTiming) -> JSONValue {
        let phases = [
            ("name_lookup_ms", timing.nameLookup), ("connect_ms", timing.connect), ("tls_ms", timing.tls),
            ("first_byte_ms", timing.firstByte), ("total_ms", timing.total),
        ]
        return .object(
            phases.compactMap { name, time in
                time.map { .init(name, .number(JSONValue.milliseconds($0))) }
            }
        )
    }

    /// The way here.
    var redirects: JSONValue {
        .array(
            response.redirects.map {
                [
                    "url": .string($0.url.description), "status": .integer(Int64($0.status.code)),
                    "headers": Self.fields($0.headerFields), "source": .string($0.source.rawValue),
                    "timing": Self.json($0.timing),
                ]
            }
        )
    }

    private static func fields(_ fields: HTTPFields) -> JSONValue {
        .array(fields.map { [.string($0.name.rawName), .string($0.value)] })
    }
}
