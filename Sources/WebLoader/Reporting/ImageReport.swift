extension PageImage: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("image", "An image.")
        members.required("element", "The element's name: img, input, or image of SVG.", \.element)
        members.reference("The src, or the href of SVG, as written.", \.reference, \.url)
        members.required("alt", "The alternative text as written; null without one.", \.alternativeText)
        members.optional("width", as: .count, "The width as declared, in CSS pixels.", \.declaredWidth)
        members.optional("height", as: .count, "The height as declared, in CSS pixels.", \.declaredHeight)
        members.optional("loading", as: .lateLoading, "Present if it is loaded late.") { $0.loading.late }
        members.optional(
            "decoding",
            as: .word(["sync", "async"]),
            "The decoding attribute, unless it is auto."
        ) { $0.decoding == .auto ? nil : $0.decoding.rawValue }
        members.optional(
            "fetch_priority",
            as: .word(["high", "low"]),
            "The fetchpriority attribute, if not auto.",
            \.fetchPriority
        )
        members.optional("cross_origin", "With what credentials it is asked for.", \.crossOrigin)
        members.list("sources", "What a browser chooses from, in its order.", \.sources)
        members.optional("file", "What its file states, if it is available.", \.header)
        members.flag("inert", "Present if it is inside a template.", \.isInert)
        members.include { $0.position }
    }
}

extension PageImage.Loading {
    /// The keyword for lazy loading; `nil` for eager loading.
    var late: String? { self == .lazy ? rawValue : nil }
}

extension ValueSchema {
    /// The schema of a member that marks lazy loading.
    static var lateLoading: ValueSchema { .word([PageImage.Loading.lazy.rawValue]) }
}

extension PageImage.Source: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("element", "The element's name: source or img.", \.element)
        members.required("candidates", "The URLs of srcset, or src.", \.candidates)
        members.optional("sizes", "The sizes attribute, as written.", \.sizes)
        members.optional("media", "The media query, as written.", \.media)
        members.optional("type", "The MIME type, as written.", \.type)
    }
}

extension PageImage.Candidate: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("image_candidate", "A file that an image may be loaded from.")
        members.required("reference", "The reference as it is written.", \.reference)
        members.required("url", "The absolute URL; null if the reference is not a valid URL.", \.url)
        members.optional("width", as: .count, "The width descriptor, in pixels.") { $0.descriptor.width }
        members.optional("height", as: .count, "The height descriptor, in pixels.") { $0.descriptor.height }
        members.optional("density", "The density descriptor, in pixels to a CSS pixel.") {
            $0.descriptor.density
        }
    }
}

extension ImageHeader.Format: ReportWord {}

extension ImageHeader: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("image_file", "What the file of an image states.")
        members.required("format", "The format.", \.format)
        members.optional("width", as: .number, "The width as shown, in pixels.") { $0.width.map(Self.number) }
        members.optional("height", as: .number, "The height as shown, in pixels.") {
            $0.height.map(Self.number)
        }
        members.optional("aspect_ratio", "Width by height.", \.aspectRatio)
        members.flag("turned", "Present if the file has width and height the other way round.", \.isTurned)
    }

    /// Whole, where it is.
    private static func number(_ value: Double) -> JSONValue {
        Int64(exactly: value).map(JSONValue.integer) ?? .number(value)
    }
}
