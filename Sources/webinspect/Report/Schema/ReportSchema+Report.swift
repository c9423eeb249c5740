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
            .required("kind", .word(PageKind.self), "What the page is taken for."),
            .required("bytes", .integer(from: 0), "Bytes of the body, its content coding undone."),
            .required("base_url", .string, "What references are resolved against."),
            .required("title", .string.orNull, "The title; null where there is none."),
            .required("headings", .array(.shape(.heading)), "Headings, in document order."),
            .required("links", .array(.shape(.link)), "References, in document order."),
            .required("metadata", .shape(.metadata), "What the page and its response say of the page."),
            .required("structured_data", .shape(.structuredData), "What the page says for programs."),
            .required("tables", .array(.shape(.table)), "What tables there are, in document order."),
            .required("warnings", .strings, "What was put right while decoding and parsing, for people."),
            .required("limits", .array(.shape(.limit)), "Limits that the page met while it was parsed."),
            .required("truncated", .boolean, "Whether something is missing because of them."),
            .required("redirects", .array(.shape(.redirect)), "The way here, the first redirect first."),
            .required("timing", .shape(.timing), "How long the request took that got the response."),
            .required("images", .array(.shape(.image)), "Images, in document order."),
            .required("forms", .array(.shape(.form)), "Forms, in document order."),
            .required("scripts", .array(.shape(.script)), "Scripts, in document order."),
            .required("styles", .array(.shape(.style)), "Style sheets, in document order."),
            .required("frames", .array(.shape(.frame)), "Frames, in document order."),
            .required("comments", .array(.shape(.comment)), "Comments, in document order."),
            .required("response", .shape(.response), "The response's fields, explained."),
            .optional("encoding", encodingSchema, "The character encoding; absent for what is no text."),
            .optional("compat_mode", .word(Document.CompatibilityMode.self), "The mode of an HTML page."),
            .optional("counts", countsSchema, "How many elements there are of a kind."),
            .optional("outline", .shape(.outline), "The structure, as assistive technology has it."),
            .optional("resources", .shape(.resources), "What came of --with-resources."),
            .optional("cache", .shape(.cache), "What the cache did, and why; absent where none was asked."),
            .optional("parse_errors", .array(.shape(.parseError)), "With --parse-errors: what they are."),
            .optional("parse_errors_truncated", .yes, "Present if there are more parse errors."),
            .optional("findings", .array(.shape(.finding)), "With --findings: what is wrong with the page."),
            .optional("findings_truncated", .yes, "Present if there are more findings.")
        ).described("What webinspect SOURCE --json says of a page.")
    }

    private static var encodingSchema: ValueSchema {
        // What is text already has no encoding; only a program can hand that over.
        let sources = EncodingDetection.Source.allCases.filter { $0 != .text }.map(\.rawValue)
        return .object(
            .required("name", .string, "The Encoding standard's name."),
            .required("source", .word(sources), "Who named it.")
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
            .described("A departure from the standard.")
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
            .required("url", .string.orNull, "The absolute URL; null where the reference is none."),
            .optional("element", .string, "The element that it stands in."),
            .optional("attribute", .string, "The attribute that it stands in."),
            .optional("field", .string, "The header field that it stands in."),
            .optional("failure", .string, "Why the reference is no URL."),
            .optional("rel", .strings, "The words of rel, in lower case."),
            .optional("text", .string, "The text inside a link, or the alternative text of an image."),
            .optional("width", .integer, "The width descriptor of a URL of a srcset."),
            .optional("height", .integer, "The height descriptor of a URL of a srcset."),
            .optional("density", .number, "The density descriptor of a URL of a srcset."),
            .optional("inert", .yes, "Present if it stands in a template.")
        ).described("A reference that the page makes.")
    }
}

extension Finding {
    static var schema: ValueSchema {
        .placed(
            .required("code", .word(Finding.Code.self), "What it is, as a stable word."),
            .required("severity", .word(Finding.Severity.self), "How much it matters."),
            .required("message", .string, "What was found, for people."),
            .required("advice", .string, "What to do about it."),
            .optional("element", .string, "The name of the element that it is about.")
        ).described("Something that is wrong with the page, or could be better.")
    }
}
