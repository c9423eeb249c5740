import WebLoader

extension StructuredData {
    static var schema: ValueSchema {
        .object(
            .optional("json_ld", .array(.shape(.jsonLDBlock)), "Blocks of JSON-LD, in document order."),
            .optional("microdata", .array(.shape(.microdataItem)), "Items of microdata."),
            .optional("rdfa", .array(.shape(.rdfaNode)), "Statements of RDFa, by subject."),
            .optional("open_graph", .array(.shape(.metaProperty)), "Properties of Open Graph."),
            .optional("open_graph_images", .array(.shape(.openGraphMedia)), "Images of Open Graph."),
            .optional("open_graph_videos", .array(.shape(.openGraphMedia)), "Videos of Open Graph."),
            .optional("open_graph_audios", .array(.shape(.openGraphMedia)), "Sounds of Open Graph."),
            .optional("twitter_card", .array(.shape(.metaProperty)), "Properties of Twitter cards."),
            .optional("dublin_core", .array(.shape(.dublinCoreStatement)), "Statements of Dublin Core."),
            .optional("microformats", .array(.shape(.microformat)), "Microformats not inside others."),
            .optional("truncated", .yes, "Present if some were left out, because there are too many.")
        ).described("The structured data of the page.")
    }
}

extension JSONLDBlock {
    static var schema: ValueSchema {
        .placed(
            .optional("value", .any, "The document, as it is."),
            .optional("failure", failureSchema, "Why it cannot be read; absent where it can."),
            .optional("repairs", .array(.word(JSONRepair.self)), "What had to be repaired to read it.")
        ).described("A script element of JSON-LD.")
    }

    private static var failureSchema: ValueSchema {
        .object(
            .required("message", .string, "What is wrong, for people."),
            .required("line", .integer(from: 1), "The line of the page."),
            .required("column", .integer(from: 1), "The column of the page.")
        )
    }
}

extension MicrodataItem {
    static var schema: ValueSchema {
        .placed(
            .required("item", .integer(from: 0), "Its number; alone where the item stands elsewhere."),
            .optional("types", .strings, "Its types, absolute URLs."),
            .optional("properties", .dictionary(.array(valueSchema)), "The values of each name."),
            .optional("id", .string, "Its global identifier."),
            .optional("stray", .yes, "Present if it has itemprop, but no item around it.")
        ).described("An item of microdata.")
    }

    private static var valueSchema: ValueSchema {
        let value = ValueSchema.either(.string, .shape(.microdataItem))
        return .either(
            .string,
            .shape(.microdataItem),
            .object(
                .required("value", value, "The value that the standard gives it."),
                .required("content", .string, "The content attribute.")
            )
        )
    }
}

extension RDFaNode {
    static var schema: ValueSchema {
        .object(
            .required("id", .string, "The subject: an IRI, or a blank node's name."),
            .required("properties", .dictionary(.array(valueSchema)), "The values of each IRI.")
        ).described("The statements of RDFa about a subject.")
    }

    private static var valueSchema: ValueSchema {
        .either(
            .object(.required("id", .string, "A resource: an IRI, or a blank node's name.")),
            .object(
                .required("text", .string, "The text of a literal."),
                .optional("language", .string, "Its language."),
                .optional("datatype", .string, "The IRI of its type.")
            )
        )
    }
}

extension MetaProperty {
    static var schema: ValueSchema {
        .placed(
            .required("name", .string, "The name, in lower case."),
            .required("content", .string, "The content.")
        ).described("A property that a meta element states.")
    }
}

extension OpenGraph.Media {
    static var schema: ValueSchema {
        .object(
            .optional("reference", .string, "The reference as it is written."),
            .optional("url", .string.orNull, "The absolute URL; null if the reference is not a valid URL."),
            .optional("secure_url", .string, "Its HTTPS URL, as written."),
            .optional("type", .string, "The MIME type, as written."),
            .optional("width", .string, "The width, as written."),
            .optional("height", .string, "The height, as written."),
            .optional("alt", .string, "What it shows.")
        ).described("An image, a video or a sound of Open Graph.")
    }
}

extension DublinCoreStatement {
    static var schema: ValueSchema {
        .placed(
            .required("name", .string, "The name as it is written."),
            .required("term", .string, "The IRI of the term."),
            .optional("content", .string, "The content of a meta element."),
            .optional("reference", .string, "What a link element refers to, as written."),
            .optional("url", .string.orNull, "The absolute URL; null if the reference is not a valid URL."),
            .optional("scheme", .string, "The scheme of the value.")
        ).described("A statement of Dublin Core.")
    }
}

extension MicroformatItem {
    static var schema: ValueSchema {
        .placed(
            .required("item", .integer(from: 0), "Its number; alone where the item stands elsewhere."),
            .optional("types", .strings, "Its types, as h-entry."),
            .optional("properties", .dictionary(.array(valueSchema)), "The values of each name."),
            .optional("children", .array(.shape(.microformat)), "Items inside that are not properties."),
            .optional("id", .string, "The ID of its element."),
            .optional("classic", .yes, "Present if a class name from before microformats2 made it."),
            .optional("value", .string, "Of a property: its value as a text.")
        ).described("A microformat.")
    }

    private static var valueSchema: ValueSchema {
        .either(
            .string,
            .shape(.microformat),
            .object(
                .required("html", .string, "The markup inside."),
                .required("value", .string, "The text inside.")
            ),
            .object(
                .required("value", .string, "The URL of an image."),
                .required("alt", .string, "Its alternative text.")
            )
        )
    }
}
