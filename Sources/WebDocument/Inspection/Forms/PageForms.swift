import WebStandards

/// The forms of a page as they are filled in: fields and buttons are found by name, label, text or selector.
///
/// ```swift
/// var forms = PageForms(try await page.parsed())
/// try forms.fill("user", with: "ada")
/// try forms.fill("Password", with: "secret")
/// let submission = try forms.submission(button: nil)
/// ```
public struct PageForms: Sendable {
    /// Where a field is.
    public struct Place: Hashable, Sendable {
        /// The index of its form in ``PageForms/forms``.
        public let form: Int
        /// The index of the field in ``Form/fields``.
        public let field: Int

        /// Creates a place.
        public init(form: Int, field: Int) {
            self.form = form
            self.field = field
        }
    }

    /// The forms, in document order.
    public private(set) var forms: [Form] = []

    /// The form of the field that was filled in last; nil before that.
    public private(set) var filledForm: Int?

    private struct Control: Sendable {
        let node: Node
        /// Nil for one that belongs to no form.
        let place: Place?
    }

    /// All controls, in document order.
    private var controls: [Control] = []
    /// For each form, the indices of its fields among them.
    private var members: [[Int]] = []
    /// Whether controls were left out, since the page was made to exhaust memory: no form of it is sent then.
    public private(set) var isTruncated = false
    private let document: Document?

    /// Finds the forms of a page; none for a page that is not parsed.
    ///
    /// - Parameter page: The page.
    /// - Complexity: O(n) in the size of the page.
    public init(_ page: ParsedPage) {
        document = page.document
        guard let document, let assembled = page.assembledForms() else { return }
        forms = assembled.forms
        isTruncated = assembled.isTruncated
        controls = zip(assembled.nodes, assembled.places).map { node, place in
            Control(
                node: Node(node, in: document),
                place: place.form.map { Place(form: $0, field: place.field) }
            )
        }
        members = Array(repeating: [], count: forms.count)
        for (index, control) in controls.enumerated() {
            // The fields of a form are numbered in the order of its controls.
            if let place = control.place { members[place.form].append(index) }
        }
    }

    // MARK: - Finding

    /// The field of a name, or else of a label, or else the first that a selector matches.
    ///
    /// - Parameter name: The value of its `name`; else all of a label's text, white space collapsed; else a selector.
    /// - Returns: Where it is: of several that are no buttons, the first that is not disabled, or else the first.
    /// - Throws: ``FormError/Code/missing``, also for a field that belongs to no form.
    public func field(_ name: String) throws(FormError) -> Place {
        try place(name, "no field \(name.shortened): no control has that name, label or selector") {
            !$0.isButton
        }
    }

    /// The button of a name, or else that a selector matches, or else with a text.
    ///
    /// - Parameter name: The value of its `name`, a selector, or all of the text on it, white space collapsed.
    /// - Returns: Where it is: of several that send their forms, the first that is not disabled, or else the first.
    /// - Throws: ``FormError/Code/missing``.
    public func button(_ name: String) throws(FormError) -> Place {
        let missing = FormError(
            .missing,
            "no button \(name.shortened): none has that name, text or selector"
        )
        if let place = try? place(name, missing.message, { $0.isSubmitButton }) { return place }
        let words = Self.words(name)
        let found = controls.filter { control in
            field(control).map { $0.isSubmitButton && Self.words(text(of: control, $0)) == words } ?? false
        }
        guard let place = best(found) else { throw missing }
        return place
    }

    private func place(
        _ name: String,
        _ message: String,
        _ isWanted: (FormField) -> Bool
    ) throws(FormError) -> Place {
        let missing = FormError(.missing, message)
        var found = controls.filter { control in
            field(control).map { $0.name == name && isWanted($0) } ?? false
        }
        if found.isEmpty {
            let words = Self.words(name)
            found = controls.filter { control in
                field(control).map { isWanted($0) && $0.labels.contains { Self.words($0) == words } } ?? false
            }
        }
        if found.isEmpty {
            // An invalid selector matches no field.
            guard let document, let nodes = try? document.querySelectorAll(name) else { throw missing }
            let set = Set(nodes)
            found = controls.filter { set.contains($0.node) && field($0).map(isWanted) ?? true }
        }
        guard let first = found.first else { throw missing }
        guard let place = best(found) else {
            throw FormError(.missing, "\(first.node.name) \(name.shortened) belongs to no form")
        }
        return place
    }

