import WebLoader

extension SecurityFields {
    static var schema: ValueSchema {
        .object(
            .required("nosniff", .boolean, "Whether X-Content-Type-Options forbids guessing types."),
            .required("csp", .array(.shape(.contentSecurityPolicy)), "Each Content-Security-Policy."),
            .required("findings", .array(findingSchema), "What is missing or weak."),
            .optional("hsts", transportSchema, "The value of Strict-Transport-Security."),
            .optional("frame_options", .string, "The value of X-Frame-Options."),
            .optional("referrer_policy", .string, "The Referrer-Policy that counts."),
            .optional("permissions", .array(permissionSchema), "Each feature and its allowlist."),
            .optional("opener_policy", .string, "The value of Cross-Origin-Opener-Policy."),
            .optional("embedder_policy", .string, "The value of Cross-Origin-Embedder-Policy."),
            .optional("resource_policy", .string, "The value of Cross-Origin-Resource-Policy.")
        ).described("The security fields of the response.")
    }

    private static var findingSchema: ValueSchema {
        .object(
            .required("code", .word(SecurityFields.Code.self), "What it is, as a stable word."),
            .required("explanation", .string, "What it is, for people.")
        )
    }

    private static var transportSchema: ValueSchema {
        .object(
            .required("max_age_s", .integer(from: 0), "Seconds for which the host is reached over TLS only."),
            .required("include_subdomains", .boolean, "Whether its subdomains are, too."),
            .required("preload", .boolean, "Whether it may be in browsers' preload lists.")
        )
    }

    private static var permissionSchema: ValueSchema { .tuple(.string, .string) }
}

extension ContentSecurityPolicy {
    static var schema: ValueSchema {
        .object(
            .required("source", .word(ContentSecurityPolicy.Source.self), "Where it is declared."),
            .required("directives", .array(directiveSchema), "The directives, in their order."),
            .required("weaknesses", .array(weaknessSchema), "Its weaknesses."),
            .optional("report_only", .yes, "Present if what it forbids is only reported.")
        ).described("A Content Security Policy.")
    }

    private static var directiveSchema: ValueSchema {
        .object(
            .required("name", .string, "The name, in lower case."),
            .required("values", .strings, "The words of the value, as written.")
        )
    }

    private static var weaknessSchema: ValueSchema {
        .object(
            .required("code", .word(ContentSecurityPolicy.Weakness.Code.self), "A stable word."),
            .required("explanation", .string, "What it is, for people."),
            .optional("directive", .string, "The directive that it is in."),
            .optional("value", .string, "The word concerned.")
        )
    }
}
