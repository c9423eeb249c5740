extension Finding {
    /// The kind of a finding.
    ///
    /// A published code is never renamed; new codes may be added.
    public enum Code: String, CaseIterable, Sendable, Codable {
        // The page as a whole
        /// The page met a limit of the parser.
        case pageLimit = "page.limit"
        /// No doctype, or an old one.
        case doctypeQuirks = "doctype.quirks"
        /// No title.
        case titleMissing = "title.missing"
        /// No language.
        case languageMissing = "language.missing"
        /// No viewport for small screens.
        case viewportMissing = "viewport.missing"
        /// Zooming is switched off.
        case viewportZoom = "viewport.zoom"
        /// The page loads another by itself.
        case refreshDeclared = "refresh.declared"
        // The encoding
        /// The encoding is not declared.
        case charsetMissing = "charset.missing"
        /// The encoding is declared late.
        case charsetLate = "charset.late"
        /// Two encodings are declared.
        case charsetConflict = "charset.conflict"
        // Markup
        /// Markup departs from the standard.
        case parseError = "html.parse-error"
        /// An obsolete element.
        case elementObsolete = "html.obsolete-element"
        /// An ID that another element has already.
        case identifierDuplicate = "id.duplicate"
        /// A reference to an ID that no element has.
        case identifierReference = "id.reference"
        // Names
        /// An image without alternative text.
        case imageAlternative = "image.alt-missing"
        /// A form field without a label.
        case fieldLabel = "field.label-missing"
        /// A button without a name.
        case buttonName = "button.name-missing"
        /// A link without a text.
        case linkName = "link.name-missing"
        /// A frame without a title.
        case frameTitle = "frame.title-missing"
        /// A positive `tabindex`, which changes the tab order.
        case tabOrder = "tabindex.positive"
        // Headings
        /// No heading of the first level.
        case headingMissing = "heading.missing"
        /// An empty heading.
        case headingEmpty = "heading.empty"
        /// A heading level is skipped.
        case headingGap = "heading.gap"
        // Links and loaded resources
        /// A reference that is not a valid URL.
        case linkInvalid = "link.url-invalid"
        /// A link to a place that is not on the page.
        case linkFragment = "link.fragment-broken"
        /// A link that runs a script.
        case linkScript = "link.javascript"
        /// An HTTPS page loads scripts, style sheets or the like over HTTP.
        case contentMixed = "content.mixed"
        /// An HTTPS page shows images or media that are loaded over HTTP.
        case contentMixedPassive = "content.mixed-passive"
        /// A form on an HTTPS page that is sent over HTTP.
        case formInsecure = "form.insecure"
        /// An image without its size.
        case imageSize = "image.size-missing"
        // Search engines
        /// Several canonical URLs.
        case canonicalConflict = "canonical.conflict"
        /// A canonical URL that is not a valid URL.
        case canonicalInvalid = "canonical.invalid"
        /// The page directs search engines not to index it.
        case robotsBlocked = "robots.blocked"
        /// Structured data that cannot be read.
        case structuredDataInvalid = "structured-data.invalid"
        /// Structured data that is almost JSON, and was repaired.
        case structuredDataRepaired = "structured-data.repaired"
        // Differences made by scripts
        /// Scripts contradict the page as served on whether it may be indexed.
        case renderIndexing = "render.indexing-by-script"
        /// Metadata is not there, or another, before scripts have run.
        case renderMetadata = "render.metadata-by-script"
        /// Text is not there before scripts have run.
        case renderText = "render.text-only-by-script"
        /// Text is no longer there once scripts have run.
        case renderTextRemoved = "render.text-removed-by-script"
        /// Links are not there before scripts have run.
        case renderLinks = "render.links-only-by-script"
        /// Structured data is not there before scripts have run.
        case renderStructuredData = "render.structured-data-only-by-script"
    }
}

extension Finding.Code {
    /// How much findings of this code matter.
    public var severity: Finding.Severity {
        switch self {
        case .titleMissing, .contentMixed, .charsetConflict, .structuredDataInvalid, .canonicalInvalid,
            .identifierDuplicate, .linkInvalid, .renderIndexing:
            .error
        case .pageLimit, .languageMissing, .viewportZoom, .charsetMissing, .charsetLate, .identifierReference,
            .imageAlternative, .fieldLabel, .buttonName, .linkName, .linkFragment, .contentMixedPassive,
            .formInsecure, .canonicalConflict, .headingEmpty, .parseError, .structuredDataRepaired,
            .renderMetadata, .renderText, .renderLinks, .renderStructuredData:
            .warning
        case .doctypeQuirks, .viewportMissing, .refreshDeclared, .elementObsolete, .frameTitle, .tabOrder,
            .headingMissing, .headingGap, .linkScript, .imageSize, .robotsBlocked,
            .renderTextRemoved:
            .note
        }
    }

