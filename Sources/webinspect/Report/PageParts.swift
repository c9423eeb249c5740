import WebLoader

/// The parts of a page that the report is made of, besides links and headings.
struct PageParts {
    let counts: PageCounts?
    let headings: [Heading]
    private let outline: Outline?
    private let images: [PageImage]
    private let inventory: PageInventory
    private let response: ResponseSection
    private let resources: PageResources?

    /// - Parameters:
    ///   - page: The page.
    ///   - images: Its images with what their files say; nil where nobody looked into them.
    ///   - resources: What came of loading its images and style sheets; nil where nobody asked.
    init(
        _ page: ParsedPage,
        images: [PageImage]? = nil,
        resources: PageResources? = nil
    ) {
        inventory = page.inventory
        self.images = images ?? inventory.images
        self.resources = resources
        let isParsed = page.document != nil
        counts = isParsed ? inventory.counts : nil
        outline = isParsed ? inventory.outline : nil
        headings = inventory.headings
        response = ResponseSection(page.response, page.securityFields)
    }

    var members: [JSONValue.Member] {
        var members: [JSONValue.Member] = [
            .init("images", .array(images.map(\.json))), .init("forms", .array(inventory.forms.map(\.json))),
            .init("scripts", .array(inventory.scripts.map(\.json))),
            .init("styles", .array(inventory.stylesheets.map(\.json))),
            .init("frames", .array(inventory.frames.map(\.json))),
            .init("comments", .array(inventory.comments.map(\.json))),
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
        add("Scripts", PageScript.text(inventory.scripts))
        add("Styles", PageStylesheet.text(inventory.stylesheets))
        add("Frames", PageFrame.text(inventory.frames))
        add("Comments", PageComment.text(inventory.comments))
        for form in Form.text(inventory.forms) { add("Form", form) }
        add("Loaded", resources?.text)
        return named.map { name, text in
            name + String(repeating: " ", count: max(1, 10 - name.utf8.count)) + text
        }
    }
}
