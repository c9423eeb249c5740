extension SecurityFields: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("security", "The security fields of the response.")
        members.required("nosniff", "Whether X-Content-Type-Options forbids guessing types.", \.isNoSniff)
        members.required("csp", "Each Content-Security-Policy.", \.contentSecurityPolicies)
        members.required("findings", "What is missing or weak.", \.findings)
        members.optional("hsts", "The value of Strict-Transport-Security.", \.transportSecurity)
        members.optional("frame_options", "The value of X-Frame-Options.", \.frameOptions)
        members.optional("referrer_policy", "The Referrer-Policy that counts.", \.referrerPolicy)
        members.list("permissions", "Each feature and its allowlist.", \.permissions)
        members.optional("opener_policy", "The value of Cross-Origin-Opener-Policy.", \.openerPolicy)
        members.optional("embedder_policy", "The value of Cross-Origin-Embedder-Policy.", \.embedderPolicy)
        members.optional("resource_policy", "The value of Cross-Origin-Resource-Policy.", \.resourcePolicy)
    }
}

extension SecurityFields.Code: ReportWord {}

extension SecurityFields.Finding: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("code", "What it is, as a stable word.", \.code)
        members.required("explanation", "What it is, for people.", \.explanation)
    }
}

extension SecurityFields.TransportSecurity: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required(
            "max_age_s",
            as: .count,
            "Seconds for which the host is reached over TLS only.",
            \.maximumAge
        )
        members.required("include_subdomains", "Whether its subdomains are, too.", \.includesSubdomains)
        members.required("preload", "Whether it may be in browsers' preload lists.", \.isPreload)
    }
}

/// A feature and its allowlist.
extension SecurityFields.Permission: ReportValue {
    package static func schema(_ definitions: inout ReportDefinitions) -> ValueSchema {
        .tuple(.string, .string)
    }

    package func write(into output: inout JSONWriter) { [feature, allowlist].write(into: &output) }
    package var reported: JSONValue { [feature, allowlist].reported }
}

extension ContentSecurityPolicy.Source: ReportWord {}

extension ContentSecurityPolicy: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("content_security_policy", "A Content Security Policy.")
        members.required("source", "Where it is declared.", \.source)
        members.required("directives", "The directives, in their order.", \.directives)
        members.required("weaknesses", "Its weaknesses.", \.weaknesses)
        members.flag("report_only", "Present if what it forbids is only reported.", \.isReportOnly)
    }
}

extension ContentSecurityPolicy.Directive: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("name", "The name, in lower case.", \.name)
        members.required("values", "The words of the value, as written.", \.values)
    }
}

extension ContentSecurityPolicy.Weakness.Code: ReportWord {}

extension ContentSecurityPolicy.Weakness: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("code", "A stable word.", \.code)
        members.required("explanation", "What it is, for people.", \.explanation)
        members.optional("directive", "The directive that it is in.", \.directive)
        members.optional("value", "The word concerned.", \.value)
    }
}
