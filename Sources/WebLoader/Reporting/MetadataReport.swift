extension PageMetadata: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named(
            "metadata",
            "Metadata of the page and its response; of each kind the most trusted first."
        )
        members.list("titles", "What the page is called.", \.titles)
        members.list("descriptions", "What the page is about.", \.descriptions)
        members.list("languages", "BCP 47 tags of its language.", \.languages)
        members.list("site_names", "What the site is called.", \.siteNames)
        members.list("authors", "Who has written it.", \.authors)
        members.list("generators", "The program that has made it.", \.generators)
        members.list("keywords", "Keywords.", \.keywords)
        members.list("viewports", "How small screens should show it.", \.viewports)
        members.list("published", "When it was published.", \.published)
        members.list("modified", "When it was last modified.", \.modified)
        members.list("canonicals", "The canonical URLs.", \.canonicals)
        members.list("alternates", "The same in other languages and forms.", \.alternates)
        members.list("feeds", "Feeds of the site.", \.feeds)
        members.list("icons", "Icons of the page.", \.icons)
        members.list("manifests", "The web application's manifest.", \.manifests)
        members.list("amp_pages", "The same as an AMP page.", \.ampPages)
        members.list("previous_pages", "What comes before it.", \.previousPages)
        members.list("next_pages", "What comes after it.", \.nextPages)
        members.list("licenses", "What allows its use.", \.licenses)
        members.list("robots", "What crawlers may do.", \.robots)
        members.list("theme_colors", "Colours for the browser's interface.", \.themeColors)
        members.flag("truncated", "Present if some were left out, because there are too many.", \.isTruncated)
    }
}

extension MetadataSource.Kind: ReportWord {}

/// Who says something, and where, as members of what is said.
extension MetadataSource: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("source", "The kind of the source.", \.kind)
        members.required("name", "The name of the source within its kind.", \.name)
        members.include { $0.position }
    }
}

extension MetadataText: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("metadata_text", "A text about the page.")
        members.required("text", "The words, white space stripped and collapsed.", \.text)
        members.include { $0.source }
    }
}

extension MetadataDate: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("metadata_date", "A date of the page.")
        members.required("text", "The date as it is written.", \.text)
        members.required("date", "The date in ISO 8601; null if it is invalid or ambiguous.", \.date)
        members.include { $0.source }
    }
}

extension MetadataLink: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("metadata_link", "A URL related to the page.")
        members.required("reference", "The reference as it is written.", \.reference)
        members.required("url", "The absolute URL; null if the reference is not a valid URL.", \.url)
        members.required("rel", "The words of rel, in lower case.", \.rel)
        members.optional("type", "The MIME type, as written.", \.type)
        members.optional("media", "The media query, as written.", \.media)
        members.optional("language", "The language, of hreflang.", \.language)
        members.optional("title", "The title.", \.title)
        members.optional("color", "The colour of a mask icon.", \.color)
        members.list("sizes", "The sizes of an icon.", \.sizes)
        members.flag("scalable", "Present if an icon has any size.", \.isScalable)
        members.include { $0.source }
    }
}

extension MetadataLink.Size: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("width", as: .count, "The width, in pixels.", \.width)
        members.required("height", as: .count, "The height, in pixels.", \.height)
    }
}

extension RobotsRule: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("robots_rule", "What crawlers may do.")
        members.required("directives", "The directives, in lower case, with their values.", \.directives)
        members.optional("agent", "The crawler, in lower case; absent for all.", \.agent)
        members.include { $0.source }
    }
}

extension ThemeColor: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("theme_color", "A colour for the browser's interface.")
        members.required("color", "The colour as it is written.", \.color)
        members.optional("media", "The media query that it is for; absent for all.", \.media)
        members.include { $0.source }
    }
}
