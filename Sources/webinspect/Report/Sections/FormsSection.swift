import WebLoader

extension Form {
    /// docs/json-report.md describes it to users, as all sections.
    var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("action", JSONValue(action?.description)), .init("method", .string(method.rawValue)),
            .init("enctype", .string(encodingType.rawValue)), .init("fields", .array(fields.map(\.json))),
        ]
        members.add("reference", reference)
        members.add("name", name)
        members.add("id", id)
        members.add("target", target)
        members.add("accept_charset", acceptCharset)
        members.add("novalidate", if: isNotValidated)
        members.add("autocomplete", autocomplete)
        if let submission { members.append(.init("submission", submission.json)) }
        return .object(members + JSONValue.members(position))
    }

    /// As in "post https://h/login: user, password, submit"; one for each of the first forms.
    static func text(_ forms: [Form]) -> [String] {
        let shown = forms.prefix(5).map { form in
            let fields = form.fields.filter { $0.type != "hidden" }.map { field in
                field.name.flatMap { $0.isEmpty ? nil : $0 } ?? field.type
            }
            let names = fields.isEmpty ? "" : ": \(Wording.first(6, of: fields))"
            let target = form.action?.description ?? form.reference ?? ""
            return "\(form.method.rawValue) \(target)\(names)"
        }
        return shown + (forms.count > 5 ? ["and \(forms.count - 5) more"] : [])
    }
}

extension FormField {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("element", .string(element)), .init("type", .string(type)),
        ]
        members.add("name", name)
        members.add("id", id)
        members.add("value", value)
        if let isChecked { members.append(.init("checked", .bool(isChecked))) }
        if element == "select" { members.append(.init("options", .array(options.map(\.json)))) }
        members.add("option_groups", optionGroups)
        members.add("disabled", if: isDisabled)
        members.add("required", if: isRequired)
        members.add("read_only", if: isReadOnly)
        members.add("multiple", if: isMultiple)
        members.add("labels", labels)
        members.add("pattern", constraints.pattern)
        members.add("min", constraints.minimum)
        members.add("max", constraints.maximum)
        members.add("step", constraints.step)
        members.add("min_length", constraints.minimumLength)
        members.add("max_length", constraints.maximumLength)
        members.add("accept", constraints.accept)
        members.add("placeholder", constraints.placeholder)
        members.add("autocomplete", constraints.autocomplete)
        members.add("list", constraints.list)
        return .object(members + JSONValue.members(position))
    }
}

extension FormOption {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [.init("value", .string(value)), .init("label", .string(label))]
        members.add("selected", if: isSelected)
        members.add("disabled", if: isDisabled)
        members.add("group", group)
        return .object(members)
    }
}

extension FormSubmission {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [
            .init("url", .string(url.description)), .init("method", .string(method.rawValue)),
            .init("enctype", .string(encodingType.rawValue)), .init("encoding", .string(encoding)),
            .init("entries", .array(entries.map(\.json))),
        ]
        members.add("submitter", submitter)
        members.add("target", target)
        return .object(members)
    }
}

extension FormSubmission.Entry {
    fileprivate var json: JSONValue {
        var members: [JSONValue.Member] = [.init("name", .string(name)), .init("value", .string(value))]
        members.add("file", if: isFile)
        return .object(members)
    }
}
