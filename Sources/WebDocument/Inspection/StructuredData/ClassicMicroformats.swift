import Glibc

/// The classic microformats, and their class names in microformats2.
///
/// [Backward compatible
/// parsing](https://microformats.org/wiki/microformats2-parsing#note_backward_compatibility_details)
enum ClassicMicroformats {
    private static let roots: [(name: StaticString, type: String)] = [
        ("adr", "h-adr"), ("geo", "h-geo"), ("hentry", "h-entry"), ("hfeed", "h-feed"), ("hnews", "h-news"),
        ("hproduct", "h-product"), ("hrecipe", "h-recipe"), ("hresume", "h-resume"), ("hreview", "h-review"),
        ("hreview-aggregate", "h-review-aggregate"), ("vcard", "h-card"), ("vevent", "h-event"),
    ]

    /// The microformats2 type of a classic root class name; nil for any other name.
    static func type(_ word: String) -> String? {
        for root in roots where word.isEqual(to: root.name) { return root.type }
        return nil
    }

    /// Whether bytes that end with NUL begin with a classic root class name, followed by white space or the
    /// end.
    static func begins(_ bytes: UnsafePointer<UInt8>) -> Bool {
        for root in roots {
            let count = root.name.utf8CodeUnitCount
            guard
                unsafe strncmp(
                    UnsafeRawPointer(bytes).assumingMemoryBound(to: CChar.self),
                    UnsafeRawPointer(root.name.utf8Start).assumingMemoryBound(to: CChar.self),
                    count
                ) == 0
            else { continue }
            // None of the name's bytes is NUL, so there is one more byte.
            let next = unsafe bytes[count]
            if next == 0 || next.isASCIIWhitespace { return true }
        }
        return false
    }

    /// The properties that a class name stands for inside items of these types.
    static func properties(_ word: String, of types: [String]) -> [MicroformatClasses.Property] {
        var properties: [MicroformatClasses.Property] = []
        for type in types {
            for entry in table(type) where word == entry.name {
                let item = item(word, of: type)
                properties.append(
                    MicroformatClasses.Property(form: entry.form, name: entry.property, item: item)
                )
            }
        }
        return properties
    }

    /// The properties that a word of `rel` stands for.
    static func properties(relation word: String, of types: [String]) -> [MicroformatClasses.Property] {
        let isTagged = types.contains { type in
            ["h-entry", "h-feed", "h-recipe", "h-review", "h-review-aggregate"].contains(type)
        }
        switch word {
        case "bookmark" where types.contains("h-entry") || types.contains("h-review"):
            return [MicroformatClasses.Property(form: .url, name: "url")]
        case "tag" where isTagged: return [MicroformatClasses.Property(form: .tag, name: "category")]
        case "item-license" where types.contains("h-news"), "principles" where types.contains("h-news"):
            return [MicroformatClasses.Property(form: .url, name: word)]
        default: return []
        }
    }

    /// The type of the item that a property is, even where its element has no root class name.
    private static func item(_ word: String, of type: String) -> String? {
        switch (type, word) {
        case ("h-entry", "author"), ("h-feed", "author"), ("h-recipe", "author"), ("h-resume", "affiliation"),
            ("h-resume", "contact"), ("h-review", "reviewer"), ("h-review-aggregate", "reviewer"):
            "h-card"
        case ("h-resume", "education"), ("h-resume", "experience"): "h-event"
        case ("h-product", "review"): "h-review"
        case ("h-review", "item"), ("h-review-aggregate", "item"): "h-item"
        default: nil
        }
    }

    private typealias Entry = (name: String, form: MicroformatClasses.Form, property: String)

    private static func texts(_ names: String...) -> [Entry] { names.map { ($0, .text, $0) } }

    private static func table(_ type: String) -> [Entry] {
        switch type {
        case "h-adr": address
        case "h-geo": location
        case "h-card": card
        case "h-entry": entry
        case "h-feed": feed
        case "h-item": item
        case "h-news": news
        case "h-event": event
        case "h-product": product
        case "h-recipe": recipe
        case "h-resume": resume
        case "h-review", "h-review-aggregate": review
        default: []
        }
    }

    private static let address = texts(
        "post-office-box",
        "extended-address",
        "street-address",
        "locality",
        "region",
        "postal-code",
        "country-name"
    )

    private static let location = texts("latitude", "longitude")

    private static let card: [Entry] =
        texts(
            "honorific-prefix",
            "given-name",
            "additional-name",
            "family-name",
            "honorific-suffix",
            "nickname",
            "category",
            "adr",
            "geo",
            "label",
            "tel",
            "note",
            "org",
            "role",
            "organization-name",
            "organization-unit",
            "latitude",
            "longitude",
            "agent",
            "class",
            "mailer",
            "sort-string"
        ) + address + [
            ("fn", .text, "name"), ("title", .text, "job-title"), ("url", .url, "url"),
            ("email", .url, "email"), ("logo", .url, "logo"), ("photo", .url, "photo"), ("uid", .url, "uid"),
            ("key", .url, "key"), ("bday", .date, "bday"), ("tz", .date, "tz"), ("rev", .date, "rev"),
            ("sound", .url, "sound"),
        ]

    private static let entry: [Entry] =
        texts("author", "category", "geo") + [
            ("entry-title", .text, "name"), ("entry-content", .markup, "content"),
            ("entry-summary", .text, "summary"), ("published", .date, "published"),
            ("updated", .date, "updated"),
        ]

    private static let feed: [Entry] =
        texts("author", "category") + [
            ("site-title", .text, "name"), ("site-description", .text, "summary"), ("url", .url, "url"),
            ("photo", .url, "photo"),
        ]

    private static let event: [Entry] =
        texts("description", "category", "location", "geo", "attendee", "contact", "organizer") + [
            ("summary", .text, "name"), ("dtstart", .date, "start"), ("dtend", .date, "end"),
            ("duration", .date, "duration"), ("url", .url, "url"),
        ]

    /// The properties of the subject of a review.
    private static let item: [Entry] = [
        ("fn", .text, "name"), ("photo", .url, "photo"), ("url", .url, "url"),
    ]

    private static let news = texts("entry", "dateline", "geo", "source-org")

    private static let product: [Entry] =
        texts("brand", "category", "description", "price", "review", "identifier") + [
            ("fn", .text, "name"), ("photo", .url, "photo"), ("url", .url, "url"),
        ]

    private static let recipe: [Entry] =
        texts("ingredient", "yield", "author", "nutrition", "summary", "category") + [
            ("fn", .text, "name"), ("photo", .url, "photo"), ("duration", .date, "duration"),
            ("instructions", .markup, "instructions"), ("published", .date, "published"),
        ]

    private static let resume: [Entry] =
        texts("summary", "contact", "education", "experience", "skill", "affiliation")

    private static let review: [Entry] =
        texts("rating", "best", "worst", "average", "count", "votes", "category") + [
            ("summary", .text, "name"), ("fn", .text, "item"), ("photo", .url, "photo"), ("url", .url, "url"),
            ("reviewer", .text, "author"), ("dtreviewed", .date, "published"),
            ("description", .markup, "content"), ("item", .text, "item"),
        ]
}
