extension Form.Method: ReportWord {}
extension Form.EncodingType: ReportWord {}

extension Form: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("form", "A form.")
        members.required("action", "The URL that it is sent to; null if it is not a valid URL.", \.action)
        members.required("method", "How it is sent.", \.method)
        members.required("enctype", "How its entries are written.", \.encodingType)
        members.required("fields", "The fields whose form it is, inside it or not.", \.fields)
        members.optional("reference", "The action, as written.", \.reference)
        members.optional("name", "The name.", \.name)
        members.optional("id", "The ID.", \.id)
        members.optional("target", "Where its answer is shown.", \.target)
        members.optional("accept_charset", "The accept-charset attribute, as written.", \.acceptCharset)
        members.flag("novalidate", "Present if its fields are not validated.", \.isNotValidated)
        members.optional("autocomplete", "The autocomplete attribute, as written.", \.autocomplete)
        members.optional("submission", "What a browser sends if nothing is filled in.", \.submission)
        members.include { $0.position }
    }
}

extension FormField: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("form_field", "A field of a form.")
        members.required("element", "The element's name: input, select, textarea or button.", \.element)
        members.required("type", "The type, as scripts see it.", \.type)
        members.optional("name", "The name.", \.name)
        members.optional("id", "The ID.", \.id)
        members.optional("value", "The value, made fit for the type.", \.value)
        members.optional("checked", "Whether a check box or radio button is checked.", \.isChecked)
        members.optional("options", "The options of a select element.") {
            $0.element == "select" ? $0.options : nil
        }
        members.list("option_groups", "The labels of its groups of options.", \.optionGroups)
        members.flag("disabled", "Present if it is disabled, by itself or a fieldset.", \.isDisabled)
        members.flag("required", "Present if it has to be filled in.", \.isRequired)
        members.flag("read_only", "Present if it cannot be changed.", \.isReadOnly)
        members.flag("multiple", "Present if it takes several values.", \.isMultiple)
        members.list("labels", "The texts of its labels.", \.labels)
        members.include { $0.constraints }
        members.include { $0.position }
    }
}

extension FormConstraints: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.optional("pattern", "A regular expression for the value.", \.pattern)
        members.optional("min", "The minimum, as written.", \.minimum)
        members.optional("max", "The maximum, as written.", \.maximum)
        members.optional("step", "The step between values, as written.", \.step)
        members.optional(
            "min_length",
            "The minimum length, in UTF-16 code units, as written.",
            \.minimumLength
        )
        members.optional(
            "max_length",
            "The maximum length, in UTF-16 code units, as written.",
            \.maximumLength
        )
        members.optional("accept", "The types of files that it takes.", \.accept)
        members.optional("placeholder", "The text that is shown while it is empty.", \.placeholder)
        members.optional("autocomplete", "What browsers may fill in automatically.", \.autocomplete)
        members.optional("list", "The ID of its list of suggestions.", \.list)
    }
}

extension FormOption: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("value", "The value that is sent.", \.value)
        members.required("label", "The text that is shown.", \.label)
        members.flag("selected", "Present if it is selected.", \.isSelected)
        members.flag("disabled", "Present if it is disabled, by itself or its group.", \.isDisabled)
        members.optional("group", as: .count, "The index of its group in option_groups.", \.group)
    }
}

extension FormSubmission: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.named("form_submission", "What a browser sends if nothing is filled in.")
        members.required("url", "The URL, of method get with the entries as its query.", \.url)
        members.required("method", "How it is sent.", \.method)
        members.required("enctype", "How the entries are written.", \.encodingType)
        members.required("encoding", "The character encoding of the entries.", \.encoding)
        members.required("entries", "The entries, in the order in which they are sent.", \.entries)
        members.optional(
            "submitter",
            as: .count,
            "The index in fields of the button that sends it.",
            \.submitter
        )
        members.optional("target", "Where the answer is shown.", \.target)
    }
}

extension FormSubmission.Entry: ReportObject {
    package static func describe(_ members: inout some ReportMembers<Self> & ~Copyable) {
        members.required("name", "The name.", \.name)
        members.required("value", "The value.", \.value)
        members.flag("file", "Present if it is a file.", \.isFile)
    }
}
