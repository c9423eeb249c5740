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
    mutating func add(_ field: FormField, at index: Int) {
        // 1. Fields inside a `datalist` are sent, as by Chromium: docs/decisions/0038.
        guard !field.isDisabled, !field.isButton || index == submitter,
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
            for file in field.files {
                entries.append(.init(name: name, value: file.name, isFile: true, file: file))
            }
            if field.files.isEmpty { entries.append(.init(name: name, value: "", isFile: true, file: nil)) }
        } else if field.type == "hidden", name.isEqualIgnoringASCIICase(to: "_charset_") {
            append(name, encoding.name)
        } else {
            let value = field.value ?? field.defaultLabel
            append(name, field.hardWrap.map { Self.wrapped(value, $0) } ?? value)
        }
        // 11.
        if let directionName = field.directionName, !directionName.isEmpty, sendsDirection(field) {
            let isRightToLeft = field.isRightToLeft ?? Self.isRightToLeft(field.value ?? "")
            append(directionName, isRightToLeft ? "rtl" : "ltr")
        }
    }

    private mutating func append(_ name: String, _ value: String) {
        entries.append(FormSubmission.Entry(name: name, value: value, isFile: false, file: nil))
    }

    /// A text whose lines have at most so many characters: broken before the words that do not fit, and in words that
    /// are longer.
    ///
    /// The standard leaves it to the user agent where lines are broken; this is what Chromium does.
    private static func wrapped(_ text: String, _ columns: Int) -> String {
        var output = ""
        for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if number > 0 { output.append("\n") }
            var rest = line[...]
            while let end = rest.index(rest.startIndex, offsetBy: columns, limitedBy: rest.endIndex),
                end < rest.endIndex
            {
                // The blank at which a line is broken stays at its end.
                var next = end
                if rest[end] == " " {
                    next = rest.index(after: end)
                } else if let blank = rest[..<end].lastIndex(of: " ") {
                    next = rest.index(after: blank)
                }
                guard next < rest.endIndex else { break }
                output += rest[..<next]
                output.append("\n")
                rest = rest[next...]
            }
            output += rest
        }
        return output
    }

    /// Whether the first letter with a direction goes from right to left, as `dir=auto` asks.
    private static func isRightToLeft(_ text: String) -> Bool {
        text.unicodeScalars.lazy.compactMap(SelectorMatcher.direction).first == .rightToLeft
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
            entries.map { .init(name: $0.name.normalizingNewlines, value: $0.value.normalizingNewlines) }
        )
        var url = action
        // Entries that would make the URL too long are left out, as in browsers.
        try? url.setSearch("?" + parameters.serialized(using: TextEncoder(encoding)))
        return url
    }
}
