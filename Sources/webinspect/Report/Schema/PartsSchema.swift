import WebLoader

// What the parts of a page hold, in the order of docs/json-report.md.

extension Outline {
    static var schema: ValueSchema {
        .object(
            .required("headings", .array(headingSchema), "Headings, in document order."),
            .required("landmarks", .array(landmarkSchema), "Landmarks, in document order."),
            .required("sections", .array(sectionSchema), "Sections, in document order.")
        ).described("The structure of the page, as assistive technology has it.")
    }

    private static var headingSchema: ValueSchema {
        .placed(
            .required("level", .integer(from: 1), "The level, of aria-level or of the element's name."),
            .required("text", .string, "The text, with the alternative text of images."),
            .required("element", .string, "The element's name."),
            .optional("skipped_levels", .integer(from: 1), "How many levels are missing before it."),
            .optional("section", .integer(from: 0), "The index of the innermost section around it.")
        )
    }

    private static var landmarkSchema: ValueSchema {
        .placed(
            .required("role", .word(Landmark.Role.self), "The role."),
            .required("element", .string, "The element's name."),
            .optional("label", .string, "What it is called."),
            .optional("parent", .integer(from: 0), "The index of the landmark around it.")
        )
    }

    private static var sectionSchema: ValueSchema {
        .placed(
            .required("element", .string, "The element's name."),
            .required("depth", .integer(from: 0), "How many sections it is inside of."),
            .optional("parent", .integer(from: 0), "The index of the section around it."),
            .optional("heading", .integer(from: 0), "The index of its heading in headings."),
            .optional("label", .string, "What it is called.")
        )
    }
}

extension PageImage {
    static var schema: ValueSchema {
        .placed(
            .required("element", .string, "The element's name: img, input, or image of SVG."),
            .required("alt", .string.orNull, "The alternative text as written; null without one."),
            .optional("reference", .string, "The src, or the href of SVG, as written."),
            .optional("url", .string.orNull, "The absolute URL; null if the reference is not a valid URL."),
            .optional("width", .integer(from: 0), "The width as declared, in CSS pixels."),
            .optional("height", .integer(from: 0), "The height as declared, in CSS pixels."),
            .optional("loading", .word([PageImage.Loading.lazy.rawValue]), "Present if it is loaded late."),
            .optional("decoding", .word(["sync", "async"]), "The decoding attribute, unless it is auto."),
            .optional("fetch_priority", .word(["high", "low"]), "The fetchpriority attribute, if not auto."),
            .optional("cross_origin", .word(CrossOrigin.self), "With what credentials it is asked for."),
            .optional("sources", .array(sourceSchema), "What a browser chooses from, in its order."),
            .optional("file", .shape(.imageFile), "What its file states, if it is available."),
            .optional("inert", .yes, "Present if it is inside a template.")
        ).described("An image.")
    }

    private static var sourceSchema: ValueSchema {
        .object(
            .required("element", .string, "The element's name: source or img."),
            .required("candidates", .array(.shape(.imageCandidate)), "The URLs of srcset, or src."),
            .optional("sizes", .string, "The sizes attribute, as written."),
            .optional("media", .string, "The media query, as written."),
            .optional("type", .string, "The MIME type, as written.")
        )
    }
}

extension PageImage.Candidate {
    static var schema: ValueSchema {
        .object(
            .required("reference", .string, "The reference as it is written."),
            .required("url", .string.orNull, "The absolute URL; null if the reference is not a valid URL."),
            .optional("width", .integer(from: 0), "The width descriptor, in pixels."),
            .optional("height", .integer(from: 0), "The height descriptor, in pixels."),
            .optional("density", .number, "The density descriptor, in pixels to a CSS pixel.")
        ).described("A file that an image may be loaded from.")
    }
}

extension ImageHeader {
    static var schema: ValueSchema {
        .object(
            .required("format", .word(ImageHeader.Format.self), "The format."),
            .optional("width", .number, "The width as shown, in pixels."),
            .optional("height", .number, "The height as shown, in pixels."),
            .optional("aspect_ratio", .number, "Width by height."),
            .optional("turned", .yes, "Present if the file has width and height the other way round.")
        ).described("What the file of an image states.")
    }
}

