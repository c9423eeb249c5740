import WebLoader

/// The parts of a page that the report is made of, besides links and headings.
struct PageParts {
    private let outline: Outline?
    private let images: [PageImage]
    private let forms: [Form]
    private let scripts: [PageScript]
    private let styles: [PageStyle]
    private let frames: [PageFrame]
    private let comments: [PageComment]
    private let response: ResponseSection
    private let resources: PageResources?

    /// - Parameters:
    ///   - page: The page.
    ///   - images: Its images, with or without what their files say.
    ///   - resources: What came of loading its images and style sheets; nil where nobody asked.
    /// - Throws: `ParsingError` if the page had to be parsed anew and there was no memory for it.
    init(_ page: Page, images: [PageImage], resources: PageResources? = nil) throws(ParsingError) {
        self.images = images
        self.resources = resources
        outline = try page.document?.outline
        forms = try page.forms
        (scripts, styles, frames, comments) = try page.resources
        response = ResponseSection(page.response, try page.securityFields)
    }

    var members: [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("images", .array(images.map(\.json))), .init("forms", .array(forms.map(\.json))),
            .init("scripts", .array(scripts.map(\.json))), .init("styles", .array(styles.map(\.json))),
            .init("frames", .array(frames.map(\.json))), .init("comments", .array(comments.map(\.json))),
            .init("response", response.json),
        ]
        if let outline { members.append(.init("outline", outline.json)) }
        if let resources { members.append(.init("resources", resources.json)) }
        return members
    }

    /// Lines for people, each with its name; only those that say something.
    var lines: [String] {
        var named: [(name: String, text: String)] = response.lines
        func add(_ name: String, _ text: String?) {
            if let text { named.append((name, text)) }
        }
        add("Outline", outline?.text)
        add("Images", PageImage.text(images))
        add("Scripts", PageScript.text(scripts))
        add("Styles", PageStyle.text(styles))
        add("Frames", PageFrame.text(frames))
        add("Comments", PageComment.text(comments))
        for form in Form.text(forms) { add("Form", form) }
        add("Loaded", resources?.text)
        return named.map { name, text in
            name + String(repeating: " ", count: max(1, 10 - name.utf8.count)) + text
        }
    }
}