    /// A text as people type it: spaces that do not break are like others.
    private static func words(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }

    /// The first of some controls that can be used, or else the first that belongs to a form.
    private func best(_ found: [Control]) -> Place? {
        let places = found.compactMap(\.place)
        return places.first { !self[$0].isDisabled } ?? places.first
    }

    /// The field that a control is; nil for one that belongs to no form.
    private func field(_ control: Control) -> FormField? { control.place.map { self[$0] } }

    /// The text on a button.
    private func text(of control: Control, _ field: FormField) -> String {
        if field.element == "button" { return control.node.text }
        return (field.value ?? field.defaultLabel).collapsingASCIIWhitespace
    }

    /// Returns the visible label of a field: the text on a button, or else its first label.
    ///
    /// - Parameter place: Where it is.
    /// - Returns: The text, white space collapsed; empty where there is none.
    public func label(of place: Place) -> String {
        let control = controls[members[place.form][place.field]]
        let text = self[place].isSubmitButton ? text(of: control, self[place]) : ""
        return text.isEmpty ? self[place].labels.first ?? "" : text
    }

    /// The field at a place.
    public subscript(place: Place) -> FormField { forms[place.form].fields[place.field] }

    // MARK: - Filling in

    /// Sets the value of a field, as ``Form/fill(_:with:)`` does.
    ///
    /// - Parameters:
    ///   - name: Its name, label or selector.
    ///   - value: The value.
    /// - Returns: Where it is.
    /// - Throws: ``FormError``.
    @discardableResult
    public mutating func fill(_ name: String, with value: String) throws(FormError) -> Place {
        let place = try field(name)
        try forms[place.form].fill(place.field, with: value)
        filledForm = place.form
        return place
    }

    /// Chooses the files of a field, as ``Form/choose(_:for:)`` does.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - name: Its name, label or selector.
    /// - Throws: ``FormError``.
    public mutating func choose(_ files: [FormFile], for name: String) throws(FormError) {
        let place = try field(name)
        try forms[place.form].choose(files, for: place.field)
        filledForm = place.form
    }

    /// The data of a form, once it satisfies its constraints.
    ///
    /// - Parameter name: The button that sends it, by its name, a selector or its text; nil for the default button of
    ///   the form that was filled in last, or else of the first one.
    /// - Returns: The data that a browser sends for it.
    /// - Throws: ``FormError/Code/missing`` where there is no form or button, ``FormError/Code/value`` for a disabled
    ///   button, ``FormError/Code/invalid`` with the problems of the fields, ``FormError/Code/unsent``,
    ///   ``FormError/Code/limit``.
    public func submission(button name: String? = nil) throws(FormError) -> FormSubmission {
        guard !isTruncated else {
            throw FormError(
                .limit,
                "the page has more controls than are kept, so that a form may not be whole"
            )
        }
        let index: Int
        let button: Int?
        if let name {
            let place = try self.button(name)
            guard !self[place].isDisabled else {
                throw FormError(.value, "the button \(name.shortened) is disabled")
            }
            (index, button) = (place.form, place.field)
        } else {
            guard !forms.isEmpty else { throw FormError(.missing, "the page has no form") }
            index = filledForm ?? 0
            button = forms[index].defaultButton
        }
        let form = forms[index]
        let problems = form.problems(sendingBy: button)
        guard problems.isEmpty else {
            throw FormError(.invalid, problems.prefix(8).map(\.message).joined(separator: "; "))
        }
        guard let submission = form.submission(by: button) else {
            throw FormError(
                .unsent,
                "a browser sends nothing for this form: it closes a dialog, or its action is no URL"
            )
        }
        return submission
    }
}
