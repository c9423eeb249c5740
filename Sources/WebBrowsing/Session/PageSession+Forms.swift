public import WebLoader

/// Filling in and sending the forms of the page in view.
extension PageSession {
    /// The forms of the page in view as they are filled in; nil if there is no page.
    ///
    /// - Throws: `LoadError` if the page has to be loaded again and cannot be.
    public var pageForms: PageForms? {
        get async throws(LoadError) {
            guard let entry = history.current, let page = try await page else { return nil }
            if let forms, forms.entry == entry.id, forms.key == entry.cacheKey { return forms.forms }
            let found = PageForms(try await parsed(page))
            forms = (entry.id, entry.cacheKey, found)
            return found
        }
    }

    /// Fills in a field of the page in view, by its name, its label or a selector.
    ///
    /// - Parameters:
    ///   - name: As `PageForms.fill(_:with:)` has it.
    ///   - value: The value.
    /// - Throws: `FormError` for a field that is not there or cannot have the value, `LoadError` as ``page``.
    public func fill(_ name: String, with value: String) async throws {
        try await change { (forms) throws(FormError) in try forms.fill(name, with: value) }
    }

    /// Chooses the files of a field of the page in view.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - name: As `PageForms.choose(_:for:)` has it.
    /// - Throws: `FormError` for a field that is not there or takes no files, `LoadError` as ``page``.
    public func choose(_ files: [FormFile], for name: String) async throws {
        try await change { (forms) throws(FormError) in try forms.choose(files, for: name) }
    }

    private func change(_ body: (inout PageForms) throws(FormError) -> Void) async throws {
        guard var changed = try await pageForms, let entry = history.current else {
            throw FormError(.missing, "no page is open")
        }
        try body(&changed)
        forms = (entry.id, entry.cacheKey, changed)
    }

    /// Sends a form of the page in view as a browser does, once its fields satisfy their constraints.
    ///
    /// - Parameters:
    ///   - button: The button that sends it, by its name, a selector or its text; nil for the default button of the form that was
    ///     filled in last, or else of the first one.
    ///   - values: Names and values to fill in before.
    /// - Returns: The page with the answer.
    /// - Throws: `FormError` where a browser would send nothing, `LoadError` where what was sent has no answer.
    ///
    /// [Form submission
    /// algorithm](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#form-submission-algorithm)
    @discardableResult
    public func submit(
        button: String? = nil,
        values: [(name: String, value: String)] = []
    ) async throws -> Navigation {
        for (name, value) in values { try await fill(name, with: value) }
        guard let forms = try await pageForms, let page = try await page else {
            throw FormError(.missing, "no page is open")
        }
        let submission = try forms.submission(button: button)
        try Self.checkTarget(submission.url, from: page)
        var request = page.request(for: submission.url)
        request.use(cachePolicy(of: history.current))
        // A form's `rel` changes nothing here, as in Chromium: docs/decisions/0038.
        request.takeSource(page.response.url, try await parsed(page).referrerPolicy)
        if let content = submission.content() {
            request.httpMethod = "POST"
            request.httpBody = content.body
            request.headerFields[.contentType] = content.type
        }
        return try await load(request, by: .form)
    }
}
