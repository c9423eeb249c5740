/// Builds the list of names and values that a form sends.
///
/// [Constructing the entry
/// list](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#constructing-the-form-data-set)
struct EntryListBuilder {
    private(set) var entries: [FormSubmission.Entry] = []
    private let encoding: TextEncoding
    private let submitter: Int?

    init(encoding: TextEncoding, submitter: Int?) {
        self.encoding = encoding
        self.submitter = submitter
    }

    /// Step 5: adds the entries of one field.
    mutating func add(_ field: FormField, at index: Int, _ directionName: String?, _ isRightToLeft: Bool) {
        // 1.
        guard !field.isSuggestion, !field.isDisabled, !field.isButton || index == submitter,
            field.isChecked != false
        else { return }
        // 2. A browser sends the coordinates of the click on the image.
        if field.type == "image" {
            let prefix = field.name.flatMap { $0.isEmpty ? nil : "\($0)." } ?? ""
            append("\(prefix)x", "0")
            append("\(prefix)y", "0")
            return
        }
        // 4., 5.
        guard let name = field.name, !name.isEmpty else { return }
        if field.element == "select" {
            for option in field.options where option.isSelected && !option.isDisabled {
                append(name, option.value)
            }
        } else if field.type == "file" {
            append(name, "", isFile: true)
        } else if field.type == "hidden", name.isEqualIgnoringASCIICase(to: "_charset_") {
            append(name, encoding.name)
        } else {
            append(name, field.value ?? "")
        }
        // 11.
        if let directionName, !directionName.isEmpty, sendsDirection(field) {
            append(directionName, isRightToLeft ? "rtl" : "ltr")
        }
    }

    private mutating func append(_ name: String, _ value: String, isFile: Bool = false) {
        entries.append(FormSubmission.Entry(name: name, value: value, isFile: isFile))
    }

    /// Whether `dirname` applies to the field.
    private func sendsDirection(_ field: FormField) -> Bool {
        if field.element == "textarea" { return true }
        guard field.element == "input", let type = InputType(rawValue: field.type) else { return false }
        return type.isDirectional && type != .reset && type != .button
    }

    /// The URL of a form that is sent by GET: with the entries as its query, except for `javascript:` and
    /// `ftp:` URLs.
    ///
    /// [Mutate action
    /// URL](https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#submit-mutate-action)
    func url(for action: WebURL) -> WebURL {
        if action.scheme == "javascript" || action.scheme == "ftp" { return action }
        let parameters = URLSearchParameters(
            entries.map { .init(name: Self.normalized($0.name), value: Self.normalized($0.value)) }
        )
        var url = action
        // Entries that would make the URL too long are left out, as in browsers.
        try? url.setSearch("?" + parameters.serialized(using: TextEncoder(encoding)))
        return url
    }

    /// The text, with each line ending replaced by CR LF.
    private static func normalized(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 == 0x0A || $0 == 0x0D }) else { return text }
        var output: [UInt8] = []
        var previous: UInt8 = 0
        for byte in text.utf8 {
            if byte == 0x0D || byte == 0x0A && previous != 0x0D {
                output += [0x0D, 0x0A]
            } else if byte != 0x0A {
                output.append(byte)
            }
            previous = byte
        }
        return String(decoding: output, as: UTF8.self)
    }
}