    /// A description in a few words.
    public var summary: String {
        switch self {
        case .pageLimit: "The page exceeds a parser limit"
        case .doctypeQuirks: "A missing or outdated doctype"
        case .titleMissing: "No title"
        case .languageMissing: "No language"
        case .viewportMissing: "No viewport for small screens"
        case .viewportZoom: "Zooming is disabled"
        case .refreshDeclared: "The page refreshes itself"
        case .charsetMissing: "The encoding is not declared"
        case .charsetLate: "The encoding is declared late"
        case .charsetConflict: "Conflicting encoding declarations"
        case .parseError: "A parse error in the markup"
        case .elementObsolete: "An obsolete element"
        case .identifierDuplicate: "A duplicate ID"
        case .identifierReference: "A reference to a missing ID"
        case .imageAlternative: "An image without alternative text"
        case .fieldLabel: "A form field without a label"
        case .buttonName: "A button without an accessible name"
        case .linkName: "A link without a text"
        case .frameTitle: "A frame without a title"
        case .tabOrder: "A tab order that differs from the page's"
        case .headingMissing: "No heading of the first level"
        case .headingEmpty: "An empty heading"
        case .headingGap: "A skipped heading level"
        case .linkInvalid: "A reference that is not a valid URL"
        case .linkFragment: "A link to a missing fragment"
        case .linkScript: "A link that runs a script"
        case .contentMixed: "Insecure code on a secure page"
        case .contentMixedPassive: "Insecure media on a secure page"
        case .formInsecure: "A form that is sent without encryption"
        case .imageSize: "An image without a declared size"
        case .canonicalConflict: "Several canonical URLs"
        case .canonicalInvalid: "An invalid canonical URL"
        case .robotsBlocked: "Search engines are told not to index the page"
        case .structuredDataInvalid: "Invalid structured data"
        case .structuredDataRepaired: "Structured data with errors that were repaired"
        case .renderIndexing: "Scripts change whether the page may be indexed"
        case .renderMetadata: "Metadata that scripts make"
        case .renderText: "Text that only scripts make"
        case .renderTextRemoved: "Text that scripts take away"
        case .renderLinks: "Links that only scripts make"
        case .renderStructuredData: "Structured data that only scripts make"
        }
    }

    /// The advice on fixing findings of this code.
    public var advice: String {
        switch self {
        case .pageLimit: "Make the page smaller or flatter, or raise the limit."
        case .doctypeQuirks:
            "Begin the page with <!doctype html>, so that browsers use standards mode."
        case .titleMissing: "Give the page a title element with a unique text."
        case .languageMissing: "Declare the language of the page with lang on its html element."
        case .viewportMissing: "Add <meta name=viewport content=\"width=device-width\">."
        case .viewportZoom: "Remove user-scalable=no, and set maximum-scale to 2 or more."
        case .refreshDeclared: "Use an HTTP redirect instead of the refresh, or offer a link."
        case .charsetMissing:
            "Send charset=utf-8 with the Content-Type, or begin the head with <meta charset=utf-8>."
        case .charsetLate: "Move the meta element that declares it into the first 1,024 bytes."
        case .charsetConflict:
            "Declare one encoding in the Content-Type field, the byte order mark and the meta element."
        case .parseError: "Correct the markup: other parsers may read it differently."
        case .elementObsolete: "Use another element, or CSS."
        case .identifierDuplicate:
            "Give each element a unique ID: links, labels and scripts find only the first one."
        case .identifierReference: "Correct the ID, or remove the reference."
        case .imageAlternative: "Describe the image in alt, or use alt=\"\" if it is decorative."
        case .fieldLabel: "Put the field into a label, point to it with for, or use aria-label."
        case .buttonName: "Give the button a text, or aria-label."
        case .linkName: "Give the link a text, or its image an alternative text."
        case .frameTitle: "Describe the contents of the frame in its title."
        case .tabOrder: "Use 0 or -1, so that the keyboard follows the order of the page."
        case .headingMissing: "Add an h1 that names the page."
        case .headingEmpty: "Give the heading a text, or remove it."
        case .headingGap: "Place each heading at most one level below the one it belongs to."
        case .linkInvalid: "Correct the reference."
        case .linkFragment: "Correct the fragment, or give its target the ID."
        case .linkScript: "Use a button, or a URL that works without scripts."
        case .contentMixed: "Load it over HTTPS: browsers block it."
        case .contentMixedPassive: "Load it over HTTPS: browsers block it or show a warning."
        case .formInsecure: "Send it over HTTPS."
        case .imageSize:
            "Set width and height on the image, so that the layout does not shift while it loads."
        case .canonicalConflict: "Declare one canonical URL."
        case .canonicalInvalid: "Declare an absolute URL."
        case .robotsBlocked: "Remove noindex if search engines should list the page."
        case .structuredDataInvalid: "Correct it: search engines ignore what they cannot read."
        case .structuredDataRepaired: "Correct it: not every parser tolerates such errors."
        case .renderIndexing:
            "Say it in the page as served: where that forbids indexing, search engines may not run scripts at all."
        case .renderMetadata: "Send it with the page: not every search engine, and no preview, runs scripts."
        case .renderText:
            "Send it with the page, where search engines are to find it without running scripts."
        case .renderTextRemoved:
            "Check that it is meant for readers: some find it by search and never see it."
        case .renderLinks:
            "Send them with the page, where crawlers are to follow them without running scripts."
        case .renderStructuredData: "Send it with the page: not every program that reads it runs scripts."
        }
    }
}
