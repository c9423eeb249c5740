import WebLoader

extension ResponseSection {
    static var schema: ValueSchema {
        .object(
            .required("headers", .shape(.headers), "The response's fields."),
            .required("source", .word(WebResponse.Source.self), "Where the body came from."),
            .required("security", .shape(.security), "The security fields of the response."),
            .required("cookies", .array(.shape(.cookie)), "Each Set-Cookie field, in order."),
            .optional("caching", .shape(.caching), "What HTTP lets a private cache do with it."),
            .optional("compression", compressionSchema, "How it was compressed; absent if it was not."),
            .optional("http_version", .string, "The version of HTTP; absent where it was not HTTP."),
            .optional("remote_address", .string, "The IP address that answered."),
            .optional("transfer_size", sizeSchema, "Bytes over the network; absent where none came."),
            .optional("tls", .shape(.tls), "The secure connection; absent without one."),
            .optional("retries", .integer(from: 1), "How often the request was made again."),
            .optional("interim", .array(interimSchema), "Interim responses, each a status and its fields.")
        ).described("The response, explained.")
    }

    private static var compressionSchema: ValueSchema {
        .object(
            .required("codings", .strings, "The codings, in the order in which they were put on."),
            .optional("ratio", .number, "Decoded bytes for each on the wire.")
        )
    }

    private static var sizeSchema: ValueSchema {
        .object(
            .required("headers", .integer(from: 0), "Bytes of status lines and fields."),
            .required("body", .integer(from: 0), "Bytes of the body in its content coding."),
            .required("decoded_body", .integer(from: 0), "Bytes of the body, without its content coding.")
        )
    }

    private static var interimSchema: ValueSchema { .tuple(.integer, .shape(.headers)) }
}

extension ResponseReport {
    static var headersSchema: ValueSchema {
        .array(.tuple(.string, .string)).described("Fields in their order, each a name and a value.")
    }

    static var redirectSchema: ValueSchema {
        .object(
            .required("url", .string, "The URL that answered with the redirect."),
            .required("status", .integer, "The HTTP status."),
            .required("headers", .shape(.headers), "The fields of the redirect."),
            .required("source", .word(WebResponse.Source.self), "Where it came from."),
            .required("timing", .shape(.timing), "How long it took.")
        ).described("A redirect on the way to the response.")
    }

    static var cacheSchema: ValueSchema {
        .object(
            .required("outcome", .word(CacheVerdict.Outcome.self), "What the cache did."),
            .required("reason", .string, "Why, as a stable word."),
            .required("explanation", .string, "Why, for people."),
            .required("stored", .boolean, "Whether the response stands in the cache now."),
            .optional("age_s", .integer(from: 0), "Seconds since the origin made or validated it."),
            .optional("fresh_for_s", .integer, "Seconds for which it is fresh, from when it was made."),
            .optional("damage", .string, "What was wrong with the entry that was stored."),
            .optional("failure", .string, "Why it could not be written to the cache.")
        ).described("What the cache did, and why.")
    }
}

extension LoadTiming {
    static var schema: ValueSchema {
        .object(
            .optional("name_lookup_ms", .number, "Until the name was resolved."),
            .optional("connect_ms", .number, "Until the connection was established."),
            .optional("tls_ms", .number, "Until TLS was established."),
            .optional("first_byte_ms", .number, "Until the first byte of the response."),
            .optional("total_ms", .number, "Until the last byte of the response.")
        ).described("Milliseconds from the start of the request; phases that did not take place are absent.")
    }
}

extension TLSInformation {
    static var schema: ValueSchema {
        .object(
            .required("version", .string, "The version of TLS."),
            .required("cipher", .string, "The cipher, by OpenSSL's name."),
            .required("verified", .boolean, "Whether the certificate was verified."),
            .required("certificates", .array(certificateSchema), "The certificates, the server's first.")
        ).described("The secure connection.")
    }

    private static var certificateSchema: ValueSchema {
        .object(
            .required("subject", .string, "The name of its owner."),
            .required("issuer", .string, "Who issued it."),
            .required("valid_from", .string, "When it begins to be valid, in ISO 8601."),
            .required("expires", .string, "When it expires, in ISO 8601.")
        )
    }
}

extension ResponseCaching {
    static var schema: ValueSchema {
        .object(
            .required("storable", .boolean, "Whether it may be kept."),
            .required("explanation", .string, "What may be done with it, in a sentence for people."),
            .optional("refusal", .string, "Why it may not be kept, as a stable word."),
            .optional("fresh_for_s", .integer, "Seconds for which it is fresh."),
            .optional(
                "lifetime_source",
                .word(ResponseCaching.LifetimeSource.self),
                "Where the lifetime is stated."
            ),
            .optional("shared_fresh_for_s", .integer, "Seconds for which shared caches may use it."),
            .optional("private", .yes, "Present if shared caches may not keep it."),
            .optional("no_cache", .yes, "Present if it is validated before each use."),
            .optional("must_revalidate", .yes, "Present if it may never be used stale."),
            .optional("immutable", .yes, "Present if it does not change while it is fresh."),
            .optional(
                "stale_while_revalidate_s",
                .integer,
                "Seconds for which it may be used while it is validated."
            ),
            .optional("stale_if_error_s", .integer, "Seconds for which it may be used if the server fails."),
            .optional("validators", .strings, "The fields that it can be validated by."),
            .optional("vary", .strings, "The request's fields that it depends on.")
        ).described("What HTTP lets a private cache do with the response.")
    }
}

extension SetCookie {
    static var schema: ValueSchema {
        .object(
            .required("name", .string, "The name; may be empty."),
            .required("value", .string, "The value."),
            .required("secure", .boolean, "Whether it is sent over TLS only."),
            .required("http_only", .boolean, "Whether scripts do not see it."),
            .optional("same_site", .word(SetCookie.SameSite.self), "Which sites' requests have it."),
            .optional("domain", .string, "The Domain attribute; absent for the host only."),
            .optional("path", .string, "The Path attribute."),
            .optional("expires", .string, "The Expires attribute, in ISO 8601."),
            .optional("max_age_s", .integer, "The Max-Age attribute, in seconds."),
            .optional("partitioned", .yes, "Present if it is partitioned by top-level site."),
            .optional("findings", .array(.word(SetCookie.Finding.self)), "What is wrong with it.")
        ).described("A cookie that the response sets.")
    }
}
