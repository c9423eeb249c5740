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
        /// Search engines are told not to index the page.
        case robotsBlocked = "robots.blocked"
        /// Structured data that cannot be read.
        case structuredDataInvalid = "structured-data.invalid"
        /// Structured data that is almost JSON, and was repaired.
        case structuredDataRepaired = "structured-data.repaired"
    }
}

extension Finding.Code {
    /// How much findings of this code matter.
    public var severity: Finding.Severity {
        switch self {
        case .titleMissing, .contentMixed, .charsetConflict, .structuredDataInvalid, .canonicalInvalid,
            .identifierDuplicate, .linkInvalid:
            .error
        case .pageLimit, .languageMissing, .viewportZoom, .charsetMissing, .charsetLate, .identifierReference,
            .imageAlternative, .fieldLabel, .buttonName, .linkName, .linkFragment, .contentMixedPassive,
            .formInsecure, .canonicalConflict, .headingEmpty, .parseError, .structuredDataRepaired:
            .warning
        case .doctypeQuirks, .viewportMissing, .refreshDeclared, .elementObsolete, .frameTitle, .tabOrder,
            .headingMissing, .headingGap, .linkScript, .imageSize, .robotsBlocked:
            .note
        }
    }

    /// A description in a few words.
    public var summary: String {
        switch self {
        case .pageLimit: "The page met a limit of the parser"
        case .doctypeQuirks: "No doctype, or an old one"
        case .titleMissing: "No title"
        case .languageMissing: "No language"
        case .viewportMissing: "No viewport for small screens"
        case .viewportZoom: "Zooming is switched off"
        case .refreshDeclared: "The page loads another by itself"
        case .charsetMissing: "Nobody names the encoding"
        case .charsetLate: "The encoding is declared late"
        case .charsetConflict: "Two encodings are declared"
        case .parseError: "Markup departs from the standard"
        case .elementObsolete: "An obsolete element"
        case .identifierDuplicate: "An ID that is there already"
        case .identifierReference: "A reference to an ID that is not there"
        case .imageAlternative: "An image without alternative text"
        case .fieldLabel: "A form field without a label"
        case .buttonName: "A button without a name"
        case .linkName: "A link without a text"
        case .frameTitle: "A frame without a title"
        case .tabOrder: "A tab order of its own"
        case .headingMissing: "No heading of the first level"
        case .headingEmpty: "An empty heading"
        case .headingGap: "A level of headings is left out"
        case .linkInvalid: "A reference that is no URL"
        case .linkFragment: "A link to a place that is not on the page"
        case .linkScript: "A link that runs a script"
        case .contentMixed: "A secure page loads code that is not"
        case .contentMixedPassive: "A secure page shows what is not"
        case .formInsecure: "A form that is sent in the clear"
        case .imageSize: "An image without its size"
        case .canonicalConflict: "Several canonical URLs"
        case .canonicalInvalid: "A canonical URL that is none"
        case .robotsBlocked: "Search engines are kept out"
        case .structuredDataInvalid: "Structured data that cannot be read"
        case .structuredDataRepaired: "Structured data that is JSON but almost"
        }
    }

    /// What to do about findings of this code.
    public var advice: String {
        switch self {
        case .pageLimit: "Make the page smaller or flatter, or raise the limit."
        case .doctypeQuirks:
            "Begin the page with <!doctype html>, so that browsers lay it out by the standards."
        case .titleMissing: "Give the page a title element with a text of its own."
        case .languageMissing: "Say the language of the page with lang on its html element."
        case .viewportMissing: "Add <meta name=viewport content=\"width=device-width\">."
        case .viewportZoom: "Leave out user-scalable=no, and let maximum-scale be 2 or more."
        case .refreshDeclared: "Answer with a redirect in place of the refresh, or offer a link."
        case .charsetMissing:
            "Send charset=utf-8 with the Content-Type, or begin the head with <meta charset=utf-8>."
        case .charsetLate: "Move the meta element that declares it into the first 1,024 bytes."
        case .charsetConflict:
            "Let the Content-Type field, the byte order mark and the meta element name the same."
        case .parseError: "Correct the markup: other parsers may read it otherwise."
        case .elementObsolete: "Use another element, or CSS."
        case .identifierDuplicate:
            "Give each element an ID of its own: links, labels and scripts find the first one only."
        case .identifierReference: "Correct the ID, or remove the reference."
        case .imageAlternative: "Say in alt what the image shows, or alt=\"\" where it only decorates."
        case .fieldLabel: "Put the field into a label, point to it with for, or use aria-label."
        case .buttonName: "Give the button a text, or aria-label."
        case .linkName: "Give the link a text, or its image an alternative one."
        case .frameTitle: "Say in title what the frame holds."
        case .tabOrder: "Let the order of the page be the order of the keyboard: use 0 or -1."
        case .headingMissing: "Name the page with one h1."
        case .headingEmpty: "Give the heading a text, or remove it."
        case .headingGap: "Let each heading be one level below the one it belongs to, at most."
        case .linkInvalid: "Correct the reference."
        case .linkFragment: "Correct the fragment, or give its target the ID."
        case .linkScript: "Use a button, or a URL that works without scripts."
        case .contentMixed: "Load it by https: browsers block it."
        case .contentMixedPassive: "Load it by https: browsers block it or warn of it."
        case .formInsecure: "Send it by https."
        case .imageSize: "Write width and height on the image, so that the page does not move as it loads."
        case .canonicalConflict: "Declare one canonical URL."
        case .canonicalInvalid: "Declare an absolute URL."
        case .robotsBlocked: "Remove noindex if the page is to be found."
        case .structuredDataInvalid: "Correct it: search engines pass over what they cannot read."
        case .structuredDataRepaired: "Correct it: not every reader puts right what others do."
        }
    }
}
