import WebLoader

extension Form {
    static var schema: ValueSchema {
        .placed(
            .required("action", .string.orNull, "The URL that it is sent to; null if it is not a valid URL."),
            .required("method", .word(Form.Method.self), "How it is sent."),
            .required("enctype", .word(Form.EncodingType.self), "How its entries are written."),
            .required("fields", .array(.shape(.formField)), "The fields whose form it is, inside it or not."),
            .optional("reference", .string, "The action, as written."),
            .optional("name", .string, "The name."),
            .optional("id", .string, "The ID."),
            .optional("target", .string, "Where its answer is shown."),
            .optional("accept_charset", .string, "The accept-charset attribute, as written."),
            .optional("novalidate", .yes, "Present if its fields are not validated."),
            .optional("autocomplete", .string, "The autocomplete attribute, as written."),
            .optional("submission", .shape(.formSubmission), "What a browser sends if nothing is filled in.")
        ).described("A form.")
    }
}

extension FormField {
    static var schema: ValueSchema {
        .placed(
            .required("element", .string, "The element's name: input, select, textarea or button."),
            .required("type", .string, "The type, as scripts see it."),
            .optional("name", .string, "The name."),
            .optional("id", .string, "The ID."),
            .optional("value", .string, "The value, made fit for the type."),
            .optional("checked", .boolean, "Whether a check box or radio button is checked."),
            .optional("options", .array(optionSchema), "The options of a select element."),
            .optional("option_groups", .strings, "The labels of its groups of options."),
            .optional("disabled", .yes, "Present if it is disabled, by itself or a fieldset."),
            .optional("required", .yes, "Present if it has to be filled in."),
            .optional("read_only", .yes, "Present if it cannot be changed."),
            .optional("multiple", .yes, "Present if it takes several values."),
            .optional("labels", .strings, "The texts of its labels."),
            .optional("pattern", .string, "A regular expression for the value."),
            .optional("min", .string, "The minimum, as written."),
            .optional("max", .string, "The maximum, as written."),
            .optional("step", .string, "The step between values, as written."),
            .optional("min_length", .string, "The minimum length, in UTF-16 code units, as written."),
            .optional("max_length", .string, "The maximum length, in UTF-16 code units, as written."),
            .optional("accept", .string, "The types of files that it takes."),
            .optional("placeholder", .string, "The text that is shown while it is empty."),
            .optional("autocomplete", .string, "What browsers may fill in automatically."),
            .optional("list", .string, "The ID of its list of suggestions.")
        ).described("A field of a form.")
    }

    private static var optionSchema: ValueSchema {
        .object(
            .required("value", .string, "The value that is sent."),
            .required("label", .string, "The text that is shown."),
            .optional("selected", .yes, "Present if it is selected."),
            .optional("disabled", .yes, "Present if it is disabled, by itself or its group."),
            .optional("group", .integer(from: 0), "The index of its group in option_groups.")
        )
    }
}

extension FormSubmission {
    static var schema: ValueSchema {
        .object(
            .required("url", .string, "The URL, of method get with the entries as its query."),
            .required("method", .word(Form.Method.self), "How it is sent."),
            .required("enctype", .word(Form.EncodingType.self), "How the entries are written."),
            .required("encoding", .string, "The character encoding of the entries."),
            .required("entries", .array(entrySchema), "The entries, in the order in which they are sent."),
            .optional("submitter", .integer(from: 0), "The index in fields of the button that sends it."),
            .optional("target", .string, "Where the answer is shown.")
        ).described("What a browser sends if nothing is filled in.")
    }

    private static var entrySchema: ValueSchema {
        .object(
            .required("name", .string, "The name."),
            .required("value", .string, "The value."),
            .optional("file", .yes, "Present if it is a file.")
        )
    }
}
