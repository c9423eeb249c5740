// The members of a page's parts, in the order of docs/json-report.md.

extension Heading: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("heading", "A heading.")
        members.required("level", as: .integer(from: 1), "The level, 1 to 6.", \.level)
        members.required("text", "The text, white space stripped and collapsed.", \.text)
        members.include { $0.position }
    }
}

extension TableSummary: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("table", "A table, without what is in it.")
        members.required("caption", "The caption; null without one.", \.caption)
        members.required("row_count", as: .count, "How many rows there are.", \.rowCount)
        members.required("column_count", as: .count, "How many columns there are.", \.columnCount)
        members.required("depth", as: .count, "How many tables it is inside of.", \.depth)
        members.required("headers", "The cells of the last header row; empty without one.", \.headers)
        members.include { $0.position }
    }
}

extension PageCounts: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("elements", as: .count, "Elements, without those inside templates.", \.elements)
        members.required("images", as: .count, "How many img elements there are.", \.images)
        members.required("forms", as: .count, "How many form elements there are.", \.forms)
        members.required("tables", as: .count, "How many table elements there are.", \.tables)
        members.required("scripts", as: .count, "How many script elements there are.", \.scripts)
        members.required("styles", as: .count, "How many style elements there are.", \.styles)
        members.required("frames", as: .count, "How many iframe and frame elements there are.", \.frames)
    }
}

extension Link.Kind: ReportWord {
    package static var words: [String] { known.map(\.rawValue) }
}

extension Link: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("link", "A reference that the page makes.")
        members.required("kind", "What it is for.", \.kind)
        members.required("reference", "The reference as it is written.", \.reference)
        members.required("url", "The absolute URL; null if the reference is not a valid URL.", \.url)
        members.optional("element", "The element that it stands in.", \.element)
        members.optional("attribute", "The attribute that it stands in.", \.attribute)
        members.optional("field", "The header field that it stands in.", \.field)
        members.optional("failure", "Why the reference is not a valid URL.") {
            $0.failure.map { "\($0)" }
        }
        members.list("rel", "The words of rel, in lower case.", \.rel)
        members.optional("text", "The text inside a link, or the alternative text of an image.", \.text)
        members.optional("width", "The width descriptor of a URL of a srcset.") { $0.descriptor?.width }
        members.optional("height", "The height descriptor of a URL of a srcset.") { $0.descriptor?.height }
        members.optional("density", "The density descriptor of a URL of a srcset.") {
            $0.descriptor?.density
        }
        members.flag("inert", "Present if it is inside a template.", \.isInert)
        members.include { $0.position }
    }
}

// MARK: - Outline

extension Outline: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("outline", "The structure of the page, as assistive technology has it.")
        members.required("headings", "Headings, in document order.", \.headings)
        members.required("landmarks", "Landmarks, in document order.", \.landmarks)
        members.required("sections", "Sections, in document order.", \.sections)
    }
}

extension OutlineHeading: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required(
            "level",
            as: .integer(from: 1),
            "The level, of aria-level or of the element's name.",
            \.level
        )
        members.required("text", "The text, with the alternative text of images.", \.text)
        members.required("element", "The element's name.", \.element)
        members.optional("skipped_levels", as: .integer(from: 1), "How many levels are missing before it.") {
            $0.skippedLevels > 0 ? $0.skippedLevels : nil
        }
        members.optional("section", as: .count, "The index of the innermost section around it.", \.section)
        members.include { $0.position }
    }
}

extension Landmark.Role: ReportWord {}

extension Landmark: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("role", "The role.", \.role)
        members.required("element", "The element's name.", \.element)
        members.optional("label", "What it is called.", \.label)
        members.optional("parent", as: .count, "The index of the landmark around it.", \.parent)
        members.include { $0.position }
    }
}

extension OutlineSection: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("element", "The element's name.", \.element)
        members.required("depth", as: .count, "How many sections it is inside of.", \.depth)
        members.optional("parent", as: .count, "The index of the section around it.", \.parent)
        members.optional("heading", as: .count, "The index of its heading in headings.", \.heading)
        members.optional("label", "What it is called.", \.label)
        members.include { $0.position }
    }
}

// MARK: - Scripts, style sheets, frames, comments

extension CrossOrigin: ReportWord {}
extension PageScript.Kind: ReportWord {}

