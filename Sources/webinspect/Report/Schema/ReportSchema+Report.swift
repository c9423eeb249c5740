import WebLoader

extension ReportSchema {
    /// The whole report, which docs/json-report.md describes to people.
    static var report: ValueSchema {
        .object(
            .required("schema", .constant(.integer(PageReport.schema)), "The version of the report's form."),
            .required("source", .string, "SOURCE, as it was given."),
            .required("url", .string, "The URL that answered, after redirects."),
            .required("status", .integer.orNull, "The HTTP status; null where it did not come over HTTP."),
            .required("mime_type", .string, "The computed MIME type, with its parameters."),
            .required("kind", .word(PageKind.self), "The kind of the page."),
            .required("bytes", .integer(from: 0), "Bytes of the body, without its content coding."),
            .required("base_url", .string, "What references are resolved against."),
            .required("title", .string.orNull, "The title; null where there is none."),
            .required("headings", .array(.shape(.heading)), "Headings, in document order."),
            .required("links", .array(.shape(.link)), "References, in document order."),
            .required("metadata", .shape(.metadata), "Metadata of the page and its response."),
            .required("structured_data", .shape(.structuredData), "The structured data of the page."),
            .required("tables", .array(.shape(.table)), "What tables there are, in document order."),
            .required("warnings", .strings, "What was corrected while decoding and parsing, for people."),
            .required("limits", .array(.shape(.limit)), "Limits that the page met while it was parsed."),
            .required("truncated", .boolean, "Whether something is missing because of them."),
            .required("redirects", .array(.shape(.redirect)), "The redirects, in their order."),
            .required("timing", .shape(.timing), "How long the request took that got the response."),
            .required("images", .array(.shape(.image)), "Images, in document order."),
            .required("forms", .array(.shape(.form)), "Forms, in document order."),
            .required("scripts", .array(.shape(.script)), "Scripts, in document order."),
            .required("styles", .array(.shape(.style)), "Style sheets, in document order."),
            .required("frames", .array(.shape(.frame)), "Frames, in document order."),
            .required("comments", .array(.shape(.comment)), "Comments, in document order."),
            .required("response", .shape(.response), "The response's fields, explained."),
            .optional("encoding", encodingSchema, "The character encoding; absent if the page is not text."),
            .optional("compat_mode", .word(Document.CompatibilityMode.self), "The mode of an HTML page."),
            .optional("counts", countsSchema, "How many elements there are of a kind."),
            .optional("outline", .shape(.outline), "The structure, as assistive technology has it."),
            .optional("resources", .shape(.resources), "The result of --with-resources."),
            .optional("cache", .shape(.cache), "What the cache did, and why; absent if no cache was used."),
            .optional("parse_errors", .array(.shape(.parseError)), "With --parse-errors: the parse errors."),
            .optional("parse_errors_truncated", .yes, "Present if there are more parse errors."),
            .optional(
                "findings",
                .array(.shape(.finding)),
                "With --findings: problems and possible improvements."
            ),
            .optional("findings_truncated", .yes, "Present if there are more findings.")
        ).described("What webinspect SOURCE --json writes about a page.")
    }

    private static var encodingSchema: ValueSchema {
        // What is text already has no encoding; only a program can hand that over.
        let sources = EncodingDetection.Source.allCases.filter { $0 != .text }.map(\.rawValue)
        return .object(
            .required("name", .string, "The Encoding standard's name."),
            .required("source", .word(sources), "Where it was declared.")
        )
    }

    private static var countsSchema: ValueSchema {
        .object(
            .required("elements", .integer(from: 0), "Elements, without those inside templates."),
            .required("images", .integer(from: 0), "How many img elements there are."),
            .required("forms", .integer(from: 0), "How many form elements there are."),
            .required("tables", .integer(from: 0), "How many table elements there are."),
            .required("scripts", .integer(from: 0), "How many script elements there are."),
            .required("styles", .integer(from: 0), "How many style elements there are."),
            .required("frames", .integer(from: 0), "How many iframe and frame elements there are.")
        )
    }
}

extension Heading {
    static var schema: ValueSchema {
        .placed(
            .required("level", .integer(from: 1), "The level, 1 to 6."),
            .required("text", .string, "The text, white space stripped and collapsed.")
        ).described("A heading.")
    }
}

extension ReachedLimit {
    static var schema: ValueSchema {
        .object(
            .required("code", .word(ReachedLimit.Code.self), "Which limit it is, as a stable word."),
            .required("limit", .integer, "The limit: elements, nodes, attributes, bytes or milliseconds."),
            .required("message", .string, "What happened, for people."),
            .optional("count", .integer, "How much was moved or left out.")
        ).described("A limit that the page met.")
    }
}

extension ParseError {
    static var schema: ValueSchema {
        .placed(.required("name", .string, "The HTML standard's name of it; of XML, libxml2's words."))
            .described("A parse error.")
    }
}

extension TableSummary {
    static var schema: ValueSchema {
        .placed(
            .required("caption", .string.orNull, "The caption; null without one."),
            .required("row_count", .integer(from: 0), "How many rows there are."),
            .required("column_count", .integer(from: 0), "How many columns there are."),
            .required("depth", .integer(from: 0), "How many tables it is inside of."),
            .required("headers", .strings, "The cells of the last header row; empty without one.")
        ).described("A table, without what is in it.")
    }
}

extension Link {
    static var schema: ValueSchema {
        .placed(
            .required("kind", .word(Link.Kind.known.map(\.rawValue)), "What it is for."),
            .required("reference", .string, "The reference as it is written."),
            .required("url", .string.orNull, "The absolute URL; null if the reference is not a valid URL."),
            .optional("element", .string, "The element that it stands in."),
            .optional("attribute", .string, "The attribute that it stands in."),
            .optional("field", .string, "The header field that it stands in."),
            .optional("failure", .string, "Why the reference is not a valid URL."),
            .optional("rel", .strings, "The words of rel, in lower case."),
            .optional("text", .string, "The text inside a link, or the alternative text of an image."),
            .optional("width", .integer, "The width descriptor of a URL of a srcset."),
            .optional("height", .integer, "The height descriptor of a URL of a srcset."),
            .optional("density", .number, "The density descriptor of a URL of a srcset."),
            .optional("inert", .yes, "Present if it is inside a template.")
        ).described("A reference that the page makes.")
    }
}

extension Finding {
    static var schema: ValueSchema {
        .placed(
            .required("code", .word(Finding.Code.self), "What it is, as a stable word."),
            .required("severity", .word(Finding.Severity.self), "How severe it is."),
            .required("message", .string, "What was found, for people."),
            .required("advice", .string, "What to do about it."),
            .optional("element", .string, "The name of the element that it is about.")
        ).described("A problem of the page, or a possible improvement.")
    }
}
