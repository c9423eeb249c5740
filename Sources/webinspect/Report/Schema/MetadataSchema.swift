import WebLoader

extension PageMetadata {
    static var schema: ValueSchema {
        .object(
            .optional("titles", .array(.shape(.metadataText)), "What the page is called."),
            .optional("descriptions", .array(.shape(.metadataText)), "What the page is about."),
            .optional("languages", .array(.shape(.metadataText)), "BCP 47 tags of its language."),
            .optional("site_names", .array(.shape(.metadataText)), "What the site is called."),
            .optional("authors", .array(.shape(.metadataText)), "Who has written it."),
            .optional("generators", .array(.shape(.metadataText)), "The program that has made it."),
            .optional("keywords", .array(.shape(.metadataText)), "Keywords."),
            .optional("viewports", .array(.shape(.metadataText)), "How small screens should show it."),
            .optional("published", .array(.shape(.metadataDate)), "When it was published."),
            .optional("modified", .array(.shape(.metadataDate)), "When it was last modified."),
            .optional("canonicals", .array(.shape(.metadataLink)), "The canonical URLs."),
            .optional("alternates", .array(.shape(.metadataLink)), "The same in other languages and forms."),
            .optional("feeds", .array(.shape(.metadataLink)), "Feeds of the site."),
            .optional("icons", .array(.shape(.metadataLink)), "Icons of the page."),
            .optional("manifests", .array(.shape(.metadataLink)), "The web application's manifest."),
            .optional("amp_pages", .array(.shape(.metadataLink)), "The same as an AMP page."),
            .optional("previous_pages", .array(.shape(.metadataLink)), "What comes before it."),
            .optional("next_pages", .array(.shape(.metadataLink)), "What comes after it."),
            .optional("licenses", .array(.shape(.metadataLink)), "What allows its use."),
            .optional("robots", .array(.shape(.robotsRule)), "What crawlers may do."),
            .optional("theme_colors", .array(.shape(.themeColor)), "Colours for the browser's interface."),
            .optional("truncated", .yes, "Present if some were left out, because there are too many.")
        ).described("Metadata of the page and its response; of each kind the most trusted first.")
    }
}

extension MetadataSource {
    /// The schema of what is said, with who says it and where.
    fileprivate static func schema(_ properties: ValueSchema.Property...) -> ValueSchema {
        .placed(
            properties + [
                .required("source", .word(MetadataSource.Kind.self), "The kind of the source."),
                .required("name", .string, "The name of the source within its kind."),
            ]
        )
    }
}

extension MetadataText {
    static var schema: ValueSchema {
        MetadataSource.schema(.required("text", .string, "The words, white space stripped and collapsed."))
            .described("A text about the page.")
    }
}

extension MetadataDate {
    static var schema: ValueSchema {
        MetadataSource.schema(
            .required("text", .string, "The date as it is written."),
            .required("date", .string.orNull, "The date in ISO 8601; null if it is invalid or ambiguous.")
        ).described("A date of the page.")
    }
}

extension MetadataLink {
    static var schema: ValueSchema {
        MetadataSource.schema(
            .required("reference", .string, "The reference as it is written."),
            .required("url", .string.orNull, "The absolute URL; null if the reference is not a valid URL."),
            .required("rel", .strings, "The words of rel, in lower case."),
            .optional("type", .string, "The MIME type, as written."),
            .optional("media", .string, "The media query, as written."),
            .optional("language", .string, "The language, of hreflang."),
            .optional("title", .string, "The title."),
            .optional("color", .string, "The colour of a mask icon."),
            .optional("sizes", .array(sizeSchema), "The sizes of an icon."),
            .optional("scalable", .yes, "Present if an icon has any size.")
        ).described("A URL related to the page.")
    }

    private static var sizeSchema: ValueSchema {
        .object(
            .required("width", .integer(from: 0), "The width, in pixels."),
            .required("height", .integer(from: 0), "The height, in pixels.")
        )
    }
}

extension RobotsRule {
    static var schema: ValueSchema {
        MetadataSource.schema(
            .required("directives", .strings, "The directives, in lower case, with their values."),
            .optional("agent", .string, "The crawler, in lower case; absent for all.")
        ).described("What crawlers may do.")
    }
}

extension ThemeColor {
    static var schema: ValueSchema {
        MetadataSource.schema(
            .required("color", .string, "The colour as it is written."),
            .optional("media", .string, "The media query that it is for; absent for all.")
        ).described("A colour for the browser's interface.")
    }
}