extension PageScript: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("script", "A script.")
        members.required("kind", "What a browser makes of it.", \.kind)
        members.reference("The src, as written.", \.reference, \.url)
        members.optional("inline_bytes", as: .count, "Bytes of its text in the page.", \.inlineSize)
        members.optional("type", "The type attribute, as written.", \.type)
        members.flag("async", "Present if it runs as soon as it is loaded.", \.isAsync)
        members.flag("defer", "Present if it runs once the page is parsed.", \.isDeferred)
        members.flag("nomodule", "Present if browsers with modules ignore it.", \.isNoModule)
        members.flag("blocks_parsing", "Present if the parser waits for it.", \.blocksParsing)
        members.optional("integrity", "The hashes that its file has to have.", \.integrity)
        members.optional("cross_origin", "With what credentials it is asked for.", \.crossOrigin)
        members.optional("nonce", "The nonce, as written.", \.nonce)
        members.optional("referrer_policy", "The referrerpolicy attribute.", \.referrerPolicy)
        members.flag("inert", "Present if it is inside a template.", \.isInert)
        members.include { $0.position }
    }
}

extension PageStylesheet: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("style", "A style sheet.")
        members.required("element", "The element's name: style or link.", \.element)
        members.reference("The href, as written.", \.reference, \.url)
        members.optional("inline_bytes", as: .count, "Bytes of its text in the page.", \.inlineSize)
        members.optional("media", "The media query, as written.", \.media)
        members.optional("type", "The MIME type, as written.", \.type)
        members.optional("title", "The title, which names a set of style sheets.", \.title)
        members.flag("alternate", "Present if it is an alternative one.", \.isAlternate)
        members.flag("disabled", "Present if it is disabled.", \.isDisabled)
        members.optional("integrity", "The hashes that its file has to have.", \.integrity)
        members.optional("cross_origin", "With what credentials it is asked for.", \.crossOrigin)
        members.optional("nonce", "The nonce, as written.", \.nonce)
        members.flag("inert", "Present if it is inside a template.", \.isInert)
        members.include { $0.position }
    }
}

extension PageFrame: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("frame", "A frame.")
        members.required("element", "The element's name: iframe or frame.", \.element)
        members.reference("The src, as written.", \.reference, \.url)
        members.optional("srcdoc_bytes", as: .count, "Bytes of the page in srcdoc.", \.sourceDocumentSize)
        members.optional("sandbox", "What it may do in its sandbox; absent without one.", \.sandbox)
        members.optional("allow", "The allow attribute, as written.", \.allow)
        members.optional("loading", as: .lateLoading, "Present if it is loaded late.") { $0.loading.late }
        members.optional("title", "The title.", \.title)
        members.optional("name", "The name.", \.name)
        members.optional("referrer_policy", "The referrerpolicy attribute.", \.referrerPolicy)
        members.flag("inert", "Present if it is inside a template.", \.isInert)
        members.include { $0.position }
    }
}

extension PageComment: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("comment", "A comment.")
        members.required("text", "The text, as it is.", \.text)
        members.optional("condition", "The condition of a conditional comment.", \.condition)
        members.include { $0.position }
    }
}

// MARK: - Resources

extension PageResources: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("resources", "The result of loading the images and style sheets of the page.")
        members.required("count", as: .count, "How many images and style sheets are available.", \.count)
        members.required(
            "from_network",
            as: .count,
            "How many of them came over the network.",
            \.networkCount
        )
        members.required("bytes", as: .count, "Bytes of these, without content codings.", \.bytes)
        members.required("failures", "Those that could not be loaded.", \.failures)
    }
}

extension PageResources.Failure: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("url", "The URL.", \.url)
        members.required("code", "Why, as a stable word.", \.code)
        members.required("message", "Why, for people.", \.message)
    }
}

// MARK: - Limits, errors, findings

extension ReachedLimit.Code: ReportWord {}

extension ReachedLimit: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("limit", "A limit that the page met.")
        members.required("code", "Which limit it is, as a stable word.", \.code)
        members.required("limit", "The limit: elements, nodes, attributes, bytes or milliseconds.", \.limit)
        members.required("message", "What happened, for people.", \.message)
        members.optional("count", "How much was moved or left out.", \.count)
    }
}

extension ParseError: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("parse_error", "A parse error.")
        members.required("name", "The HTML standard's name of it; of XML, libxml2's words.", \.name)
        members.include { $0.position }
    }
}

extension Finding.Code: ReportWord {}
extension Finding.Severity: ReportWord {}

extension Finding: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("finding", "A problem of the page, or a possible improvement.")
        members.required("code", "What it is, as a stable word.", \.code)
        members.required("severity", "How severe it is.", \.severity)
        members.required("message", "What was found, for people.", \.message)
        members.required("advice", "What to do about it.", \.advice)
        members.optional("element", "The name of the element that it is about.", \.element)
        members.include { $0.position }
    }
}