extension PageScript {
    static var schema: ValueSchema {
        .placed(
            .required("kind", .word(PageScript.Kind.self), "What a browser makes of it."),
            .optional("reference", .string, "The src, as written."),
            .optional("url", .string.orNull, "The absolute URL; null if the reference is not a valid URL."),
            .optional("inline_bytes", .integer(from: 0), "Bytes of its text in the page."),
            .optional("type", .string, "The type attribute, as written."),
            .optional("async", .yes, "Present if it runs as soon as it is loaded."),
            .optional("defer", .yes, "Present if it runs once the page is parsed."),
            .optional("nomodule", .yes, "Present if browsers with modules ignore it."),
            .optional("blocks_parsing", .yes, "Present if the parser waits for it."),
            .optional("integrity", .string, "The hashes that its file has to have."),
            .optional("cross_origin", .word(CrossOrigin.self), "With what credentials it is asked for."),
            .optional("nonce", .string, "The nonce, as written."),
            .optional("referrer_policy", .string, "The referrerpolicy attribute."),
            .optional("inert", .yes, "Present if it is inside a template.")
        ).described("A script.")
    }
}

extension PageStylesheet {
    static var schema: ValueSchema {
        .placed(
            .required("element", .string, "The element's name: style or link."),
            .optional("reference", .string, "The href, as written."),
            .optional("url", .string.orNull, "The absolute URL; null if the reference is not a valid URL."),
            .optional("inline_bytes", .integer(from: 0), "Bytes of its text in the page."),
            .optional("media", .string, "The media query, as written."),
            .optional("type", .string, "The MIME type, as written."),
            .optional("title", .string, "The title, which names a set of style sheets."),
            .optional("alternate", .yes, "Present if it is an alternative one."),
            .optional("disabled", .yes, "Present if it is disabled."),
            .optional("integrity", .string, "The hashes that its file has to have."),
            .optional("cross_origin", .word(CrossOrigin.self), "With what credentials it is asked for."),
            .optional("nonce", .string, "The nonce, as written."),
            .optional("inert", .yes, "Present if it is inside a template.")
        ).described("A style sheet.")
    }
}

extension PageFrame {
    static var schema: ValueSchema {
        .placed(
            .required("element", .string, "The element's name: iframe or frame."),
            .optional("reference", .string, "The src, as written."),
            .optional("url", .string.orNull, "The absolute URL; null if the reference is not a valid URL."),
            .optional("srcdoc_bytes", .integer(from: 0), "Bytes of the page in srcdoc."),
            .optional("sandbox", .strings, "What it may do in its sandbox; absent without one."),
            .optional("allow", .string, "The allow attribute, as written."),
            .optional("loading", .word([PageImage.Loading.lazy.rawValue]), "Present if it is loaded late."),
            .optional("title", .string, "The title."),
            .optional("name", .string, "The name."),
            .optional("referrer_policy", .string, "The referrerpolicy attribute."),
            .optional("inert", .yes, "Present if it is inside a template.")
        ).described("A frame.")
    }
}

extension PageComment {
    static var schema: ValueSchema {
        .placed(
            .required("text", .string, "The text, as it is."),
            .optional("condition", .string, "The condition of a conditional comment.")
        ).described("A comment.")
    }
}

extension PageResources {
    static var schema: ValueSchema {
        .object(
            .required("count", .integer(from: 0), "How many images and style sheets are available."),
            .required("from_network", .integer(from: 0), "How many of them came over the network."),
            .required("bytes", .integer(from: 0), "Bytes of these, without content codings."),
            .required("failures", .array(failureSchema), "Those that could not be loaded.")
        ).described("The result of loading the images and style sheets of the page.")
    }

    private static var failureSchema: ValueSchema {
        .object(
            .required("url", .string, "The URL."),
            .required("code", .string, "Why, as a stable word."),
            .required("message", .string, "Why, for people.")
        )
    }
}
